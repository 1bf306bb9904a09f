"""`status`: what is open, what each decision waits for, who must do what, with the command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from accord.model.evaluation import Evaluation, Waiting
from accord.model.succession import Succession
from accord.render.decision import list_waiting
from accord.render.page import Page, Span
from accord.render.report import count
from accord.render.words import DIRECTIVE_STYLES, STATUSES, SUCCESSIONS, join, tell_status

Line = tuple[Evaluation, Sequence[Waiting]]


def render_status(
    decisions: Sequence[Line], successions: Mapping[str, Succession] = MappingProxyType({})
) -> Page:
    """The page people live on; what has ended is summed up in one sentence.

    `successions` are what newer decisions make of older ones.
    """
    page = Page()
    live = [line for line in decisions if not line[0].ended]
    ended = [evaluation for evaluation, _ in decisions if evaluation.ended]
    for evaluation, waiting in sorted(live, key=lambda line: line[0].decision):
        _write_decision(page, evaluation, waiting)
    page.gap()
    page.prose(_sum_up(live, ended))
    for older, succession in sorted(successions.items()):
        page.prose(
            f"{older} is ",
            Span(f"{SUCCESSIONS[succession.view]} by {succession.by}", "warn"),
            ".",
        )
    return page


def _write_decision(page: Page, evaluation: Evaluation, waiting: Sequence[Waiting]) -> None:
    page.gap()
    page.line(Span(evaluation.decision, "title"))
    page.prose(evaluation.title, indent=2)
    word = evaluation.directive.word
    round_ = f"round {evaluation.round}, " if evaluation.rounds else ""
    page.prose(
        Span(STATUSES[evaluation.status], DIRECTIVE_STYLES[word]),
        f" ({round_}{evaluation.class_}): {evaluation.directive.sentence}",
        indent=2,
    )
    list_waiting(page, waiting, indent=4)


def _sum_up(live: Sequence[Line], ended: Sequence[Evaluation]) -> str:
    if not live and not ended:
        return "There are no decisions here yet; `accord propose` drafts one."
    open_ = (
        f"{count(len(live), 'decision')} {'is' if len(live) == 1 else 'are'} not decided yet"
        if live
        else "Nothing is open"
    )
    if not ended:
        return f"{open_}."
    tally = Counter(tell_status(one.status, one.ruled_over) for one in ended)
    kinds = [f"{number} {status}" for status, number in tally.most_common()]
    return f"{open_}; {len(ended)} ended: {join(kinds)} (`accord adr --index` lists them)."
