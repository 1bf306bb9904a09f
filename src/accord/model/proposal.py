"""proposal.yaml: what is put to the vote (section 3.3). Free to edit until its round opens."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from accord.model.base import Record
from accord.model.evidence import Input, ManifestEntry
from accord.model.ids import (
    DecisionId,
    Digest,
    Glob,
    Id,
    Line,
    MemberId,
    Number,
    RepoPath,
    Revision,
    Text,
)
from accord.model.policy import WaiverKind

Reversibility = Literal["trivial", "costly", "irreversible"]
ExitCode = Annotated[int, Meta(ge=0, le=255)]
# How git names a plain file, an executable one, and a link.
FileMode = Literal["100644", "100755", "120000"]
Argument = Annotated[str, Meta(max_length=4096)]


class Option(Record, frozen=True, kw_only=True):
    """One way that was considered."""

    name: Line
    pros: tuple[Text, ...] = ()
    cons: tuple[Text, ...] = ()


class Consequences(Record, frozen=True, kw_only=True):
    """What follows if the text is accepted."""

    good: tuple[Text, ...] = ()
    bad: tuple[Text, ...] = ()


class CheckPlan(Record, frozen=True, kw_only=True):
    """A deterministic check that the proposal declares; a run that equals it counts (section 7)."""

    name: Id
    argv: tuple[Argument, ...]
    inputs: tuple[Input, ...] = ()
    expected_exit: ExitCode = 0


class Diff(Record, frozen=True, kw_only=True):
    """The two commits of the change that a decision is about. Declared checks run on `head`."""

    base: Revision
    head: Revision


class Waiver(Record, frozen=True, kw_only=True):
    """A request to waive reasoning convergence, and nothing else (section 5)."""

    kind: WaiverKind
    justification: Text | None = None
    check: Id | None = None


class Enacted(Record, frozen=True, kw_only=True):
    """A file whose exact bytes and mode the decision brings into force.

    The bytes of a link are the path that it names.
    """

    path: RepoPath
    digest: Digest
    mode: FileMode = "100644"


class Proposal(Record, frozen=True, kw_only=True):
    """A proposal and its evidence manifest.

    `settles` are commits of the protected branch whose errors a governance decision looked at.
    """

    decision: DecisionId
    round: Number
    title: Line
    class_: Id = field(name="class")
    proposer: MemberId
    context: Text
    text: Text
    options: tuple[Option, ...] = ()
    consequences: Consequences = Consequences()
    change: Diff | None = None
    evidence: tuple[ManifestEntry, ...] = ()
    reversibility: Reversibility = "costly"
    checks: tuple[CheckPlan, ...] = ()
    waiver: Waiver | None = None
    supersedes: DecisionId | None = None
    reopens: DecisionId | None = None
    continues: DecisionId | None = None
    affects: tuple[Glob, ...] = ()
    enacts: tuple[Enacted, ...] = ()
    settles: tuple[Revision, ...] = ()
