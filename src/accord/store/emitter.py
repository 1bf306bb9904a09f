"""Plain data as YAML in the one style of accord (section 3.1).

Block mappings and lists, literal blocks for texts of several lines, double quotes for whatever is
not plainly safe: what another YAML reader would take for a number, a time, a truth value or
nothing is in quotes too. Nothing is folded, so a long text stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

STEP = "  "

_SAFE = re.compile(r"(?![-?:,\[\]{}#&*!|>'\"%@`=<~\s])(?:(?!: | #).)+(?<![:\s])\Z")
_AMBIGUOUS = re.compile(
    r"(?:y|n|yes|no|on|off|true|false|null"  # truth values and null, old and new
    r"|[-+]?\.(?:inf|nan)"
    r"|[-+]?\.?[0-9][-+.0-9_:eoxa-ftz ]*"  # numbers, times, and whatever looks like one
    r")\Z",
    re.IGNORECASE,
)

_CHOMP = {0: "-", 1: ""}


def write_mapping(
    plain: Mapping[str, Any], comments: Mapping[str, str] | None = None, field: str = ""
) -> list[str]:
    """The lines of a mapping of plain data: dict, list, str, int, bool; None is an empty value.

    `comments` maps fields such as `assessment.testability` to what is said above their key; the
    keys of mappings inside a list have none.
    """
    lines: list[str] = []
    for key, value in plain.items():
        name = f"{field}.{key}" if field else key
        if comments and name in comments:
            lines += write_comment(comments[name])
        head, rest = _write_value(value, comments, name)
        lines += [f"{write_scalar(key)}:{head}", *rest]
    return lines


def write_comment(text: str, width: int = 78) -> list[str]:
    """A comment, none for an empty text; long lines are wrapped."""
    import textwrap

    return [
        f"# {part}".rstrip()
        for line in text.splitlines()
        for part in textwrap.wrap(line, width) or [""]
    ]


def write_scalar(value: str | bool | int) -> str:
    """A scalar on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if _SAFE.match(value) and not _AMBIGUOUS.match(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _write_value(
    value: Any, comments: Mapping[str, str] | None = None, field: str = ""
) -> tuple[str, list[str]]:
    """What follows a colon or a dash on its line, and the lines below it."""
    match value:
        case None:
            return "", []
        case dict() if value:
            return "", _indent(write_mapping(value, comments, field))
        case list() if value:
            return "", _indent(line for item in value for line in _write_item(item))
        case dict():
            return " {}", []
        case list():
            return " []", []
        case str() if "\n" in value and value.strip(" \n"):
            return _write_literal(value)
    return f" {write_scalar(value)}", []


def _write_item(value: Any) -> list[str]:
    """An entry of a list; a mapping or list starts behind the dash."""
    head, rest = _write_value(value)
    if rest and not head:
        return [f"- {rest[0].removeprefix(STEP)}", *rest[1:]]
    return [f"-{head}", *rest]


def _write_literal(text: str) -> tuple[str, list[str]]:
    """A literal block: all lines as they are, and how many line feeds end the last."""
    feeds = len(text) - len(text.rstrip("\n"))
    header = "|"
    if text.lstrip("\n").startswith(" "):
        header += str(len(STEP))  # else the indent would be guessed from the first line
    header += _CHOMP.get(feeds, "+")
    lines = (text[:-1] if feeds else text).split("\n")
    return f" {header}", _indent(lines)


def _indent(lines: Iterable[str]) -> list[str]:
    return [STEP + line if line else line for line in lines]
