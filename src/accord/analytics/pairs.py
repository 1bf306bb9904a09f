"""Which voters always give the same answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from accord.analytics.answers import read_answers
from accord.model.statistics import Pair
from accord.rules.evaluate import Judgement


class Pairs(NamedTuple):
    """The pairs that always agreed with each other, and how many pairs there are at all."""

    always: tuple[Pair, ...]
    of: int


def find_pairs(judgements: Sequence[Judgement]) -> Pairs:
    """Pairs that answered in the same rounds, the most shared rounds first.

    To agree with each other is to give the same answer in every round that both answered: yes,
    no or an abstention. What they object to is not compared.
    """
    shared: Counter[tuple[str, str]] = Counter()
    differing: set[tuple[str, str]] = set()
    for judgement in judgements:
        for round_ in judgement.rounds:
            said = read_answers(round_)
            for pair in combinations(sorted(said), 2):
                shared[pair] += 1
                if said[pair[0]] != said[pair[1]]:
                    differing.add(pair)
    always = [
        Pair(voters=pair, rounds=rounds) for pair, rounds in shared.items() if pair not in differing
    ]
    listed = sorted(always, key=lambda pair: pair.voters)
    return Pairs(always=tuple(listed), of=len(shared))
