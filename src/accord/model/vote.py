"""A vote, and the seal that commits to it before it is shown (sections 3.5 and 3.7)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.evidence import UsedEvidence
from accord.model.ids import (
    Category,
    DecisionId,
    Digest,
    Id,
    Line,
    MemberId,
    Nonce,
    Number,
    Text,
    Time,
)

Answer = Literal["agree", "disagree", "abstain"]
Severity = Literal["minor", "major"]
Rating = Literal["strong", "adequate", "weak", "not_applicable"]

CATEGORIES: dict[str, str] = {
    "YAGNI": "not needed right now",
    "DRY_VIOLATION": "duplicates what exists",
    "OVER_ENGINEERING": "more complex than the problem",
    "SCOPE_CREEP": "beyond the objective",
    "SECURITY_RISK": "opens or worsens an attack",
    "MISALIGNED": "not aligned with the project's goals",
    "INSUFFICIENT_EVIDENCE": "the evidence does not carry it",
}


class Concern(Record, frozen=True, kw_only=True):
    """Something the voter is worried about. A blocking concern is a disagreement."""

    shorthand = "text"

    text: Text
    blocking: bool = False


class Rated(Record, frozen=True, kw_only=True):
    """A rating and why."""

    shorthand = "rating"

    rating: Rating
    note: Text | None = None


class Assessment(Record, frozen=True, kw_only=True):
    """The three questions that every voter answers where the class requires it."""

    testability: Rated | None = None
    workflow_integration: Rated | None = None
    incremental_verifiability: Rated | None = None


class Reasoning(Record, frozen=True, kw_only=True):
    """The full trace: inline text, or the digest of a file kept elsewhere."""

    shorthand = "text"

    text: Text | None = None
    digest: Digest | None = None
    uri: Line | None = None


class Context(Record, frozen=True, kw_only=True):
    """What the voter was given: the digest of its packet, and the claims in it."""

    packet: Digest | None = None
    claims: tuple[Id, ...] = ()


class Lineage(Record, frozen=True, kw_only=True):
    """Who and what ran the agent that voted."""

    operator: Line | None = None
    provider: Line | None = None
    model: Line | None = None
    session: Line | None = None


class Vote(Record, frozen=True, kw_only=True):
    """One voter's answer to one ballot."""

    decision: DecisionId
    round: Number
    voter: MemberId
    ballot: Digest
    nonce: Nonce | None = None
    vote: Answer
    severity: Severity | None = None
    categories: tuple[Category, ...] = ()
    rationale: Text | None = None
    reasoning: Reasoning | None = None
    concerns: tuple[Concern, ...] = ()
    alternative: Text | None = None
    assessment: Assessment | None = None
    evidence: tuple[UsedEvidence, ...] = ()
    context: Context | None = None
    lineage: Lineage | None = None
    cast_at: Time


class Seal(Record, frozen=True, kw_only=True):
    """A signed commitment to a vote that is not shown yet: `vote` is the digest of its file."""

    decision: DecisionId
    round: Number
    voter: MemberId
    ballot: Digest
    vote: Digest
    at: Time
