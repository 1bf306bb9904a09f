"""Who says no, to what, for which reasons, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from accord.analytics.answers import Answer, list_answers
from accord.analytics.shares import by_name, rank
from accord.model.statistics import Rejections, Share
from accord.rules.evaluate import Judgement


def count_rejections(judgements: Iterable[Judgement]) -> Rejections:
    """Rejections of all answers. A category is counted of the rejections: some name several."""
    answers = list_answers(judgements)
    rejecting = [answer for answer in answers if answer.said == "reject"]
    categories = Counter(category for answer in rejecting for category in answer.categories)
    return Rejections(
        count=len(rejecting),
        of=len(answers),
        objections=categories.total(),
        by_category=rank(categories, len(rejecting)),
        by_class=_share(answers, lambda answer: answer.class_),
        by_voter=by_name(_share(answers, lambda answer: answer.voter)),
        by_proposer=by_name(_share(answers, lambda answer: answer.proposer)),
        by_month=by_name(_share(answers, lambda answer: answer.month)),
    )


def _share(answers: Sequence[Answer], key: Callable[[Answer], str]) -> tuple[Share, ...]:
    """The rejections of each group, of the answers of that group."""
    return rank(
        Counter(key(answer) for answer in answers if answer.said == "reject"),
        Counter(key(answer) for answer in answers),
    )
