"""What a robustness gate says, and when it may still change its mind (section 5)."""

from __future__ import annotations

import msgspec

from accord.model.evaluation import Gate, GateName, GateResult, Verdict
from accord.rules.counting import CountedRound


def skip_gate(gate: GateName) -> Gate:
    """A gate that the class does not ask for: never passed."""
    return Gate(gate=gate, result="not_required", detail="the class does not ask for it")


def grade(round_: CountedRound, fault: Verdict | None) -> GateResult:
    """The result of a gate that is measured: `fault` is what it fails as now, None if it does not.

    While votes are missing nothing is passed; while affirmations can come nothing has failed.
    """
    if round_.outcome == "open" or (fault and round_.awaits_affirmations):
        return "pending"
    return "failed" if fault else "passed"


def end_gates(gates: tuple[Gate, ...]) -> tuple[Gate, ...]:
    """The gates of a decision that has ended: nothing is awaited any more."""
    return tuple(
        msgspec.structs.replace(gate, result="failed") if gate.result == "pending" else gate
        for gate in gates
    )
