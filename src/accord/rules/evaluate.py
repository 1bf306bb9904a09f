"""From the files of one decision to its evaluation: the composition of all rules.

The order is that of the protocol: which rounds count (sections 3 and 7), what the latest one
says (section 4), how robust that is (sections 5 and 6), where the decision stands (section 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from accord.model.ballot import Previous
from accord.model.escalation import Check, Rederivation, Synthesis
from accord.model.evaluation import (
    ENDED,
    Evaluation,
    RoundResult,
    VoterResult,
    digest_evaluation,
)
from accord.model.finding import Finding, find_errors
from accord.model.paths import evidence_directory, path_of
from accord.model.record import DecisionRecord
from accord.model.snapshot import (
    NOTHING_SETTLED,
    Authenticated,
    DecisionFiles,
    Predecessor,
    Settled,
    Stored,
)
from accord.rules.consensus import all_acknowledged
from accord.rules.counting import CountedRound, count_round
from accord.rules.directive import Account, direct, direct_draft
from accord.rules.gates import end_gates
from accord.rules.imports import find_import_faults, read_import
from accord.rules.predecessors import check_predecessors
from accord.rules.robustness import Robustness, read_robustness
from accord.rules.roster import TOLERATED, check_ballot
from accord.rules.rounds import as_found, check_next_round, check_resolution
from accord.rules.rulings import CountedRuling, Ready, count_ruling, find_overruled_doubt, may_rule
from accord.rules.status import Standing
from accord.rules.tally import STANCES
from accord.rules.withdrawals import count_withdrawal


@dataclass(frozen=True, slots=True)
class WaysOut:
    """What can still be done beside voting, and what was (section 7).

    `ready` says whether voting leaves room for a ruling, on `synthesis` if there is one that
    counts; `checks` are the last counted runs, one for each name, those in `failing` did not
    pass.
    """

    ready: Ready = "too early"
    synthesis: Authenticated[Synthesis] | None = None
    checks: tuple[Authenticated[Check], ...] = ()
    failing: tuple[str, ...] = ()


NO_WAYS = WaysOut()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of one decision.

    `rounds` are those that count; `counted` are the paths of the files that do, which nobody
    may change or delete any more; `ways` is what is left when voting is not enough; `looks` are
    the second looks that count; `redacted` are the paths of
    evidence whose bytes a decider took out.
    """

    evaluation: Evaluation
    findings: tuple[Finding, ...]
    rounds: tuple[CountedRound, ...]
    counted: frozenset[str]
    ways: WaysOut = NO_WAYS
    looks: tuple[Authenticated[Rederivation], ...] = ()
    redacted: frozenset[str] = frozenset()


NO_PREDECESSORS: Mapping[str, Predecessor] = {}


def evaluate(
    decision: DecisionFiles,
    predecessors: Mapping[str, Predecessor] = NO_PREDECESSORS,
    settled: Settled = NOTHING_SETTLED,
) -> Judgement:
    """Judge one decision by its own files.

    `predecessors` are the older decisions that it names, and, when its ballot enters, those
    that may have refused the same text. `settled` is what stood there before.
    """
    rounds, findings = _count_rounds(decision, predecessors, settled)
    withdrawal, withdrawal_findings = count_withdrawal(decision, rounds)
    if not rounds:
        standing = Standing("withdrawn", "withdrawal") if withdrawal else Standing("draft")
        imported = _find_import(decision)
        if imported is not None:
            standing = Standing("imported", "imported")
        return Judgement(
            evaluation=_evaluate_draft(decision, standing),
            findings=(*findings, *withdrawal_findings),
            rounds=(),
            counted=frozenset(file.path for file in (withdrawal, imported) if file is not None),
        )
    reading = read_robustness(decision, rounds, predecessors, settled)
    latest = rounds[-1]
    ready, ruling, standing = _stand(decision, rounds, reading)
    if withdrawal is not None:
        standing = Standing("withdrawn", "withdrawal")
    resolution = check_resolution(latest)
    settling = [withdrawal, ruling.ruling, ruling.synthesis, resolution.resolution]
    looks = (*reading.rederivations.confirming, *reading.rederivations.contradicting)
    return Judgement(
        evaluation=_evaluate_rounds(decision, rounds, reading, standing),
        findings=(
            *findings,
            *reading.correlations,
            *resolution.findings,
            *reading.checks.findings,
            *reading.rederivations.findings,
            *ruling.findings,
            *withdrawal_findings,
        ),
        rounds=rounds,
        counted=frozenset().union(
            *(round_.counted for round_ in rounds),
            {file.path for file in settling if file is not None},
            {file.path for file in (*reading.checks.last, *looks)},
            {r.files.resolution.path for r in rounds[:-1] if r.files.resolution},
            _frozen_evidence(decision, rounds),
        ),
        ways=WaysOut(ready, ruling.synthesis, reading.checks.last, reading.checks.failing),
        looks=looks,
    )


