"""Whether all sealed before anybody opened (spec sections 4 and 9).

Only a step shows order: the commit that brings a file, and the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from accord.model.finding import Finding
from accord.model.ids import digest_map, moment
from accord.rules.counting import CountedRound
from accord.rules.step import DecisionStep


def check_order(step: DecisionStep) -> tuple[Finding, ...]:
    """Votes that were opened, or could be read, before they should have been."""
    return tuple(found for round_ in step.head.rounds for found in _check_openings(step, round_))


def _check_openings(step: DecisionStep, round_: CountedRound) -> Iterator[Finding]:
    opened = [vote for _, vote in sorted(round_.votes.items()) if step.is_new(vote.path)]
    if not opened:
        return
    if round_.ballot.record.rules.ballots == "open":
        yield from _check_seen(step, round_)
        return
    unsealed = sorted(set(round_.roster) - round_.seals.keys()) if round_.close is None else []
    fresh = any(step.is_new(seal.path) for seal in round_.seals.values())
    for vote in opened:
        if unsealed:
            yield Finding(
                code="revealed-before-sealed",
                path=vote.path,
                message=f"the vote was opened before {', '.join(unsealed)} had sealed",
                hint="Open votes when all seals are in: accord does it by itself.",
            )
        elif fresh and not is_order_affirmed(round_) and not is_order_logged(round_):
            yield Finding(
                code="seal-order-unproven",
                path=vote.path,
                message="seals and openings arrive in one step, so nothing shows their order",
                hint="Commit the seals before the openings, or let the affirmations prove it.",
            )


def find_logged_orders(step: DecisionStep) -> tuple[str, ...]:
    """The rounds whose order nothing shows but the times of a log, in sentences."""
    return tuple(
        f"{step.decision}, round {round_.number}: that all sealed before anybody opened is shown"
        " by the times of the log alone"
        for round_ in step.head.rounds
        if any(step.is_new(vote.path) for vote in round_.votes.values())
        if any(step.is_new(seal.path) for seal in round_.seals.values())
        if is_order_logged(round_) and not is_order_affirmed(round_)
    )


def is_order_logged(round_: CountedRound) -> bool:
    """Whether Sigstore's log has the last seal before the first opening.

    A vote is signed when it is opened. Within one second the log shows no order.
    """
    if round_.seals.keys() != set(round_.roster) or not round_.votes:
        return False
    seals = [seal.signed_at for seal in round_.seals.values()]
    votes = [vote.signed_at for vote in round_.votes.values()]
    known = [moment(time) for time in (*seals, *votes) if time is not None]
    if len(known) < len(seals) + len(votes):
        return False
    return max(known[: len(seals)]) < min(known[len(seals) :])


def is_order_affirmed(round_: CountedRound) -> bool:
    """Whether all voters name the same seals, those that stand there, as they affirm or retract."""
    seals = digest_map({voter: seal.digest for voter, seal in round_.seals.items()})
    seen = {**round_.affirmed, **round_.retracted}
    named = {file.record.seals for file in seen.values()}
    return named == {seals} and seen.keys() == set(round_.roster)


def _check_seen(step: DecisionStep, round_: CountedRound) -> Iterator[Finding]:
    there = {voter for voter, vote in round_.votes.items() if vote.path in step.before}
    for voter, vote in sorted(round_.votes.items()):
        if step.is_new(vote.path) and there - {voter}:
            yield Finding(
                code="saw-other-votes",
                path=vote.path,
                message=f"the votes of {', '.join(sorted(there - {voter}))} could be read before"
                " this one was cast",
                hint="Sealed ballots keep votes independent (ballots: sealed).",
            )
