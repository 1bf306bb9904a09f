"""A worked case: a self-contained decision without git, keys or signatures (`accord simulate`)."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from accord.model.affirmation import Stance
from accord.model.ballot import Participant
from accord.model.base import Record
from accord.model.evidence import EvidenceKind, UsedEvidence
from accord.model.ids import Category, Id, Line, MemberId, Number, Text, Word
from accord.model.policy import Independence, Requirements, RuleName, Vias, WaiverKind
from accord.model.proposal import Reversibility, Waiver
from accord.model.resolution import Disposition
from accord.model.vote import Answer, Lineage, Severity


class CaseClass(Record, frozen=True, kw_only=True):
    """The rules that the case is judged by; defaults as in the policy."""

    rule: RuleName
    max_rounds: Number = 2
    require: Requirements = Requirements()
    independence: Independence | None = None
    waivers: tuple[WaiverKind, ...] = ()
    vias: Vias = ()


class CaseEvidence(Record, frozen=True, kw_only=True):
    """One entry of the manifest."""

    id: Id
    kind: EvidenceKind
    load_bearing: bool = False
    summarizes: Id | None = None


class CaseVote(Record, frozen=True, kw_only=True):
    """One vote; what makes a vote complete is filled in."""

    vote: Answer
    severity: Severity | None = None
    categories: tuple[Category, ...] = ()
    evidence: tuple[UsedEvidence, ...] = ()
    lineage: Lineage | None = None


class CaseAffirmation(Record, frozen=True, kw_only=True):
    """One affirmation; `stale` says that it covers another transcript or text."""

    stance: Stance
    transcript: Literal["final", "stale"] = "final"
    text: Literal["final", "stale"] = "final"
    evidence: tuple[UsedEvidence, ...] = ()
    asymmetry_acknowledged: bool = False


class CaseAnswer(Record, frozen=True, kw_only=True):
    """How one objection was answered."""

    voter: MemberId
    category: Category | None = None
    disposition: Disposition


class CaseResolution(Record, frozen=True, kw_only=True):
    """How the objections of a round were answered."""

    answers: tuple[CaseAnswer, ...]


class CaseRound(Record, frozen=True, kw_only=True):
    """One round. `voters` replaces the case's voters."""

    voters: tuple[MemberId, ...] = ()
    votes: dict[MemberId, CaseVote] = {}
    amended: bool = False
    affirmations: dict[MemberId, CaseAffirmation] = {}
    closed: bool = False
    resolution: CaseResolution | None = None


class CaseCheck(Record, frozen=True, kw_only=True):
    """One check; `declared` says that it stands in the proposal."""

    name: Id
    passed: bool
    artifacts: tuple[Id, ...] = ()
    by: MemberId
    declared: bool = False


class CaseRederivation(Record, frozen=True, kw_only=True):
    """One second look."""

    voter: MemberId
    confirms: bool
    evidence: tuple[UsedEvidence, ...] = ()


class CaseExpectation(Record, frozen=True, kw_only=True):
    """What the evaluation must say; what is absent is not asserted."""

    outcome: Line | None = None
    verdict: Line | None = None
    status: Line | None = None
    independence: dict[Word, int] = {}


class Case(Record, frozen=True, kw_only=True):
    """A decision to try rules on."""

    title: Text
    class_: CaseClass = field(name="class")
    voters: dict[MemberId, Participant]
    evidence: tuple[CaseEvidence, ...] = ()
    reversibility: Reversibility = "costly"
    waiver: Waiver | None = None
    rounds: tuple[CaseRound, ...] = ()
    checks: tuple[CaseCheck, ...] = ()
    rederivations: tuple[CaseRederivation, ...] = ()
    ruling: Literal["accept", "reject"] | None = None
    expect: CaseExpectation = CaseExpectation()
