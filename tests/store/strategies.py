"""Records of every kind, made from their types, with the oddest strings that a file may hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from msgspec import NODEFAULT, inspect

from accord.model.ids import is_repo_path
from accord.store.characters import FORBIDDEN
from accord.store.kinds import KINDS

Strategy = st.SearchStrategy[Any]

ODD = [
    " leading",
    "trailing ",
    "\n",
    "\n\n\n",
    " \n ",
    "\nfirst line empty",
    "\n  indented",
    "last line ended\n",
    "last line ended twice\n\n",
    "  two\n four\n",
    "a\n \nb",
    "a\n   ",
    "---",
    "text\n---\nmore\n",
    "%TAG\n...\n",
    "# comment",
    "a # b",
    "a: b",
    "a:",
    "- a\n- b",
    "? a",
    "true",
    "No",
    "null",
    "~",
    "0123",
    "1e3",
    "1:30",
    "2026-11-30",
    ".inf",
    "<<",
    "=",
    "[a]",
    "{a: b}",
    "&a",
    "*a",
    "!a",
    "|",
    ">-",
    "'",
    '"',
    'it\'s "so" \\n',
    "@at",
    "`tick`",
    "a, b",
    "http://example.org/#x",
    "Grüße 漢字 😀",
    "\u00a0no-break\u00a0",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937 \u0d28\u0d4d\u200d.",
    "\U0001f469\u200d\U0001f4bb \u2764\ufe0f\u200d\U0001f525",
    "\u3000",
    "x" * 300,
]
_MARKS = st.sampled_from(" \n\n-:#'\"\\|>[]{}&*!%@`,?<=~.0a é")
_ANY = st.characters(codec="utf-8", exclude_characters="\r\t").filter(
    lambda character: not FORBIDDEN.match(character)
)
_TEXT = st.sampled_from(ODD) | st.text(_MARKS, max_size=30) | st.text(_ANY, max_size=10)
_PATHS = st.lists(
    st.from_regex(r"[-a-z0-9_ *:#]{1,6}(?:\.[a-z]{1,3})?", fullmatch=True), min_size=1, max_size=3
).map("/".join)
_TIMES = st.datetimes().map(lambda time: time.isoformat(timespec="seconds") + "Z")


def texts() -> st.SearchStrategy[str]:
    """Texts that a field may hold."""
    return _TEXT


def records(kind: str) -> Strategy:
    """The records of a kind of `KINDS`."""
    return of_type(inspect.type_info(KINDS[kind].record_type))


def of_type(type_: inspect.Type, extra: dict[str, Any] | None = None) -> Strategy:
    return _MAKERS[type(type_)](type_, extra or {})


def _text(type_: inspect.StrType, extra: dict[str, Any]) -> Strategy:
    if extra.get("check") == "time":
        return _TIMES
    if type_.pattern is None or type_.pattern.startswith(r"^[^\n"):
        matches = re.compile(type_.pattern or "").search
        least, most = type_.min_length or 0, type_.max_length or 400
        return _TEXT.filter(lambda text: least <= len(text) <= most and matches(text) is not None)
    if "(?!" in type_.pattern:
        return _PATHS.filter(is_repo_path)
    return st.from_regex(type_.pattern)


def _struct(type_: inspect.StructType, _: dict[str, Any]) -> Strategy:
    return st.builds(type_.cls, **{each.name: _field(each) for each in type_.fields})


def _field(field: inspect.Field) -> Strategy:
    values = of_type(field.type)
    if field.default is not NODEFAULT:
        return st.just(field.default) | values
    return values


def _list(type_: inspect.VarTupleType, _: dict[str, Any]) -> Strategy:
    return st.lists(of_type(type_.item_type), max_size=2).map(tuple)


def _map(type_: inspect.DictType, _: dict[str, Any]) -> Strategy:
    return st.dictionaries(of_type(type_.key_type), of_type(type_.value_type), max_size=2)


_MAKERS: dict[type[inspect.Type], Callable[[Any, dict[str, Any]], Strategy]] = {
    inspect.StrType: _text,
    inspect.StructType: _struct,
    inspect.VarTupleType: _list,
    inspect.DictType: _map,
    inspect.IntType: lambda type_, _: st.integers(
        type_.ge or 0, type_.le if type_.le is not None else 2**53 - 1
    ),
    inspect.BoolType: lambda *_: st.booleans(),
    inspect.NoneType: lambda *_: st.none(),
    inspect.LiteralType: lambda type_, _: st.sampled_from(type_.values),
    inspect.UnionType: lambda type_, _: st.one_of([of_type(each) for each in type_.types]),
    inspect.Metadata: lambda type_, _: of_type(type_.type, type_.extra),
}


_SNIPPETS = [
    *(mark.encode() for mark in " \n:-#'\"{}[]|>%\t\r\\,0"),
    *(b"", b": ", b"- ", b"? ", b"&a ", b"*a", b"!a ", b"<<: ", b"---\n", b"null", b"true", b"  "),
    *(b"\xff", b"\xe2\x80\xae", b"\x00", b"\\u0000", b"\\ud800"),
]


def edits(data: bytes) -> st.SearchStrategy[bytes]:
    """A few bytes of a file changed, put in, taken out or doubled."""
    snippets = st.sampled_from(_SNIPPETS) | st.binary(max_size=3)
    spans = st.tuples(st.integers(0, len(data)), st.integers(0, 4), snippets)
    return st.lists(spans, min_size=1, max_size=4).map(lambda made: _edit(data, made))


def _edit(data: bytes, made: list[tuple[int, int, bytes]]) -> bytes:
    for start, length, snippet in made:
        data = data[:start] + snippet + data[start + length :]
    return data
