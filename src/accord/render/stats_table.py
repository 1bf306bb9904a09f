"""`stats` for spreadsheets: one tidy table of subject, key, count, of."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord.model.statistics import (
    TOO_FEW_BELOW,
    ClassShare,
    Refinement,
    Rejections,
    Share,
    Statistics,
)
from accord.render.escape import escape

HEADER = ("subject", "key", "count", "of")
_FORMULA = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Cells:
    """One row. A key of two parts joins them with `/`, which no id holds; `of` may be nothing."""

    subject: str
    key: str
    count: int
    of: int | None = None


def render_csv(statistics: Statistics) -> str:
    """The table, its header first, lines ended by a line feed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for row in _list_rows(statistics):
        of = "" if row.of is None else row.of
        writer.writerow((row.subject, _cell(row.key), row.count, of))
    return text.getvalue()


def _list_rows(statistics: Statistics) -> Iterator[Cells]:
    for key in ("decisions", "rounds", "votes", "voters", "pairs"):
        yield Cells("total", key, getattr(statistics, key))
    yield Cells("total", "too_few_below", TOO_FEW_BELOW)
    yield from _by_class("statuses_by_class", statistics.statuses_by_class)
    yield from _by_class("outcomes_by_class", statistics.outcomes_by_class)
    yield from _shares("rounds_per_decision", statistics.rounds_per_decision)
    yield from _rejections(statistics.rejections)
    yield from _refinement(statistics.refinement)
    for one in statistics.resolved_by_refinement:
        yield Cells("resolved_by_refinement", one.category, one.count, one.of)
        yield Cells("raised_again", one.category, one.raised_again, one.of)
        yield Cells("unheard", one.category, one.unheard, one.of)
    for hits in statistics.challengers:
        yield Cells("taken_in", hits.voter, hits.count, hits.of)
        for how, number in hits.how.items():
            yield Cells("taken_in_how", f"{hits.voter}/{how}", number, hits.of)
        yield Cells("taken_in_pending", hits.voter, hits.pending)
    for voter in statistics.never_dissenting:
        yield Cells("never_dissenting", voter.voter, voter.rounds)
    for pair in statistics.always_agreeing:
        yield Cells("always_agreeing", "/".join(pair.voters), pair.rounds)


def _rejections(rejections: Rejections) -> Iterator[Cells]:
    yield Cells("rejections", "", rejections.count, rejections.of)
    yield Cells("objections", "", rejections.objections)
    yield from _shares("rejections_by_category", rejections.by_category)
    yield from _shares("rejections_by_class", rejections.by_class)
    yield from _shares("rejections_by_voter", rejections.by_voter)
    yield from _shares("rejections_by_proposer", rejections.by_proposer)
    yield from _shares("rejections_by_month", rejections.by_month)


def _refinement(refinement: Refinement) -> Iterator[Cells]:
    yield Cells("refinement", "", refinement.count, refinement.of)
    yield from _shares("refinement_ends", refinement.ends)


def _shares(subject: str, shares: Sequence[Share]) -> Iterator[Cells]:
    for share in shares:
        yield Cells(subject, share.key, share.count, share.of)


def _by_class(subject: str, shares: Sequence[ClassShare]) -> Iterator[Cells]:
    for share in shares:
        yield Cells(subject, f"{share.class_}/{share.key}", share.count, share.of)


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula.

    The patterns of ids, categories and times let none begin so; a subject that comes later may.
    """
    shown = escape(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
