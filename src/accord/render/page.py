"""A page of text: lines of styled spans, wrapped at a width, painted at the end.

Wrapping happens before painting, so the same page reads the same with and without colour.
Styles say what a span means (`good`, `command`), not how it looks; `paint` knows that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple
from unicodedata import combining, east_asian_width

from accord.render.escape import escape

WIDTH = 80

Style = Literal["", "title", "good", "bad", "warn", "wait", "dim", "command", "path"]
Paint = Callable[[str, Style], str]


class Span(NamedTuple):
    """A piece of a line, and what it means."""

    text: str
    style: Style = ""


Piece = str | Span


def plain(text: str, style: Style) -> str:
    """Paint nothing: for pipes, files and tests."""
    del style
    return text


def count_cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


class Page:
    """Lines in the making. All text is escaped on its way in."""

    def __init__(self, width: int = WIDTH) -> None:
        self.width = width
        self._lines: list[tuple[Span, ...]] = []

    def gap(self) -> None:
        """An empty line, unless one is there already or nothing is."""
        if self._lines and self._lines[-1]:
            self._lines.append(())

    def line(self, *pieces: Piece, indent: int = 0) -> None:
        """One line that is never broken: commands and paths are copied from here."""
        spans = tuple(_span(piece) for piece in pieces)
        self._lines.append((Span(" " * indent), *spans) if indent else spans)

    def heading(self, text: str) -> None:
        """A title, with an empty line before it."""
        self.gap()
        self.line(Span(text, "title"))

    def prose(self, *pieces: Piece, indent: int = 0, hanging: int | None = None) -> None:
        """Pieces set as one paragraph; lines after the first are indented by `hanging`."""
        left = indent
        later = indent if hanging is None else hanging
        current: list[Span] = []
        used = 0
        for word in _words(pieces):
            size = sum(count_cells(span.text) for span in word)
            if current and left + used + 1 + size > self.width:
                self.line(*current, indent=left)
                current, used, left = [], 0, later
            if current:
                same = current[-1].style == word[0].style
                current.append(Span(" ", word[0].style if same else ""))
                used += 1
            current.extend(word)
            used += size
        if current:
            self.line(*current, indent=left)

    def table(self, rows: Sequence[Sequence[Piece]], indent: int = 0) -> None:
        """Aligned columns, two spaces between them; the last one wraps under itself."""
        cells = [[_span(piece) for piece in row] for row in rows]
        columns = max((len(row) for row in cells), default=0)
        widths = [
            max((count_cells(row[at].text) for row in cells if at < len(row) - 1), default=0)
            for at in range(columns)
        ]
        for row in cells:
            start = indent + sum(widths[at] + 2 for at in range(len(row) - 1) if widths[at])
            lead: list[Piece] = []
            for at, cell in enumerate(row[:-1]):
                if widths[at]:
                    pad = " " * (widths[at] + 2 - count_cells(cell.text))
                    lead += [cell, Span(pad)]
            self._beside(lead, row[-1], indent, start)

    def _beside(self, lead: list[Piece], last: Span, indent: int, start: int) -> None:
        before = len(self._lines)
        self.prose(last, indent=start)
        if len(self._lines) == before:
            self._lines.append(())
        first = self._lines[before]
        rest = first[1:] if start else first
        margin = (Span(" " * indent),) if indent else ()
        self._lines[before] = (*margin, *(_span(piece) for piece in lead), *rest)

    def text(self, paint: Paint = plain) -> str:
        """The page, with a line feed after each line."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return "".join(_paint_line(line, paint) + "\n" for line in self._lines)


def _span(piece: Piece) -> Span:
    span = Span(piece) if isinstance(piece, str) else piece
    return Span(escape(span.text), span.style)


def _words(pieces: Sequence[Piece]) -> list[list[Span]]:
    """Words as lists of spans: a word goes on where no space separates two pieces."""
    words: list[list[Span]] = []
    goes_on = False
    for text, style in map(_span, pieces):
        for at, part in enumerate(text.split(" ")):
            goes_on = goes_on and at == 0
            if not part:
                continue
            if goes_on:
                words[-1].append(Span(part, style))
            else:
                words.append([Span(part, style)])
            goes_on = True
    return words


def _paint_line(line: tuple[Span, ...], paint: Paint) -> str:
    """Paint the spans; nothing trails a line."""
    spans = list(line)
    while spans and not spans[-1].text.strip():
        spans.pop()
    if not spans:
        return ""
    spans[-1] = Span(spans[-1].text.rstrip(), spans[-1].style)
    painted = []
    for style, alike in groupby(spans, key=lambda span: span.style):
        text = "".join(span.text for span in alike)
        painted.append(paint(text, style) if style else text)
    return "".join(painted)
