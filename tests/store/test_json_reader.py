"""JSON drafts: the grammar, the places, the limits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.store.json_reader import read_json
from accord.store.nodes import Mapping, Node, Scalar, Sequence


def test_the_tree_has_places_and_null_is_left_out() -> None:
    data = b'{"a": 1,\r\n\t"b": [true, "x\\n\\u00e9", null, -1.5e3],\n "c": null, "d": {}}\n'

    root, findings = read_json(data, "f")

    assert findings == ()
    assert root == Mapping(
        (
            (Scalar("a", 1, 2), Scalar("1", 1, 7, plain=True)),
            (
                Scalar("b", 2, 2),
                Sequence(
                    (
                        Scalar("true", 2, 8, plain=True),
                        Scalar("x\né", 2, 14),
                        Scalar("null", 2, 27, plain=True),
                        Scalar("-1.5e3", 2, 33, plain=True),
                    ),
                    2,
                    7,
                ),
            ),
            (Scalar("d", 3, 13), Mapping((), 3, 18)),
        ),
        1,
        1,
    )


# name: (file, line, column, what the message says)
REFUSED: dict[str, tuple[bytes, int, int, str]] = {
    "nothing": (b"", 1, 1, "a value is expected here"),
    "only space": (b" \n ", 2, 2, "a value is expected here"),
    "no value": (b'{"a": }', 1, 7, "a value is expected here"),
    "a word": (b'{"a": yes}', 1, 7, "a value is expected here"),
    "a word that starts well": (b"[trueish]", 1, 2, "a value is expected here"),
    "a comment": (b"{} // x", 1, 4, "nothing more is expected here"),
    "two values": (b"{}\n{}", 2, 1, "nothing more is expected here"),
    "leading zero": (b"[01]", 1, 2, "a value is expected here"),
    "plus": (b"[+1]", 1, 2, "a value is expected here"),
    "bare fraction": (b"[1.]", 1, 3, '"," or "]" is expected here'),
    "not a number": (b"[NaN]", 1, 2, "a value is expected here"),
    "comma at the end of a list": (b"[1,]", 1, 4, "a value is expected here"),
    "comma at the end of an object": (b'{"a": 1,}', 1, 9, "a key in double quotes"),
    "no comma": (b'{"a": 1\n "b": 2}', 2, 2, '"," or "}" is expected here'),
    "no colon": (b'{"a" 1}', 1, 6, '":" is expected here'),
    "bare key": (b"{a: 1}", 1, 2, "a key in double quotes is expected here"),
    "single quotes": (b"{'a': 1}", 1, 2, "a key in double quotes is expected here"),
    "wrong bracket": (b'{"a": [1}', 1, 9, '"," or "]" is expected here'),
    "open object": (b'{"a": 1', 1, 8, '"," or "}" is expected here'),
    "open string": (b'{"a": "b', 1, 7, "the string is not closed"),
    "line feed in a string": (b'["a\nb"]', 1, 2, "the string is not closed"),
    "tab in a string": (b'["a\tb"]', 1, 4, "the string holds U+0009 (TAB)"),
    "escape of another language": (b'["\\x41"]', 1, 2, "an escape that JSON does not have"),
    "byte order mark": (b"\xef\xbb\xbf{}", 1, 1, "the file begins with U+FEFF (byte order mark)"),
    "latin-1": (b'{"a": "\xfc"}', 1, 8, "the byte 0xFC is not UTF-8"),
    "key twice": (b'{"a": 1,\n "a": null}', 2, 2, 'the key "a" stands here once more'),
    "carriage return after an escape": (b'["\\"a\rb"]', 1, 6, "U+000D (carriage return)"),
    "tab by escape": (b'{"a": "b\\tc"}', 1, 7, "the string holds U+0009 (TAB)"),
    "bidi": ('{"a": "\u202e"}'.encode(), 1, 7, "the string holds U+202E"),
    "bidi in a key": ('{"\u202e": 1}'.encode(), 1, 2, "the string holds U+202E"),
    "half a pair": (b'["\\ud83d"]', 1, 2, "half of a surrogate pair"),
    "33 levels": (b"[" * 33, 1, 33, "more than 32 levels"),
    "5,000 levels": (b'{"a": ' * 5000, 1, 193, "more than 32 levels"),
    "1,001 entries": (b"[" + b"1, " * 1000 + b"1]", 1, 1, "more than 1,000 entries"),
    "large text": (b'["' + b"x" * 65_537 + b'"]', 1, 2, "more than 65,536 bytes"),
}


@pytest.mark.parametrize(("data", "line", "column", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes, line: int, column: int, message: str) -> None:
    root, (finding,) = read_json(data, "draft.json")

    assert root is None
    assert (finding.code, finding.path) == ("yaml-invalid", "draft.json")
    assert (finding.line, finding.column) == (line, column)
    assert message in finding.message


def test_what_does_not_stop_the_reading_is_reported_together() -> None:
    _, findings = read_json(b'{"a": "\\u0000", "b": 1,\n "b": "\\u200b", c}', "f")

    assert [(each.line, each.column) for each in findings] == [(1, 7), (2, 2), (2, 7), (2, 17)]


@pytest.mark.parametrize("data", [b"[" * 32 + b"]" * 32, b"[" + b"1," * 999 + b"1]"])
def test_just_within_the_limits(data: bytes) -> None:
    root, findings = read_json(data, "f")

    assert root is not None
    assert findings == ()


def test_too_large() -> None:
    root, (finding,) = read_json(b" " * 262_145, "f")

    assert root is None
    assert finding.code == "file-too-large"


def value_of(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.value if not node.plain else json.loads(node.value)
    if isinstance(node, Mapping):
        return {key.value: value_of(value) for key, value in node.entries}
    return [value_of(item) for item in node.items]


VALUES = st.recursive(
    st.booleans() | st.integers() | st.text(st.sampled_from('ab "\\/\n{}[]:,é😀'), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=3), inner),
    max_leaves=12,
)


@given(value=VALUES, indent=st.sampled_from([None, 0, 1]), ascii_only=st.booleans())
@settings(deadline=None)
def test_what_json_writes_is_read(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    root, findings = read_json(text.encode(), "f")

    assert findings == ()
    assert root is not None
    assert value_of(root) == value


@given(text=st.text(st.sampled_from('{}[]:,"\\ntrue01.-e \n'), max_size=20))
@settings(deadline=None, max_examples=500)
def test_what_json_refuses_is_refused(text: str) -> None:
    root, _ = read_json(text.encode(), "f")

    if root is not None:
        json.loads(text)
