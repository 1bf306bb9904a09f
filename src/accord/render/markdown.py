r"""Text of others as Markdown that cannot break out of its place.

Two kinds of place: a *line* (a title, a name, a reason) and a *block* (the text of a proposal).
Both show what somebody wrote as it was written. Of Markdown they keep what has no reach: code
spans, and in a block also paragraphs, lists and code blocks. Headings, links, images, tables,
emphasis, raw HTML, front matter and the braces of site generators are shown, not obeyed.
Characters that HTML knows become entities, because not every Markdown knows `\<`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote as quote_url

from accord.render.escape import escape, escape_lines
from accord.render.templates import FENCE, code, fence

_SPAN = re.compile(rf"(?<!{FENCE})({FENCE}+)(?!{FENCE})(.+?)(?<!{FENCE})\1(?!{FENCE})")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", FENCE: "&#96;"}
_SPECIAL = re.compile(
    r"[\\*\[\]{}|~$&<>`]"
    r"|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])"  # inside a word it means nothing
    r"|(?<![0-9A-Za-z])#"
    r"|(?<=\{)%|%(?=\})"
)
_AT_START = re.compile(r"[-+=:!?]|(?<=[0-9])[.)](?=\s|\Z)")
_NUMBER = re.compile(r"[0-9]{1,9}(?=[.)](?:\s|\Z))")
_ITEM = re.compile(r"( *)(?:[-*+]|([0-9]{1,9})[.)]) +(?=\S)")
_OPENING = re.compile(r"(`{3,}|~{3,})[\w+#. -]*\Z")
_DEEPEST = 12  # how far a list item is indented at most; deeper ones stand there too


def line(text: str) -> str:
    """Text as one line: line breaks and runs of spaces are one space."""
    shown = escape(" ".join(text.split()))
    return _escape_start("".join(_split_spans(shown)))


def block(text: str) -> str:
    """Text as a block quote: paragraphs, lists, code spans and code blocks are kept."""
    body = _Block(escape_lines(text).split("\n")).lines
    return "\n".join(f"> {row}" if row else ">" for row in body)


def link(text: str, target: str) -> str:
    """A link to another file, by a path that is relative to this one."""
    return f"[{line(text)}]({quote_url(target)})"


def _split_spans(shown: str) -> Iterator[str]:
    at = 0
    for span in _SPAN.finditer(shown):
        if span[2].strip():
            yield _SPECIAL.sub(_replace, shown[at : span.start()])
            yield code(span[2])
            at = span.end()
    yield _SPECIAL.sub(_replace, shown[at:])


def _replace(found: re.Match[str]) -> str:
    return _ENTITIES.get(found[0]) or f"\\{found[0]}"


def _escape_start(shown: str) -> str:
    """What begins a list, a heading, an admonition, when it stands first in a line."""
    number = _NUMBER.match(shown)
    at = number.end() if number else 0
    if _AT_START.match(shown, at):
        return f"{shown[:at]}\\{shown[at:]}"
    return shown


class _Block:
    """The lines of a block, read one after the other. Nothing is indented that starts a block."""

    def __init__(self, rows: Sequence[str]) -> None:
        self.lines: list[str] = []
        self._stack: list[tuple[int, int]] = []  # of the open list items: own and shown indent
        self._unclosed: set[str] = set()
        stripped = [row.strip() for row in rows]
        at = 0
        while at < len(rows):
            end = self._find_end(stripped, at)
            if end:
                self._add_code(rows[at + 1 : end])
                at = end
            elif not stripped[at]:
                self._add_gap()
            else:
                self._add_row(rows[at].rstrip(), stripped[at])
            at += 1
        while self.lines and not self.lines[-1]:
            self.lines.pop()

    @property
    def _margin(self) -> str:
        return " " * (self._stack[-1][1] if self._stack else 0)

    def _find_end(self, stripped: Sequence[str], at: int) -> int:
        """Where the code block ends that begins here; 0 if none does, or it never ends."""
        opening = _OPENING.match(stripped[at])
        if opening is None or opening[1] in self._unclosed:
            return 0
        try:
            return stripped.index(opening[1], at + 1)
        except ValueError:
            self._unclosed.add(opening[1])
            return 0

    def _add_gap(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def _add_code(self, rows: Sequence[str]) -> None:
        self._stack.clear()
        self._add_gap()
        self.lines += fence("\n".join(rows)).split("\n")
        self.lines.append("")

    def _add_row(self, row: str, words: str) -> None:
        item = _ITEM.match(row)
        indent = len(row) - len(row.lstrip())
        if item is None:
            if not self.lines or not self.lines[-1]:  # a new paragraph, perhaps of an item
                self._leave(indent)
            self.lines.append(self._margin + line(words))
            return
        if not self._stack:
            self._add_gap()
        self._leave(indent)
        marker = f"{int(item[2])}." if item[2] else "-"
        margin = self._margin[:_DEEPEST]
        self.lines.append(f"{margin}{marker} {line(row[item.end() :])}")
        self._stack.append((indent, len(margin) + len(marker) + 1))

    def _leave(self, indent: int) -> None:
        """Leave the list items that a line with this indent is not part of."""
        while self._stack and self._stack[-1][0] >= indent:
            self._stack.pop()
