"""Who never dissents, and in how many rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from accord.analytics.answers import read_answers
from accord.model.statistics import Answers
from accord.rules.evaluate import Judgement
from accord.rules.rounds import find_dissenters


def find_never_dissenting(judgements: Sequence[Judgement]) -> tuple[Answers, ...]:
    """Voters that answered and are dissenters of no round, by name: the list is no ranking.

    A dissenter disagreed, abstained, retracted, or sealed and did not open (section 2).
    """
    rounds = count_answers(judgements)
    dissenters = find_dissenters(round_ for judgement in judgements for round_ in judgement.rounds)
    silent = [
        Answers(voter=voter, rounds=number)
        for voter, number in rounds.items()
        if voter not in dissenters
    ]
    return tuple(sorted(silent, key=lambda one: one.voter))


def count_answers(judgements: Sequence[Judgement]) -> Counter[str]:
    """Voter → the rounds in which it answered."""
    return Counter(
        voter
        for judgement in judgements
        for round_ in judgement.rounds
        for voter in read_answers(round_)
    )
