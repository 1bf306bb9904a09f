"""How robust the agreement of a round is: evidence, checks, gates and verdict (sections 5 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.model.evaluation import Gate, IndependenceCount, Verdict
from accord.model.finding import Finding
from accord.model.snapshot import DecisionFiles, Predecessor, Settled
from accord.rules.checks import CountedChecks, count_checks
from accord.rules.consensus import (
    RoundEvidence,
    all_acknowledged,
    judge_agreement,
    judge_consensus,
    read_evidence,
)
from accord.rules.convergence import judge_convergence
from accord.rules.correlation import find_correlation_findings, find_doubts, judge_independence
from accord.rules.counting import CountedRound
from accord.rules.predecessors import find_bar, find_inherited
from accord.rules.rederivations import CountedRederivations, count_rederivations
from accord.rules.rounds import find_dissenters, has_round_left
from accord.rules.status import Situation, Standing, stand_by_checks, stand_by_votes

# What unanimity is verified by. Without one of them all said yes, and nobody knows on what.
_OF_UNANIMITY = frozenset({"evidence_consensus", "reasoning_convergence"})


@dataclass(frozen=True, slots=True)
class Robustness:
    """All that says how robust the agreement of the latest of some rounds is.

    `voted` is where the table stands before checks and re-derivations, `standing` after them;
    `barred` says why votes alone cannot accept, "" when they can.
    """

    evidence: RoundEvidence
    checks: CountedChecks
    rederivations: CountedRederivations
    gates: tuple[Gate, ...]
    independence: IndependenceCount | None
    verdict: Verdict | None
    correlations: tuple[Finding, ...]
    voted: Standing
    standing: Standing
    barred: str


def read_robustness(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    predecessors: Mapping[str, Predecessor],
    settled: Settled,
) -> Robustness:
    """Read the latest of `rounds`: evidence, checks, gates, and where the table stands."""
    latest = rounds[-1]
    evidence = read_evidence(latest)
    checks = count_checks(decision, rounds, evidence.manifest)
    rederivations = count_rederivations(decision, rounds, evidence.manifest, settled)
    independence, independence_gate = judge_independence(latest, evidence)
    gates = (
        judge_agreement(latest),
        judge_consensus(latest, evidence),
        judge_convergence(latest, checks),
        independence_gate,
    )
    verdict = _find_verdict(latest, gates)
    correlations = find_correlation_findings(latest, evidence)
    situation = Situation(
        round_=latest,
        verdict=verdict,
        warnings=find_doubts(latest, correlations),
        acknowledged=all_acknowledged(latest),
        left="contested" if has_round_left(rounds) else "escalated",
        barred=_find_bar(rounds, predecessors),
    )
    return Robustness(
        evidence=evidence,
        checks=checks,
        rederivations=rederivations,
        gates=gates,
        independence=independence,
        verdict=verdict,
        correlations=correlations if latest.outcome != "open" else (),
        voted=stand_by_votes(situation),
        standing=stand_by_checks(situation, checks, rederivations),
        barred=situation.barred,
    )


def _find_verdict(round_: CountedRound, gates: tuple[Gate, ...]) -> Verdict | None:
    if round_.outcome == "open":
        return None
    failed = next((gate.verdict for gate in gates if not gate.met), None)
    if failed is not None:
        return failed
    if round_.ballot.record.rules.rule == "bft_quorum":
        return "QUORUM_VERIFIED"
    shown = all(gate.result in ("passed", "waived") for gate in gates if gate.gate in _OF_UNANIMITY)
    return "UNANIMITY_VERIFIED" if shown else "UNANIMITY_UNVERIFIED"


def _find_bar(rounds: tuple[CountedRound, ...], predecessors: Mapping[str, Predecessor]) -> str:
    """Why votes alone cannot accept: every dissenter is gone, or a ruling would be undone.

    The ballot says for ever who was left out when it entered; older decisions go on.
    """
    dissenters = find_dissenters(rounds[:-1]) | find_inherited(rounds[-1], predecessors)
    if rounds[-1].ballot.record.left_out and dissenters.isdisjoint(rounds[-1].roster):
        return "none of those who dissented before is on the roster any more"
    return find_bar(rounds[-1], predecessors)
