"""round.yaml, the ballot: it freezes proposal, rules, voters and evidence (section 3.4).

Self-contained on purpose: a decision that ended gives the same record for ever, whatever
happens to the policy later. Everything later binds to the digest of this file.
"""

from __future__ import annotations

from typing import Literal

from msgspec import field

from accord.model.base import Explicit, Record
from accord.model.ids import (
    AffirmationName,
    DecisionId,
    Digest,
    Id,
    Line,
    MemberId,
    Number,
    OwnCategory,
    Text,
    Time,
)
from accord.model.policy import (
    Ballots,
    EndStatus,
    Independence,
    Kind,
    ProjectId,
    Role,
    RuleName,
    Seats,
    Vias,
    WaiverKind,
)
from accord.model.proposal import Waiver

PROTOCOL: Literal[1] = 1


class Participant(Explicit, frozen=True, kw_only=True):
    """What the ballot copies of a member."""

    kind: Kind
    roles: tuple[Role, ...]


class Required(Explicit, frozen=True, kw_only=True):
    """Which gates and which answers the class asks for, defaults filled in."""

    evidence_consensus: bool
    reasoning_convergence: bool
    assessment: bool


class Rules(Explicit, frozen=True, kw_only=True):
    """The class of the policy and the project's categories, defaults filled in."""

    description: Line
    rule: RuleName
    voters: Seats
    ballots: Ballots
    max_rounds: Number
    require: Required
    waivers: tuple[WaiverKind, ...]
    vias: Vias
    anchored: bool
    independence: Independence | None
    merge: tuple[EndStatus, ...]
    categories: tuple[OwnCategory, ...]


class LeftOut(Record, frozen=True, kw_only=True):
    """A dissenter of an earlier round who is no longer eligible, and why."""

    voter: MemberId
    reason: Text


class Previous(Record, frozen=True, kw_only=True):
    """The round before, as the voters of this round found it."""

    ballot: Digest
    votes: dict[MemberId, Digest] = {}
    affirmations: dict[AffirmationName, Digest] = {}
    close: Digest | None = None
    resolution: Digest | None = None


class Ballot(Record, frozen=True, kw_only=True):
    """One numbered balloting on one frozen proposal."""

    project: ProjectId
    protocol: Literal[1]
    decision: DecisionId
    round: Number
    opened_by: MemberId
    opened_at: Time
    proposal: Digest
    class_: Id = field(name="class")
    rules: Rules
    voters: dict[MemberId, Participant]
    officers: dict[MemberId, Participant]
    evidence_set: Digest
    waiver: Waiver | None = None
    left_out: tuple[LeftOut, ...] = ()
    previous: Previous | None = None

    def officers_with(self, role: Role) -> tuple[str, ...]:
        """Who has a role and no vote here, in the order of names."""
        return tuple(sorted(name for name, seat in self.officers.items() if role in seat.roles))
