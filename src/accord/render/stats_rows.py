"""Rows of numbers: a count, of how many, a bar where somebody is looking, and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from accord.render.escape import escape
from accord.render.page import Page, Piece, Span, count_cells

Drawing = Literal["bars", "numbers"]

BAR = 20
_FULL, _REST = "█", "·"


@dataclass(frozen=True, slots=True)
class Row:
    """`count` of `of`, of `what`; `remark` is said after it."""

    count: int
    of: int
    what: str
    remark: str = ""


def write_rows(page: Page, rows: Sequence[Row], drawing: Drawing, indent: int) -> None:
    """The rows as a table. Where a name leaves no room for bars, the names are what matters."""
    wide = max((len(str(row.count)) for row in rows), default=0)
    fractions = [f"{row.count:>{wide}} of {row.of}" for row in rows]
    used = indent + max(map(len, fractions), default=0) + 2 + BAR + 2
    words = [word for row in rows for word in escape(row.what).split(" ")]
    if drawing == "bars" and used + max(map(count_cells, words), default=0) > page.width:
        drawing = "numbers"
    page.table(
        [
            (fraction, Span(_draw(row) if drawing == "bars" else "", "wait"), _say(row))
            for row, fraction in zip(rows, fractions, strict=True)
        ],
        indent=indent,
    )


def _say(row: Row) -> Piece:
    return f"{row.what} ({row.remark})" if row.remark else row.what


def _draw(row: Row) -> str:
    """A bar that is empty for none, and full for all, alone."""
    if row.count in (0, row.of):
        full = BAR if row.count else 0
    else:
        full = max(row.count * BAR // row.of, 1)
    return _FULL * full + _REST * (BAR - full)
