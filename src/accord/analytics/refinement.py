"""How often a proposal whose first round failed passes in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from accord.analytics.objections import find_completed
from accord.model.evaluation import IN_FORCE, Outcome, Status
from accord.model.statistics import End, Refinement, Share
from accord.rules.evaluate import Judgement

_CARRIED: frozenset[Outcome] = frozenset({"unanimous", "quorum"})
_ENDS: dict[Status, End] = {"rejected": "rejected", "withdrawn": "withdrawn"}
_PASSED: tuple[End, ...] = ("passed_in_a_later_round", "passed_by_amendment")


def count_refinement(judgements: Sequence[Judgement]) -> Refinement:
    """Those that passed by voting, of those whose first round failed."""
    ends = Counter(_find_end(judgement) for judgement in judgements if _failed_first(judgement))
    return Refinement(
        count=sum(ends[end] for end in _PASSED),
        of=ends.total(),
        ends=tuple(Share(key=end, count=ends[end], of=ends.total()) for end in get_args(End)),
    )


def _failed_first(judgement: Judgement) -> bool:
    """Whether the first round that says something did not carry the text as it was put."""
    completed = find_completed(judgement)
    return bool(completed) and (len(completed) > 1 or completed[0].outcome not in _CARRIED)


def _find_end(judgement: Judgement) -> End:
    evaluation = judgement.evaluation
    if evaluation.status not in IN_FORCE:
        return _ENDS.get(evaluation.status, "undecided")
    if evaluation.basis == "ruling":
        return "accepted_by_ruling"
    later = len(find_completed(judgement)) > 1
    return "passed_in_a_later_round" if later else "passed_by_amendment"