def evaluate_counted(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    predecessors: Mapping[str, Predecessor] = NO_PREDECESSORS,
    settled: Settled = NOTHING_SETTLED,
) -> Evaluation:
    """What votes and checks give, from rounds that are counted already; no ruling, no withdrawal.

    For asking what would have been: the rounds need not be those of the files.
    """
    reading = read_robustness(decision, rounds, predecessors, settled)
    return _evaluate_rounds(decision, rounds, reading, reading.standing)


def _stand(
    decision: DecisionFiles, rounds: tuple[CountedRound, ...], reading: Robustness
) -> tuple[Ready, CountedRuling, Standing]:
    """The ruling on the latest of some rounds, and where they stand with it."""
    acknowledged = all_acknowledged(rounds[-1])
    ready = may_rule(reading.voted.status, reading.checks, acknowledged=acknowledged)
    ruling = count_ruling(decision, rounds, ready)
    if ruling.ruling is None:
        return ready, ruling, reading.standing
    accepted = ruling.ruling.record.ruling == "accept"
    return ready, ruling, Standing("accepted" if accepted else "rejected", "ruling")


def _find_import(decision: DecisionFiles) -> Stored[DecisionRecord | None] | None:
    """The record of an older page, if the directory holds that and nothing else (section 8)."""
    record = read_import(decision)
    if record is None or find_import_faults(decision, record):
        return None
    return decision.record


def _frozen_evidence(decision: DecisionFiles, rounds: tuple[CountedRound, ...]) -> set[str]:
    own = evidence_directory(decision.id)
    return {
        entry.artifact
        for round_ in rounds
        for entry in round_.proposal.record.evidence
        if entry.artifact is not None and entry.artifact.startswith(own)
    }


def _count_rounds(
    decision: DecisionFiles, predecessors: Mapping[str, Predecessor], settled: Settled
) -> tuple[tuple[CountedRound, ...], tuple[Finding, ...]]:
    """The rounds that count: from the first on, each with a ballot that its rules allow.

    A round is judged as the ballot after it found it, if that ballot counts: one that does not
    says nothing about what came before it.
    """
    findings: list[Finding] = []
    rounds: tuple[CountedRound, ...] = ()
    opened = [(files, files.ballot) for files in decision.rounds if files.ballot is not None]
    for files, ballot in sorted(opened, key=lambda pair: pair[0].number):
        if files.number != len(rounds) + 1:
            findings.append(_gap(decision, files.number))
            break
        if files.proposal is None:
            findings.append(_unproposed(decision, files.number))
            break
        faults = check_ballot(ballot, files.proposal)
        findings += faults
        if any(fault.code not in TOLERATED for fault in find_errors(faults)):
            break
        earlier, late = _find_earlier(rounds, ballot.record.previous)
        round_ = count_round(files, ballot, files.proposal)
        faults = _check_entry(decision, earlier, round_, predecessors, settled)
        findings += faults
        if find_errors(faults):
            break
        findings += late
        rounds = (*earlier, round_)
    findings += [finding for round_ in rounds for finding in round_.findings]
    return rounds, tuple(findings)


def _find_earlier(
    rounds: tuple[CountedRound, ...], previous: Previous | None
) -> tuple[tuple[CountedRound, ...], tuple[Finding, ...]]:
    """The rounds before a ballot, the last of them as that ballot says it found it."""
    if not rounds:
        return (), ()
    last = rounds[-1]
    found, late = as_found(last, previous)
    recounted = count_round(found, last.ballot, last.proposal)
    silenced = last.dissenters - recounted.dissenters
    return (*rounds[:-1], replace(recounted, silenced=silenced)), late


def _check_entry(
    decision: DecisionFiles,
    earlier: tuple[CountedRound, ...],
    round_: CountedRound,
    predecessors: Mapping[str, Predecessor],
    settled: Settled,
) -> tuple[Finding, ...]:
    enters = round_.ballot.path not in settled.ballots
    faults = check_predecessors(round_, predecessors) if enters else ()
    if enters and count_withdrawal(decision, earlier)[0] is not None:
        faults = (_withdrawn(round_), *faults)
    if not earlier:
        return faults
    reading = read_robustness(decision, earlier, predecessors, settled)
    # What was ruled on stays so: the ballot would make the ruling one on an older round.
    standing = _stand(decision, earlier, reading)[2] if enters else reading.standing
    return (*check_next_round(earlier, standing.status, round_), *faults)


