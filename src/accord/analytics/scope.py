"""Which decisions are counted."""

from __future__ import annotations

from collections.abc import Iterable

from accord.model.statistics import Scope
from accord.rules.evaluate import Judgement

_DAY = len("YYYY-MM-DD")


def select(judgements: Iterable[Judgement], scope: Scope) -> tuple[Judgement, ...]:
    """The decisions of a scope, whole: none is torn apart by a day in the middle of it."""
    return tuple(judgement for judgement in judgements if _belongs(judgement, scope))


def _belongs(judgement: Judgement, scope: Scope) -> bool:
    evaluation = judgement.evaluation
    day = evaluation.decision[:_DAY]
    return (
        scope.class_ in (None, evaluation.class_)
        and (scope.since is None or scope.since <= day)
        and (scope.until is None or day <= scope.until)
    )
