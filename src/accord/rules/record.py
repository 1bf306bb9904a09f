"""The DecisionRecord that follows from the files of a decision, byte for byte (section 8)."""

from __future__ import annotations

from typing import cast

from accord.model.ballot import PROTOCOL
from accord.model.escalation import Rederivation
from accord.model.evaluation import ENDED, RoundResult
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, digest_json, latest, moment
from accord.model.paths import path_of
from accord.model.policy import EndStatus
from accord.model.record import (
    AffirmationReceipt,
    ConsensusReceipt,
    ConvergenceReceipt,
    DecisionRecord,
    Receipts,
    RecordedAmendment,
    RecordedGate,
    RecordedIndependence,
    RecordedRound,
    RecordedVote,
    VoteReceipt,
)
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.consensus import (
    find_asymmetry_acknowledged,
    find_common,
    judge_consensus,
    read_evidence,
)
from accord.rules.correlation import find_doubts
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.imports import find_import_faults, read_import


def build_record(decision: DecisionFiles, judgement: Judgement) -> DecisionRecord:
    """The record of a decision that has ended.

    Raises `ValueError` when it has not: there is nothing to record.
    """
    evaluation = judgement.evaluation
    if evaluation.status not in ENDED or evaluation.basis is None:
        raise ValueError(f"{decision.id} has not ended: {evaluation.status}")
    rounds = judgement.rounds
    draft = decision.rounds[0].draft if decision.rounds else None
    proposal = rounds[-1].proposal.record if rounds else draft.record if draft else None
    return DecisionRecord(
        protocol=PROTOCOL,
        decision=decision.id,
        title=evaluation.title,
        class_=evaluation.class_,
        status=cast("EndStatus", evaluation.status),
        basis=evaluation.basis,
        verdict=evaluation.verdict,
        directive=evaluation.directive.word,
        decided_at=_decided_at(decision, judgement),
        text_digest=evaluation.text_digest,
        rounds=tuple(_record_round(result) for result in evaluation.rounds),
        amendments=_record_amendments(rounds),
        rejections=_record_rejections(evaluation.rounds),
        overruled=_find_overruled(judgement),
        never_voted=_find_never_voted(rounds),
        gates=tuple(RecordedGate(gate=gate.gate, result=gate.result) for gate in evaluation.gates),
        independence=RecordedIndependence(
            strict=evaluation.independence.strict,
            collapsed=evaluation.independence.collapsed,
            disjoint=evaluation.independence.disjoint,
            required=evaluation.independence.required,
            accounting=evaluation.independence.accounting,
        )
        if evaluation.independence is not None
        else None,
        rederivations={file.record.by: file.digest for file in _find_durable(decision, judgement)},
        receipts=_build_receipts(rounds[-1]) if rounds else Receipts(),
        supersedes=proposal.supersedes if proposal else None,
        reopens=proposal.reopens if proposal else None,
        continues=proposal.continues if proposal else None,
        manifest_digest=evaluation.manifest_digest,
    )


def _decided_at(decision: DecisionFiles, judgement: Judgement) -> str:
    """The latest time that any file which counts claims."""
    times = []
    for round_ in judgement.rounds:
        times.append(round_.ballot.record.opened_at)
        times += [vote.record.cast_at for vote in round_.votes.values()]
        times += [seal.record.at for seal in round_.seals.values()]
        times += [
            file.record.affirmed_at
            for file in (*round_.affirmed.values(), *round_.retracted.values())
        ]
        times += [file.record.at for file in (round_.close, round_.amendment) if file]
    settling = (*decision.checks, decision.ruling, decision.withdrawal)
    times += [
        file.record.at for file in settling if file is not None and file.path in judgement.counted
    ]
    durable = [file.record.at for file in _find_durable(decision, judgement)]
    return latest([*times, *([min(durable, key=moment)] if durable else [])])


def _find_durable(
    decision: DecisionFiles, judgement: Judgement
) -> list[Authenticated[Rederivation]]:
    """The second looks that made durable what was provisional."""
    latest = judgement.rounds[-1:]
    provisional = any(find_doubts(round_, judgement.findings) for round_ in latest)
    if not provisional or judgement.evaluation.basis not in ("vote", "amendments"):
        return []
    looks = [file for file in decision.rederivations if file.path in judgement.counted]
    return sorted(looks, key=lambda file: file.path)


def _record_round(result: RoundResult) -> RecordedRound:
    return RecordedRound(
        number=result.number,
        ballot=result.ballot,
        outcome=result.outcome,
        votes={
            voter.voter: RecordedVote(
                stance=voter.stance,
                severity=voter.severity,
                categories=voter.categories,
                digest=voter.vote,
            )
            for voter in result.voters
        },
    )


def _record_amendments(rounds: tuple[CountedRound, ...]) -> tuple[RecordedAmendment, ...]:
    amendment = rounds[-1].amendment if rounds else None
    if amendment is None:
        return ()
    return tuple(
        RecordedAmendment(voter=entry.voter, vote=entry.vote, amendment=amendment.digest)
        for entry in amendment.record.amendments
    )


