"""record.yaml, the DecisionRecord: generated when a decision has ended (section 8)."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from accord.model.base import Explicit, Record
from accord.model.evaluation import (
    Basis,
    DirectiveWord,
    GateName,
    GateResult,
    Outcome,
    Verdict,
    VoterStance,
)
from accord.model.ids import (
    Category,
    DecisionId,
    Digest,
    Id,
    Line,
    MemberId,
    Number,
    RepoPath,
    Time,
)
from accord.model.policy import Accounting, EndStatus
from accord.model.vote import Severity


class RecordedVote(Record, frozen=True, kw_only=True):
    """One voter of one round."""

    stance: VoterStance
    severity: Severity | None = None
    categories: tuple[Category, ...] = ()
    digest: Digest | None = None


class RecordedRound(Record, frozen=True, kw_only=True):
    """One round: its ballot, its outcome, its votes."""

    number: Number
    ballot: Digest
    outcome: Outcome
    votes: dict[MemberId, RecordedVote]


class RecordedAmendment(Record, frozen=True, kw_only=True):
    """An objection that was taken in."""

    voter: MemberId
    vote: Digest
    amendment: Digest


class RecordedGate(Record, frozen=True, kw_only=True):
    """One gate and what it said."""

    gate: GateName
    result: GateResult


class RecordedIndependence(Explicit, frozen=True, kw_only=True):
    """The three counts, the number that was needed, and the accounting that decided."""

    strict: int
    collapsed: int
    disjoint: int
    required: int
    accounting: Accounting


class VoteReceipt(Record, frozen=True, kw_only=True):
    """What one committed voter signed."""

    vote: Digest
    reasoning: Digest
    evidence_set: Digest
    signer: MemberId
    scheme: Literal["ssh", "sigstore"]


class ConsensusReceipt(Record, frozen=True, kw_only=True):
    """The set of evidence that all share, or the asymmetry that all acknowledged."""

    evidence_set: Digest | None = None
    reached_by: tuple[MemberId, ...] = ()
    asymmetry_acknowledged_by: tuple[MemberId, ...] = ()


class AffirmationReceipt(Record, frozen=True, kw_only=True):
    """One voter's affirmation."""

    affirmation: Digest
    signer: MemberId


class ConvergenceReceipt(Record, frozen=True, kw_only=True):
    """What all affirmed: every vote and the final text."""

    transcript: Digest | None = None
    text_digest: Digest | None = None
    affirmations: dict[MemberId, AffirmationReceipt] = {}


class Receipts(Explicit, frozen=True, kw_only=True):
    """The four receipts; empty where there is nothing, never absent."""

    per_agent_vote_receipt: dict[MemberId, VoteReceipt] = {}
    cross_agent_evidence_consensus_receipt: ConsensusReceipt = ConsensusReceipt()
    reasoning_convergence_signature: ConvergenceReceipt = ConvergenceReceipt()
    unanimity_commitment_receipt: dict[MemberId, Digest] = {}


class SourceFile(Record, frozen=True, kw_only=True):
    """The file that an imported decision was taken from."""

    path: RepoPath
    digest: Digest


class DecisionRecord(Record, frozen=True, kw_only=True):
    """A function of the decision's own files and the public keys, byte for byte.

    `rederivations` are the second looks that made it durable, by member: whoever looks again
    after the record stands changes nothing.
    """

    protocol: Literal[1]
    decision: DecisionId
    title: Line
    class_: Id = field(name="class")
    status: EndStatus
    basis: Basis
    verdict: Verdict | None = None
    directive: DirectiveWord
    decided_at: Time
    text_digest: Digest | None = None
    rounds: tuple[RecordedRound, ...] = ()
    amendments: tuple[RecordedAmendment, ...] = ()
    rejections: dict[Category, tuple[MemberId, ...]] = {}
    overruled: tuple[MemberId, ...] = ()
    never_voted: tuple[MemberId, ...] = ()
    gates: tuple[RecordedGate, ...] = ()
    independence: RecordedIndependence | None = None
    rederivations: dict[MemberId, Digest] = {}
    receipts: Receipts = Receipts()
    supersedes: DecisionId | None = None
    reopens: DecisionId | None = None
    continues: DecisionId | None = None
    source: SourceFile | None = None
    manifest_digest: Digest
