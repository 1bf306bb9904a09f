"""How many rounds decisions take, how those end, and where the decisions stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from accord.analytics.shares import rank_by_class
from accord.model.statistics import ClassShare, Share
from accord.rules.evaluate import Judgement


def count_rounds(judgements: Sequence[Judgement]) -> tuple[Share, ...]:
    """How many decisions have had 0, 1, 2 … rounds, in that order."""
    counts = Counter(len(judgement.rounds) for judgement in judgements)
    return tuple(
        Share(key=str(number), count=counts[number], of=len(judgements))
        for number in sorted(counts)
    )


def count_outcomes(judgements: Sequence[Judgement]) -> tuple[ClassShare, ...]:
    """What the tally of each round says, by class."""
    return rank_by_class(
        (round_.ballot.record.class_, round_.outcome)
        for judgement in judgements
        for round_ in judgement.rounds
    )


def count_statuses(judgements: Sequence[Judgement]) -> tuple[ClassShare, ...]:
    """Where each decision stands, by class."""
    return rank_by_class(
        (judgement.evaluation.class_, judgement.evaluation.status) for judgement in judgements
    )
