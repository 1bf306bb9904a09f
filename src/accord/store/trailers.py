"""The trailers of a commit message, also where a squash left them in its middle.

git reads the last paragraph only. GitHub puts `Co-authored-by` into a paragraph after it, and a
squash joins several messages to one, so that every trailer but the last stands inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TRAILER = re.compile(r"(?P<key>[A-Za-z0-9-]+)[ \t]*:(?P<value>.*)")
_CONTINUED = re.compile(r"[ \t]+\S")
# What `git merge --squash` puts above the messages, and before each of their lines.
_SQUASHED = "Squashed commit of the following:"
_INDENT = " " * 4


def read_trailers(message: str, key: str) -> frozenset[str]:
    """The values of a trailer, of all paragraphs that hold nothing but trailers.

    The first paragraph is the subject, and holds none. Words between others, quoted lines and
    code are no trailers.
    """
    values = (
        found["value"].strip()
        for paragraph in list(_split(message))[1:]
        if _is_trailers(paragraph)
        for found in map(_TRAILER.match, paragraph)
        if found and found["key"].lower() == key.lower()
    )
    return frozenset(value for value in values if value)


def _split(message: str) -> Iterator[list[str]]:
    """The paragraphs, each as its lines. Web pages send lines that end in CR LF."""
    lines = [line.rstrip() for line in message.split("\n")]
    if _SQUASHED in lines:
        lines = [line.removeprefix(_INDENT) for line in lines]
    paragraph: list[str] = []
    for line in (*lines, ""):
        if line:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _is_trailers(paragraph: list[str]) -> bool:
    return _TRAILER.match(paragraph[0]) is not None and all(
        _TRAILER.match(line) or _CONTINUED.match(line) for line in paragraph
    )
