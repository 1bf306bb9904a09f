"""JSON drafts, read into the same position tree as YAML (section 3.1, "Drafts").

The grammar is that of RFC 8259 and nothing more. A duplicate key is refused, the limits are those
of YAML, and no value may hold a character that accord could not write down again. A `null` is a
key that is left out. Numbers and booleans stay the text that they are until a field types them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NoReturn

from accord.model.finding import Finding
from accord.store.characters import find_forbidden, hint_character, name_character, quote
from accord.store.nodes import Mapping, Node, Scalar, Sequence
from accord.store.text import (
    HINT_LARGE,
    MAX_DEPTH,
    MAX_ITEMS,
    TOO_DEEP,
    TOO_LARGE,
    TOO_LONG,
    fault,
    is_too_long,
    read_text,
    sort_by_place,
)

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_RAW = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*([\x00-\x09\x0b-\x1f])')
_BARE = re.compile(r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)\b")

_MARK = "\ufeff"
_HINT_TAB = "Write spaces in its place, in the string."
_UNCLOSED = "the string is not closed, or holds a line break or an escape that JSON does not have"


def read_json(data: bytes, path: str) -> tuple[Node | None, tuple[Finding, ...]]:
    """Read a JSON file into its position tree, or say what keeps it from being one."""
    text, findings = read_text(data, path)
    if findings:
        return None, findings
    return _Reader(text, path).read()


class _Unreadable(Exception):
    """The text is not JSON from here on, or passes a limit; a finding says so."""


class _Reader:
    """A descent through the text, as deep as a file may be nested and no deeper."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._offset = 0
        self._depth = 0
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._findings: list[Finding] = []

    def read(self) -> tuple[Node | None, tuple[Finding, ...]]:
        try:
            if self._text.startswith(_MARK):
                message = f"the file begins with {name_character(_MARK)}"
                self._refuse((1, 1), message, hint_character(_MARK))
                raise _Unreadable
            root = self._value()
            if self._peek():
                self._stop("nothing more is expected here")
        except _Unreadable:
            pass
        if self._findings:
            return None, sort_by_place(self._findings)
        return root, ()

    def _value(self) -> Node:
        first = self._peek()
        at = self._place()
        if first == "{":
            return Mapping(tuple(self._entries()), *at)
        if first == "[":
            return Sequence(tuple(self._items(at)), *at)
        if first == '"':
            return self._string()
        return Scalar(self._take(_BARE, "a value is expected here"), *at, plain=True)

    def _entries(self) -> Iterator[tuple[Scalar, Node]]:
        """Keys and values; those that are `null` are left out."""
        seen: dict[str, Scalar] = {}
        for _ in self._members("}"):
            key = self._string()
            if key.value in seen:
                message = f"the key {quote(key.value)} stands here once more"
                hint = f"It stands already in line {seen[key.value].line}."
                self._refuse((key.line, key.column), message, hint)
            seen[key.value] = key
            if self._peek() != ":":
                self._stop('":" is expected here')
            self._offset += 1
            value = self._value()
            if not (isinstance(value, Scalar) and value.plain and value.value == "null"):
                yield key, value

    def _items(self, at: tuple[int, int]) -> Iterator[Node]:
        for count, _ in enumerate(self._members("]")):
            if count == MAX_ITEMS:
                self._refuse(at, TOO_LONG)
                raise _Unreadable
            yield self._value()

    def _members(self, closing: str) -> Iterator[None]:
        """Step through the members of an object or a list; the caller reads each."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._refuse(self._place(), TOO_DEEP)
            raise _Unreadable
        self._offset += 1
        if self._peek() != closing:
            yield
            while self._peek() == ",":
                self._offset += 1
                yield
        if self._peek() != closing:
            self._stop(f'"," or "{closing}" is expected here')
        self._offset += 1
        self._depth -= 1

    def _string(self) -> Scalar:
        expected = _UNCLOSED if self._peek() == '"' else "a key in double quotes is expected here"
        at = self._place()
        raw = _RAW.match(self._text, self._offset)
        if raw is not None:
            self._offset = raw.end() - 1
            self._refuse_character(self._place(), raw[1])
            raise _Unreadable
        value: str = json.loads(self._take(_STRING, expected))
        forbidden = find_forbidden(value)
        if forbidden:
            self._refuse_character(at, forbidden)
        if is_too_long(value):
            self._refuse(at, TOO_LARGE, HINT_LARGE)
        return Scalar(value, *at)

    def _take(self, token: re.Pattern[str], expected: str) -> str:
        match = token.match(self._text, self._offset)
        if match is None:
            self._stop(expected)
        self._offset = match.end()
        return match[0]

    def _peek(self) -> str:
        """The next character that is no white space, "" at the end."""
        space = _SPACE.match(self._text, self._offset)
        self._offset = space.end() if space else self._offset
        return self._text[self._offset : self._offset + 1]

    def _place(self) -> tuple[int, int]:
        line = bisect_right(self._lines, self._offset)
        return line, self._offset - self._lines[line - 1] + 1

    def _refuse(self, at: tuple[int, int], message: str, hint: str = "") -> None:
        self._findings.append(fault(self._path, at, message, hint))

    def _refuse_character(self, at: tuple[int, int], character: str) -> None:
        hint = _HINT_TAB if character == "\t" else hint_character(character)
        message = f"the string holds {name_character(character)}, which no value may hold"
        self._refuse(at, message, hint)

    def _stop(self, message: str) -> NoReturn:
        self._refuse(self._place(), f"this is not JSON: {message}")
        raise _Unreadable