def _record_rejections(rounds: tuple[RoundResult, ...]) -> dict[str, tuple[str, ...]]:
    rejections: dict[str, set[str]] = {}
    for round_ in rounds:
        for voter in round_.voters:
            for category in voter.categories:
                rejections.setdefault(category, set()).add(voter.voter)
    return {category: tuple(sorted(who)) for category, who in sorted(rejections.items())}


def _find_overruled(judgement: Judgement) -> tuple[str, ...]:
    """Whose last answer the ruling goes against."""
    if judgement.evaluation.basis != "ruling":
        return ()
    last = judgement.rounds[-1]
    rejected = judgement.evaluation.status == "rejected"
    return tuple(sorted(last.assenting if rejected else last.against - last.assenting))


def _find_never_voted(rounds: tuple[CountedRound, ...]) -> tuple[str, ...]:
    roster = {voter for round_ in rounds for voter in round_.roster}
    voted = {voter for round_ in rounds for voter in round_.votes}
    return tuple(sorted(roster - voted))


def _build_receipts(round_: CountedRound) -> Receipts:
    evidence = read_evidence(round_)
    consensus = judge_consensus(round_, evidence)
    everything = sorted(find_common(evidence))
    return Receipts(
        per_agent_vote_receipt={
            voter: VoteReceipt(
                vote=vote.digest,
                reasoning=_digest_reasoning(round_, voter),
                evidence_set=digest_json(sorted(use.artifact for use in evidence.voted[voter])),
                signer=vote.signer,
                scheme=vote.scheme,
            )
            for voter, vote in sorted(round_.votes.items())
        },
        cross_agent_evidence_consensus_receipt=ConsensusReceipt(
            evidence_set=digest_json(everything) if consensus.result == "passed" else None,
            reached_by=round_.roster if consensus.result == "passed" else (),
            asymmetry_acknowledged_by=find_asymmetry_acknowledged(round_)
            if consensus.verdict is not None
            else (),
        ),
        reasoning_convergence_signature=ConvergenceReceipt(
            transcript=round_.transcript if round_.affirmed else None,
            text_digest=round_.text_digest if round_.affirmed else None,
            affirmations={
                voter: AffirmationReceipt(affirmation=file.digest, signer=file.signer)
                for voter, file in sorted(round_.affirmed.items())
            },
        ),
        unanimity_commitment_receipt=_find_committed(round_),
    )


def _find_committed(round_: CountedRound) -> dict[str, str]:
    """Who is committed, and by which file: the affirmation, else the vote that carried it."""
    if round_.affirmed:
        return {
            voter: file.digest
            for voter, file in sorted(round_.affirmed.items())
            if file.record.commitment is not None
        }
    if round_.outcome not in ("unanimous", "quorum"):
        return {}
    return {voter: round_.votes[voter].digest for voter in sorted(round_.assenting)}


def _digest_reasoning(round_: CountedRound, voter: str) -> str:
    """The digest of the full trace; what was left out means the rationale (section 3.5)."""
    vote = round_.votes[voter].record
    if vote.reasoning is not None and vote.reasoning.digest is not None:
        return vote.reasoning.digest
    text = vote.reasoning.text if vote.reasoning else None
    return digest_bytes((text or vote.rationale or "").encode())


def _claim(record: DecisionRecord | None) -> str:
    return f"the record says {record.status}" if record else "a record stands there"


def _check_import(decision: DecisionFiles, record: DecisionRecord) -> tuple[Finding, ...]:
    faults = find_import_faults(decision, record)
    if not faults:
        return ()
    return (
        Finding(
            code="record-differs",
            path=path_of("record", decision.id),
            message=f"this is not the record of an import: {'; '.join(faults)}",
            hint="An import names its source, by path and digest, and holds nothing that only"
            " voting brings.",
        ),
    )


def check_record(
    decision: DecisionFiles, judgement: Judgement, expected: str | None
) -> tuple[Finding, ...]:
    """Whether record.yaml stands there exactly when the decision has ended, and is as computed.

    `expected` is the digest of the file that the decision gives, None while it has not ended.
    """
    record = decision.record
    path = path_of("record", decision.id)
    status = judgement.evaluation.status
    imported = read_import(decision)
    if imported is not None:
        return _check_import(decision, imported)
    if record is None and expected is not None:
        return (
            Finding(
                code="record-missing",
                path=path,
                message=f"the decision has ended ({status}) and has no record",
                hint=f"Write it: accord record {decision.id} --write",
            ),
        )
    if record is not None and expected is None:
        return (
            Finding(
                code="record-early",
                path=path,
                message=f"{_claim(record.record)}, and the decision stands at"
                f" {status}: {judgement.evaluation.directive.sentence}",
                hint="Remove it; accord writes the record when the decision has ended.",
            ),
        )
    if record is not None and record.digest != expected:
        return (
            Finding(
                code="record-differs",
                path=path,
                message="the record is not the one that the signed files give",
                hint=f"Status is computed, never asserted: accord record {decision.id} --write",
            ),
        )
    return ()
