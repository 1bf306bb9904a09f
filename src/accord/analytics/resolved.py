"""Which objections a next round resolves, by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from accord.analytics.answers import find_categories, read_answers
from accord.analytics.objections import Objection, list_objections
from accord.model.statistics import Resolved
from accord.rules.evaluate import Judgement

Became = Literal["resolved", "raised_again", "unheard"]


def count_resolved(judgements: Iterable[Judgement]) -> tuple[Resolved, ...]:
    """Each category that a completed round followed, the most often resolved first."""
    became = Counter(
        (objection.category, find_what_became(objection))
        for judgement in judgements
        for objection in list_objections(judgement)
        if objection.later
    )
    found = [
        Resolved(
            category=category,
            count=became[category, "resolved"],
            of=sum(number for (name, _), number in became.items() if name == category),
            raised_again=became[category, "raised_again"],
            unheard=became[category, "unheard"],
        )
        for category in {category for category, _ in became}
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, one.category)))


def find_what_became(objection: Objection) -> Became:
    """What the next completed round brought. There must be one.

    Resolved: its voter said yes or no there and did not raise the category again; or it was
    answered as addressed, and its voter agreed in a later round. Who abstains or is silent has
    not said that the objection is gone.
    """
    voter, following = objection.voter, objection.later[0]
    said = read_answers(following).get(voter)
    again = said == "reject" and objection.category in find_categories(following, voter)
    if said in ("agree", "reject") and not again:
        return "resolved"
    if objection.addressed and any(later.cast.get(voter) == "agree" for later in objection.later):
        return "resolved"
    return "raised_again" if again else "unheard"