def _withdrawn(round_: CountedRound) -> Finding:
    return Finding(
        code="round-not-allowed",
        path=round_.ballot.path,
        field="round",
        message="the proposal was withdrawn, and this round was opened on top of it",
        hint="Remove this round; a new decision can take the text up (continues:).",
    )


def _gap(decision: DecisionFiles, number: int) -> Finding:
    return Finding(
        code="round-gap",
        path=path_of("round", decision.id, round_number=number),
        message=f"round {number} has a ballot, and a round before it has none that counts",
        hint="Rounds follow one another; mend or restore the round before.",
    )


def _unproposed(decision: DecisionFiles, number: int) -> Finding:
    return Finding(
        code="proposal-changed",
        path=path_of("proposal", decision.id, round_number=number),
        message="the ballot stands there, and no proposal with a good signature of its proposer",
        hint="Restore proposal.yaml and its signature as they were when the round was opened.",
    )


def _evaluate_rounds(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    reading: Robustness,
    standing: Standing,
) -> Evaluation:
    latest = rounds[-1]
    proposal = latest.proposal.record
    warnings = tuple(finding.message for finding in reading.correlations)
    gates = end_gates(reading.gates) if standing.status in ENDED else reading.gates
    account = Account(
        round_=latest,
        verdict=reading.verdict,
        gates=gates,
        independence=reading.independence,
        evidence=reading.evidence,
        checks=reading.checks,
        rederivations=reading.rederivations,
        warnings=warnings,
        barred=reading.barred,
        basis=standing.basis,
        ruled_over=find_overruled_doubt(standing, reading.verdict, reading.voted),
    )
    return with_manifest(
        Evaluation(
            decision=decision.id,
            title=proposal.title,
            class_=proposal.class_,
            rule=latest.ballot.record.rules.rule,
            round=latest.number,
            status=standing.status,
            outcome=latest.outcome,
            verdict=reading.verdict,
            basis=standing.basis,
            ruled_over=account.ruled_over,
            directive=direct(standing.status, account),
            gates=gates,
            independence=reading.independence,
            warnings=warnings,
            rounds=tuple(_round_result(round_) for round_ in rounds),
            ballot=latest.ballot.digest,
            transcript=latest.transcript,
            text_digest=latest.text_digest,
        )
    )


def _evaluate_draft(decision: DecisionFiles, standing: Standing) -> Evaluation:
    draft = decision.rounds[0].draft if decision.rounds else None
    record = decision.record.record if decision.record else None
    named = draft.record if draft else record if standing.status == "imported" else None
    return with_manifest(
        Evaluation(
            decision=decision.id,
            title=named.title if named else "(no proposal)",
            class_=named.class_ if named else "",
            rule=None,
            round=0,
            status=standing.status,
            outcome=None,
            verdict=None,
            basis=standing.basis,
            directive=direct_draft(standing.status),
            gates=(),
            independence=None,
            warnings=(),
            rounds=(),
            ballot=None,
            transcript=None,
            text_digest=draft.digest if draft else None,
        )
    )


def _round_result(round_: CountedRound) -> RoundResult:
    return RoundResult(
        number=round_.number,
        ballot=round_.ballot.digest,
        outcome=round_.outcome,
        closed=round_.close is not None,
        voters=tuple(_voter_result(round_, voter) for voter in round_.roster),
    )


def _voter_result(round_: CountedRound, voter: str) -> VoterResult:
    vote = round_.votes.get(voter)
    retraction = round_.retracted.get(voter)
    affirmation = retraction or round_.affirmed.get(voter)
    resolved = round_.objects(voter) and voter in round_.assenting
    objection = retraction or (vote if round_.objects(voter) else None)
    return VoterResult(
        voter=voter,
        stance="disagree_resolved" if resolved else STANCES[round_.cast[voter]],
        severity=objection.record.severity if objection else None,
        categories=objection.record.categories if objection else (),
        vote=vote.digest if vote else None,
        affirmation=affirmation.digest if affirmation else None,
    )


def with_manifest(evaluation: Evaluation) -> Evaluation:
    """The evaluation with its own digest filled in."""
    return msgspec.structs.replace(evaluation, manifest_digest=digest_evaluation(evaluation))
