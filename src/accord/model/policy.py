"""policy.yaml: members, their keys and roles, and the classes of decisions (section 3.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from accord.model.base import Explicit, Record
from accord.model.ids import (
    Digest,
    Glob,
    Id,
    KeyLine,
    Line,
    MemberId,
    Number,
    OwnCategory,
    RepoPath,
    Text,
    Time,
    Word,
)

Kind = Literal["human", "agent"]
Role = Literal["voter", "challenger", "authority", "decider"]
RuleName = Literal["unanimity", "bft_quorum"]
Ballots = Literal["sealed", "open"]
Accounting = Literal["strict", "collapsed", "disjoint"]
WaiverKind = Literal["trivially_reversible", "path_independent"]
EndStatus = Literal["accepted", "approved_with_amendments", "rejected", "withdrawn", "imported"]
GuardedBy = Literal["affects", "enacts"]
ProjectId = Annotated[
    str, Meta(pattern=r"^[0-9a-f]{32}\Z", description="32 random hex digits, written by init")
]
Overlap = Annotated[
    str,
    Meta(
        pattern=r"^(?:off|0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)\Z",
        description='a decimal from 0 to 1 in quotes, such as "0.8", or off',
    ),
]
Vias = Annotated[tuple[Word, ...], Meta(max_length=16, description="at most 16 more words")]

GOVERNANCE = "governance"
VIAS: tuple[str, ...] = ("read", "executed", "measured", "analysed", "reproduced")
OVERLAP_DEFAULT = "0.8"
OVERLAP_OFF = "off"
MERGE_DEFAULT: tuple[EndStatus, ...] = (
    "accepted",
    "approved_with_amendments",
    "rejected",
    "withdrawn",
)


class SigstoreIdentity(Record, frozen=True, kw_only=True):
    """An exact OIDC identity and the issuer that vouches for it; never a pattern.

    The rest is what the certificate of a CI job must say besides, word for word: the source
    `repository` (a URL), the `workflow` (its build configuration, a URL), the git `ref`, and the
    event that was the `trigger`.
    """

    identity: Line
    issuer: Line
    repository: Line | None = None
    workflow: Line | None = None
    ref: Line | None = None
    trigger: Line | None = None


class Key(Record, frozen=True, kw_only=True):
    """One key of one member: exactly one of `ssh` (an authorized_keys line) and `sigstore`."""

    ssh: KeyLine | None = None
    sigstore: SigstoreIdentity | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    revoked_from: Time | None = None


class Member(Record, frozen=True, kw_only=True):
    """A principal, human or agent; several keys, counted once."""

    kind: Kind
    roles: tuple[Role, ...]
    keys: tuple[Key, ...]


class Seats(Explicit, frozen=True, kw_only=True):
    """How many voters a ballot of the class has, and who may be one."""

    min: Number
    max: Number
    eligible: tuple[MemberId, ...]


class Requirements(Record, frozen=True, kw_only=True):
    """`require` of a class as written; what is left out takes the default of the rule."""

    evidence_consensus: bool | None = None
    reasoning_convergence: bool | None = None
    assessment: bool | None = None


class Independence(Record, frozen=True, kw_only=True):
    """How many independent votes a class asks for: at least 2f+1, counted by `accounting`.

    `overlap_warning` is the mean overlap of evidence from which a quorum warns.
    """

    f: Annotated[int, Meta(ge=0, le=1000)]
    accounting: Accounting = "strict"
    overlap_warning: Overlap | None = None


class DecisionClass(Record, frozen=True, kw_only=True):
    """One class of decisions and the rules that its ballots copy."""

    description: Line = "(no description)"
    rule: RuleName = "unanimity"
    voters: Seats
    ballots: Ballots = "sealed"
    max_rounds: Number = 2
    require: Requirements = Requirements()
    waivers: tuple[WaiverKind, ...] = ()
    vias: Vias = ()
    anchored: bool = False
    independence: Independence | None = None
    merge: tuple[EndStatus, ...] = MERGE_DEFAULT


class Guard(Record, frozen=True, kw_only=True):
    """Paths that only an accepted decision of `class_` may change."""

    paths: tuple[Glob, ...]
    class_: Id = field(name="class")
    by: GuardedBy = "affects"


class TrustedRoot(Record, frozen=True, kw_only=True):
    """The Sigstore trust root that the project pins."""

    path: RepoPath
    digest: Digest


class Policy(Record, frozen=True, kw_only=True):
    """The whole policy. Nobody signs it: a governance decision enacts it (section 3.7)."""

    project: ProjectId
    serial: Number
    protected: tuple[Line, ...] = ("main",)
    members: dict[MemberId, Member]
    classes: dict[Id, DecisionClass]
    categories: tuple[OwnCategory, ...] = ()
    no_vote_needed: tuple[Text, ...] = ()
    guarded: tuple[Guard, ...] = ()
    trusted_root: TrustedRoot | None = None
