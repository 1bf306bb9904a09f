"""The independence gate, and the warnings that success may rest on one source (section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from accord.model.evaluation import Gate, GateResult, IndependenceCount, Lack, Verdict
from accord.model.finding import Finding
from accord.model.policy import OVERLAP_OFF
from accord.rules.consensus import RoundEvidence, judge_agreement
from accord.rules.counting import CountedRound
from accord.rules.evidence import Use
from accord.rules.gates import grade, skip_gate
from accord.rules.independence import (
    count_independence,
    find_bare_claims,
    find_correlations,
    mean_overlap,
)
from accord.rules.tally import fault_tolerance


def _winners(round_: CountedRound, evidence: RoundEvidence) -> Mapping[str, frozenset[Use]]:
    return {voter: evidence.voted[voter] for voter in sorted(round_.assenting)}


def judge_independence(
    round_: CountedRound, evidence: RoundEvidence
) -> tuple[IndependenceCount | None, Gate]:
    """The counts over the winners' votes alone, and whether they reach 2f+1."""
    wanted = round_.ballot.record.rules.independence
    if wanted is None:
        return None, skip_gate("independence")
    unwarned = _UNWARNED if wanted.overlap_warning == OVERLAP_OFF else ""
    count = count_independence(evidence.manifest, _winners(round_, evidence), wanted)
    if count is None:
        return None, Gate(
            gate="independence",
            result="not_measured",
            verdict="NOT_MEASURED",
            detail=f"no artifact is load-bearing, so there is nothing to count over{unwarned}",
        )
    verdict: Verdict | None = "CORRELATED_QUORUM" if count.effective < count.required else None
    return count, Gate(
        gate="independence",
        result=_grade(round_, verdict),
        verdict=verdict,
        detail=f"{count.effective} effective independent votes ({count.accounting}) by the"
        f" evidence that voters declare, {count.required} are needed{_say_declared(count)}"
        f"{unwarned}",
        lacks=tuple(
            Lack(
                who=artifact.artifact,
                what=tuple(sorted(round_.assenting - set(artifact.strict))),
            )
            for artifact in count.artifacts
            if artifact.size(count.accounting) < count.required
        ),
    )


def _grade(round_: CountedRound, fault: Verdict | None) -> GateResult:
    """Affirming makes nobody more independent: only who agrees may still change."""
    if fault:
        return "pending" if judge_agreement(round_).result == "pending" else "failed"
    return grade(round_, fault)


def _say_declared(count: IndependenceCount) -> str:
    """Where the paths that count are of one artifact, only words of the voters keep them apart."""
    if count.accounting != "disjoint":
        return ""
    return "".join(
        f"; only the ways of use that they declare ({', '.join(found.vias)}) keep their paths to"
        f" {found.artifact} apart"
        for found in count.artifacts
        if found.vias
    )


def find_correlation_findings(round_: CountedRound, evidence: RoundEvidence) -> tuple[Finding, ...]:
    """Warnings about those who agree: claims they share, overlap, bare claims, one lineage."""
    winners = _winners(round_, evidence)
    if not winners:
        return ()
    return (
        *_warn(round_, "correlated-quorum-warning", _find_carrying(round_, evidence, winners)),
        *_warn(
            round_,
            "claim-without-primary",
            [
                f"{voter} agrees on the claim {', '.join(claims)} without what it is about"
                for voter, claims in find_bare_claims(winners, evidence.manifest).items()
            ],
        ),
        *_warn(round_, "single-lineage", _find_lineage(round_)),
    )


def find_doubts(round_: CountedRound, findings: Iterable[Finding]) -> tuple[str, ...]:
    """The warnings that hold up what was verified, in a class that counts independent votes."""
    if round_.ballot.record.rules.independence is None:
        return ()
    return tuple(one.message for one in findings if one.code == "correlated-quorum-warning")


_UNWARNED = "; the class does not warn of overlap (overlap_warning: off)"
_HINTS = {
    "correlated-quorum-warning": "Let a member who took no part look at the primary evidence.",
    "claim-without-primary": "Read the artifact itself before affirming.",
    "single-lineage": "Let voters of different providers, models and sessions vote.",
}


def _warn(round_: CountedRound, code: str, sentences: list[str]) -> list[Finding]:
    return [
        Finding(code=code, path=round_.ballot.path, message=sentence, hint=_HINTS[code])
        for sentence in sentences
    ]


def _find_carrying(
    round_: CountedRound, evidence: RoundEvidence, winners: Mapping[str, frozenset[Use]]
) -> list[str]:
    rules = round_.ballot.record.rules
    roster = len(round_.roster)
    quorum = 2 * fault_tolerance(rules, roster) + 1 if rules.rule == "bft_quorum" else None
    sentences = list(
        find_correlations(evidence.voted, winners, evidence.manifest, roster=roster, quorum=quorum)
    )
    limit = rules.independence.overlap_warning if rules.independence else None
    overlap = mean_overlap(winners)
    if (
        quorum is not None
        and limit is not None
        and limit != OVERLAP_OFF
        and overlap is not None
        and overlap >= Fraction(limit)
    ):
        sentences.append(
            f"what they used overlaps by {overlap} on average (the class warns from {limit})"
        )
    return sentences


def _find_lineage(round_: CountedRound) -> list[str]:
    """All who agree are agents of one provider and model, or of one session. Missing is not one."""
    voters = round_.ballot.record.voters
    agreeing = sorted(round_.assenting)
    if len(agreeing) < 2 or any(voters[voter].kind != "agent" for voter in agreeing):
        return []
    lineages = [round_.votes[voter].record.lineage for voter in agreeing]
    models = {(one.provider, one.model) if one else (None, None) for one in lineages}
    sessions = {one.session if one else None for one in lineages}
    sentences = []
    if len(models) == 1 and None not in next(iter(models)):
        provider, model = next(iter(models))
        sentences.append(f"all who agree are {model} of {provider}")
    if len(sessions) == 1 and None not in sessions:
        sentences.append("all who agree ran in one session")
    return sentences
