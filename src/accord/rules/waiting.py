"""Who must do what next, with the command that does it (section 10)."""

from __future__ import annotations

from collections.abc import Callable

from accord.model.evaluation import Status, Waiting
from accord.model.snapshot import DecisionFiles
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement

ANY_AUTHORITY = "an authority"


def find_waiting(decision: DecisionFiles, judgement: Judgement) -> tuple[Waiting, ...]:
    """Everybody that the decision waits for; empty when it has ended and has its record."""
    evaluation = judgement.evaluation
    if evaluation.ended:
        if decision.record is not None:
            return ()
        return (
            Waiting(
                member="anybody",
                action="write the record",
                command=f"accord record {decision.id} --write",
            ),
        )
    if not judgement.rounds:
        return (
            Waiting(
                member=ANY_AUTHORITY,
                action="open the first round",
                command=f"accord open {decision.id}",
            ),
        )
    return _WAITING[evaluation.status](decision.id, judgement.rounds[-1], judgement)


def _officers(round_: CountedRound, role: str, nobody: str) -> str:
    officers = round_.ballot.record.officers
    return " or ".join(sorted(w for w, seat in officers.items() if role in seat.roles)) or nobody


def _authority(round_: CountedRound) -> str:
    return _officers(round_, "authority", ANY_AUTHORITY)


def _each(members: list[str], action: str, command: str) -> tuple[Waiting, ...]:
    return tuple(
        Waiting(member=member, action=action, command=f"{command} --as {member}")
        for member in members
    )


def _wait_votes(decision: str, round_: CountedRound, _: Judgement) -> tuple[Waiting, ...]:
    pending = [voter for voter in round_.roster if round_.cast[voter] == "pending"]
    if round_.ballot.record.rules.ballots == "open":
        return _each(pending, "vote", f"accord vote {decision}")
    unsealed = [voter for voter in pending if voter not in round_.seals]
    if unsealed:
        return _each(unsealed, "vote", f"accord vote {decision}")
    return _each(pending, "open the sealed vote", f"accord reveal {decision}")


def _wait_amendment(decision: str, round_: CountedRound, _: Judgement) -> tuple[Waiting, ...]:
    if round_.amendment is None:
        return (
            Waiting(
                member=_authority(round_),
                action="take in the minor objections",
                command=f"accord amend {decision}",
            ),
        )
    return _wait_affirmations(decision, round_, _)


def _wait_affirmations(decision: str, round_: CountedRound, _: Judgement) -> tuple[Waiting, ...]:
    silent = [voter for voter in round_.roster if voter not in round_.affirmed]
    return _each(silent, "read all votes and affirm, or retract", f"accord affirm {decision}")


def _wait_evidence(
    decision: str, round_: CountedRound, judgement: Judgement
) -> tuple[Waiting, ...]:
    unaffirmed = set(round_.roster) - round_.affirmed.keys()
    lacking = {
        lack.who
        for gate in judgement.evaluation.gates
        if gate.gate == "evidence_consensus"
        for lack in gate.lacks
    }
    return _each(
        sorted(unaffirmed | lacking),
        "read what the others read, and affirm",
        f"accord affirm {decision}",
    )


def _wait_next_round(decision: str, round_: CountedRound, _: Judgement) -> tuple[Waiting, ...]:
    return (
        Waiting(
            member=_authority(round_),
            action="answer the objections and open the next round",
            command=f"accord revise {decision}",
        ),
    )


def _wait_ruling(decision: str, round_: CountedRound, judgement: Judgement) -> tuple[Waiting, ...]:
    ways = [
        Waiting(
            member=_authority(round_),
            action="write a synthesis for the decider, or withdraw",
            command=f"accord withdraw {decision}",
        )
    ]
    if judgement.evaluation.verdict == "CORRELATED_QUORUM":
        ways.append(
            Waiting(
                member="a member who did not agree",
                action="run a deterministic check over the load-bearing artifacts",
                command=f"accord show {decision}",
            )
        )
    return tuple(ways)


def _wait_durable(decision: str, round_: CountedRound, judgement: Judgement) -> tuple[Waiting, ...]:
    decider = _officers(round_, "decider", "a decider")
    warned = any(found.code == "correlated-quorum-warning" for found in judgement.findings)
    who, action = (
        ("a member who took no part", "look again from primary evidence alone, or rule")
        if warned
        else ("a member who did not agree", "run the failing check again, or rule")
    )
    return (
        Waiting(member=f"{who}, or {decider}", action=action, command=f"accord show {decision}"),
    )


_WAITING: dict[Status, Callable[[str, CountedRound, Judgement], tuple[Waiting, ...]]] = {
    "open": _wait_votes,
    "amending": _wait_amendment,
    "unconverged": _wait_affirmations,
    "conditional": _wait_evidence,
    "contested": _wait_next_round,
    "escalated": _wait_ruling,
    "provisional": _wait_durable,
}
