"""Who must do what next, with the command that does it (section 10)."""

from __future__ import annotations

from collections.abc import Callable

from accord.model.evaluation import Status, Waiting
from accord.model.snapshot import DecisionFiles
from accord.rules.checks import find_parts
from accord.rules.correlation import find_doubts
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement

ANY_AUTHORITY = "an authority"
OUTSIDER = "a member who took no part"
# What stands in a command where only its reader knows what belongs there.
CHECK_TO_FILL_IN = "NAME -- CMD"


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


def _authority(round_: CountedRound) -> str:
    return " or ".join(round_.ballot.record.officers_with("authority")) or ANY_AUTHORITY


def _deciders(round_: CountedRound) -> tuple[str, ...]:
    return round_.ballot.record.officers_with("decider")


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
    reading = _each(
        sorted(unaffirmed | lacking),
        "read what the others read, and affirm",
        f"accord affirm {decision}",
    )
    ruling = judgement.ways.ready == "ready" and _deciders(round_)
    return (*reading, _wait_word(decision, round_, judgement)) if ruling else reading


def _wait_next_round(decision: str, round_: CountedRound, _: Judgement) -> tuple[Waiting, ...]:
    return (
        Waiting(
            member=_authority(round_),
            action="answer the objections and open the next round",
            command=f"accord revise {decision}",
        ),
    )


def _wait_ruling(decision: str, round_: CountedRound, judgement: Judgement) -> tuple[Waiting, ...]:
    ways = [_wait_word(decision, round_, judgement)]
    if judgement.evaluation.verdict == "CORRELATED_QUORUM":
        failing = ", ".join(judgement.ways.failing)
        action = (
            f"run the check {failing} again, when what it found is mended"
            if failing
            else "run a deterministic check over what is shared"
        )
        ways.append(_wait_check(decision, round_, action))
    return tuple(ways)


def _wait_word(decision: str, round_: CountedRound, judgement: Judgement) -> Waiting:
    """What brings a ruling nearer; a withdrawal, where nobody can rule or nobody ever voted."""
    deciders = " or ".join(_deciders(round_))
    if not deciders or not any(one.votes for one in judgement.rounds):
        return Waiting(
            member=_authority(round_),
            action="withdraw it, since nobody can rule"
            if not deciders
            else "withdraw it, since nobody voted",
            command=f"accord withdraw {decision}",
        )
    if judgement.ways.synthesis is not None:
        return Waiting(member=deciders, action="rule", command=f"accord rule {decision}")
    return Waiting(
        member=_authority(round_),
        action=f"write a synthesis for {deciders}, who then rules, or withdraw",
        command=f"accord synthesize {decision}",
    )


def _wait_check(decision: str, round_: CountedRound, action: str) -> Waiting:
    """A run of a check that is declared, where there is one; else a decider runs one of its own."""
    declared = sorted(plan.name for plan in round_.proposal.record.checks)
    name = declared[0] if declared else CHECK_TO_FILL_IN
    return Waiting(
        member=_list_runners(round_, name),
        action=action,
        command=f"accord check run {decision} {name}",
    )


def _list_runners(round_: CountedRound, name: str) -> str:
    """Who of the ballot may run a check and have it count; others may where it is declared."""
    declared = {plan.name for plan in round_.proposal.record.checks}
    seats = (
        [*round_.roster, *sorted(round_.ballot.record.officers)]
        if name in declared
        else _deciders(round_)
    )
    return " or ".join(one for one in seats if not find_parts(round_, one)) or OUTSIDER


def _wait_durable(decision: str, round_: CountedRound, judgement: Judgement) -> tuple[Waiting, ...]:
    ways = [
        Waiting(
            member=_list_runners(round_, name),
            action=f"run the check {name} again, when what it found is mended",
            command=f"accord check run {decision} {name}",
        )
        for name in judgement.ways.failing
    ]
    if find_doubts(round_, judgement.findings):
        ways.append(
            Waiting(
                member=OUTSIDER,
                action="look again, from primary evidence alone",
                command=f"accord rederive {decision}",
            )
        )
    if _deciders(round_):
        ways.append(_wait_word(decision, round_, judgement))
    return tuple(ways)


_WAITING: dict[Status, Callable[[str, CountedRound, Judgement], tuple[Waiting, ...]]] = {
    "open": _wait_votes,
    "amending": _wait_amendment,
    "unconverged": _wait_affirmations,
    "conditional": _wait_evidence,
    "contested": _wait_next_round,
    "escalated": _wait_ruling,
    "provisional": _wait_durable,
}
