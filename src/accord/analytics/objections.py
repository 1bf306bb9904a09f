"""Objections, one category of one voter in one round, and what became of them (section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from accord.analytics.answers import find_categories, read_answers
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.rounds import check_resolution


class Objection(NamedTuple):
    """One category that one voter raised in one round.

    `later` are the completed rounds after it, `addressed` says whether the authority answered
    that it changed something, and a next round was opened upon that answer.
    """

    voter: str
    category: str
    round_: CountedRound
    later: tuple[CountedRound, ...]
    addressed: bool


def list_objections(judgement: Judgement) -> Iterator[Objection]:
    """Every objection of a decision, round by round."""
    completed = find_completed(judgement)
    for round_ in judgement.rounds:
        addressed = _find_addressed(judgement, round_)
        later = tuple(other for other in completed if other.number > round_.number)
        for voter in read_answers(round_):
            for category in find_categories(round_, voter):
                answered = (voter, category) in addressed
                yield Objection(voter, category, round_, later, answered)


def find_completed(judgement: Judgement) -> tuple[CountedRound, ...]:
    """The rounds that say something: with a vote in them, and not running any more."""
    return tuple(round_ for round_ in judgement.rounds if round_.votes and round_.outcome != "open")


def _find_addressed(judgement: Judgement, round_: CountedRound) -> set[tuple[str, str | None]]:
    """What an answer calls addressed. Only a next round shows that it was."""
    resolution = check_resolution(round_).resolution
    if resolution is None or round_ is judgement.rounds[-1]:
        return set()
    return {
        (answer.voter, answer.category)
        for answer in resolution.record.answers
        if answer.disposition == "addressed"
    }
