"""What helps when voting is not enough: check, re-derivation, synthesis, ruling, withdrawal.

Sections 3.7 and 7.
"""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.evidence import Input, UsedEvidence
from accord.model.ids import DecisionId, Digest, Id, Line, MemberId, Number, Text, Time
from accord.model.proposal import Argument, ExitCode
from accord.model.vote import Lineage


class Check(Record, frozen=True, kw_only=True):
    """A deterministic command and its result. accord never runs it while verifying."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    text_digest: Digest
    name: Id
    argv: tuple[Argument, ...]
    cwd: Line = "."
    inputs: tuple[Input, ...] = ()
    environment: dict[Line, Line] = {}
    exit_code: ExitCode
    output: Digest
    passed: bool


class Rederivation(Record, frozen=True, kw_only=True):
    """An independent second look, from primary evidence alone."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    text_digest: Digest
    confirms: bool
    rationale: Text
    evidence: tuple[UsedEvidence, ...] = ()
    lineage: Lineage | None = None


class Synthesis(Record, frozen=True, kw_only=True):
    """The authority's account of what was disputed, for the decider."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    transcript: Digest
    text: Text


class Ruling(Record, frozen=True, kw_only=True):
    """The human decider's word."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    transcript: Digest
    synthesis: Digest
    text_digest: Digest
    ruling: Literal["accept", "reject"]
    reason: Text


class Withdrawal(Record, frozen=True, kw_only=True):
    """The proposer or an authority takes the proposal back. A draft has no ballot to name."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest | None = None
    reason: Text
