"""Reasoning convergence: seeing all reasons, everybody stands by the same text (section 5)."""

from __future__ import annotations

from accord.model.evaluation import Gate, Lack
from accord.rules.checks import CountedChecks
from accord.rules.counting import CountedRound
from accord.rules.gates import grade, skip_gate
from accord.rules.roster import find_waiver_fault


def judge_convergence(round_: CountedRound, checks: CountedChecks) -> Gate:
    """Every voter's counted affirmation affirms this transcript and text, or it is waived."""
    if not round_.ballot.record.rules.require.reasoning_convergence:
        return skip_gate("reasoning_convergence")
    missing = tuple(voter for voter in round_.roster if voter not in round_.affirmed)
    affirmed = len(round_.roster) - len(missing)
    detail = f"{affirmed} of {len(round_.roster)} voters affirm after reading all votes"
    if round_.roster and not missing:
        return Gate(gate="reasoning_convergence", result=grade(round_, None), detail=detail)
    waived = _find_waiver(round_, checks)
    if waived:
        return Gate(gate="reasoning_convergence", result="waived", detail=waived)
    return Gate(
        gate="reasoning_convergence",
        result=grade(round_, "COINCIDENTAL_UNANIMITY"),
        verdict="COINCIDENTAL_UNANIMITY",
        detail=detail,
        lacks=tuple(
            Lack(
                who=voter,
                what=("took the vote back" if voter in round_.retracted else "not affirmed",),
            )
            for voter in missing
        ),
    )


def _find_waiver(round_: CountedRound, checks: CountedChecks) -> str:
    """Why convergence is waived, "" when it is not."""
    waiver = round_.ballot.record.waiver
    if waiver is None or find_waiver_fault(round_.ballot.record, round_.proposal.record):
        return ""
    if waiver.kind == "trivially_reversible":
        return "the class allows it for what is trivially reversible"
    if waiver.check is not None and waiver.check in checks.resolving:
        return f"the check {waiver.check} decides it, whatever the reasons were"
    return ""
