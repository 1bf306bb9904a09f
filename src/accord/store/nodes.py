"""The position tree: a file as strings, mappings and sequences, each with its place in the text.

Both readers (YAML, JSON) make it, the binder gives it types, and `find_position` finds the
line and column of a field that a rule complains about. Lines and columns start at 1.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Scalar(msgspec.Struct, frozen=True, gc=False):
    """One string. `plain` says that it stands without quotes, as `null` and `1` do."""

    value: str
    line: int
    column: int
    plain: bool = False


class Mapping(msgspec.Struct, frozen=True):
    """Keys and values, in the order of the file."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int


class Sequence(msgspec.Struct, frozen=True):
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


Node: TypeAlias = Scalar | Mapping | Sequence


def find_position(node: Node, field: str) -> tuple[int, int] | None:
    """Line and column of a field such as `evidence[0].digest` or `members.dana.keys[1].ssh`.

    A key that is missing has the position of the mapping that lacks it, a field of a scalar
    that of the scalar, which may be a shorthand. None when a list is shorter, or `field` is no
    place.
    """
    while field and not isinstance(node, Scalar):
        found = _find_item(node, field) if isinstance(node, Sequence) else _find_key(node, field)
        if found is None:
            return None
        node, field = found
    return node.line, node.column


def _find_item(node: Sequence, field: str) -> tuple[Node, str] | None:
    index, closed, rest = field.removeprefix("[").partition("]")
    if not (field[0] == "[" and closed and index.isdecimal() and int(index) < len(node.items)):
        return None
    return node.items[int(index)], rest.removeprefix(".")


def _find_key(node: Mapping, field: str) -> tuple[Node, str] | None:
    """The longest key that fits wins, since a key may hold a dot itself: `affirmations.dana.1`."""
    longest: tuple[Node, str] | None = None
    length = -1
    for key, value in node.entries:
        name = key.value
        if len(name) > length and (field == name or field.startswith((name + ".", name + "["))):
            longest, length = (value, field[len(name) :].removeprefix(".")), len(name)
    if longest is None and not field.startswith("["):
        return node, ""
    return longest
