"""What the reader refuses, in words, and where its limits are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from accord.errors import CannotJudge
from accord.store.nodes import Mapping, Scalar, Sequence
from accord.store.reader import read_yaml
from accord.store.text import MAX_FINDINGS

# name: (file, line, column, what the message says, what the hint says)
SAID: dict[str, tuple[bytes, int, int, str, str]] = {
    "tab": (b"a:\tb\n\tc: d", 1, 3, "U+0009 (TAB) may not stand in a file, 2 times", "spaces"),
    "crlf": (b"a: b\r\n", 1, 5, "U+000D (carriage return)", "LF"),
    "bom": (b"\xef\xbb\xbfa: b", 1, 1, "U+FEFF (byte order mark)", "without a byte order mark"),
    "bidi": ("é: b\u202e".encode(), 1, 5, "U+202E (right-to-left override)", "Remove it"),
    "control": (b"a: \x07", 1, 4, "U+0007 (a control character)", "Remove it"),
    "not a character": ("a: \uffff".encode(), 1, 4, "U+FFFF (not a character)", "Remove it"),
    "marker": (b"a: b\n--- c", 2, 1, 'no line may start with "---"', "one document"),
    "latin-1": (b"a: b\nc: \xfc", 2, 4, "the byte 0xFC is not UTF-8", "UTF-8"),
    "empty": (b"# nothing", 1, 1, "the file is empty", ""),
    "anchor": (b"a: &b c", 1, 4, 'an anchor, "b", is not allowed', "Write the value out"),
    "alias": (b"a: *b", 1, 4, 'an alias, "b", is not allowed', "* in quotes"),
    "tag": (b"a: !b c", 1, 4, 'a tag, "!b", is not allowed', "! in quotes"),
    "conflict": (
        b"a: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> x\n",
        2,
        1,
        "a merge left its conflict here",
        "Take one side whole",
    ),
    "merge key": (b"<<: {a: b}", 1, 1, "a merge key is not allowed", "Write the keys out"),
    "empty key": (b"a: b\n: c", 2, 1, "a key is empty", "colon in quotes"),
    "key that is a list": (b"? [a]\n: b", 1, 3, "a key must be a text", ""),
    "key twice": (b"a: b\nc: d\na: e", 3, 1, 'the key "a" stands here once more', "in line 1"),
    "escape": (b'a: "\\u200b"', 1, 4, "an escape stands for U+200B (zero width space)", "Remove"),
    "surrogates": (b'a: "\\ud83d\\ude00"', 1, 4, "half of a surrogate pair", "Remove it"),
    "colon": (b"title: Use it: now", 1, 14, "mapping values are not allowed here", "in quotes"),
    "at": (b"a: @b", 1, 4, "'@' that cannot start any token", "in quotes"),
    "star": (b"a: * b", 1, 5, "while scanning an alias", "* in quotes"),
    "indent": (b"a:\n    b: c\n  d: e", 3, 3, "expected <block end>", "start in one column"),
    "no colon": (b"a: b\nc\n", 3, 1, "could not find expected ':'", "A key ends in a colon"),
    "bad escape": (b'a: "\\q"', 1, 6, "unknown escape character 'q'", "written twice"),
    "open quote": (b"a: b\nc: 'd\ne: f", 2, 4, "end of stream", "starts here is not closed"),
    "open bracket": (b"a: b\nc: [d\n", 2, 4, "<stream end>", "starts here is not closed"),
    "beyond unicode": (b'a: "\\U00110000"', 1, 7, "invalid Unicode character escape", ""),
}


@pytest.mark.parametrize(("data", "line", "column", "message", "hint"), SAID.values(), ids=SAID)
def test_what_is_said(data: bytes, line: int, column: int, message: str, hint: str) -> None:
    root, findings = read_yaml(data, "some/file.yaml")

    assert root is None
    (finding,) = findings
    assert (finding.code, finding.path) == ("yaml-invalid", "some/file.yaml")
    assert (finding.line, finding.column) == (line, column)
    assert message in finding.message
    assert hint in finding.hint
    assert bool(hint) == bool(finding.hint)


def test_the_tree_keeps_places_and_whether_a_scalar_is_plain() -> None:
    root, findings = read_yaml(b"a: 1\nb:\n  - 'x'\n  - |\n    y\nc: {\"d\": }\n", "f")

    assert findings == ()
    assert root == Mapping(
        (
            (Scalar("a", 1, 1, plain=True), Scalar("1", 1, 4, plain=True)),
            (
                Scalar("b", 2, 1, plain=True),
                Sequence((Scalar("x", 3, 5), Scalar("y\n", 4, 5)), 3, 3),
            ),
            (
                Scalar("c", 6, 1, plain=True),
                Mapping(((Scalar("d", 6, 5), Scalar("", 6, 10, plain=True)),), 6, 4),
            ),
        ),
        1,
        1,
    )


def test_the_pure_parser_has_the_last_word() -> None:
    root, findings = read_yaml(b"a: {b::c: d}\n", "f")

    assert findings == ()
    assert isinstance(root, Mapping)
    (entry,) = root.entries
    assert isinstance(entry[1], Mapping)
    assert [key.value for key, _ in entry[1].entries] == ["b::c"]


def test_all_structural_faults_are_reported_in_the_order_of_the_file() -> None:
    data = b"a: &x {b: !t c, b: d}\n<<: *x\n? [k]\n: e\n: f\n"

    _, findings = read_yaml(data, "f")

    places = [(each.line, each.column) for each in findings]
    assert places == [(1, 4), (1, 11), (1, 17), (2, 1), (2, 5), (3, 3), (5, 1)]


LARGE = "x" * 65_536
LIMITS: dict[str, tuple[str, tuple[int, int] | None]] = {
    "256 KiB": ("# " + "x" * 262_137 + "\na: b", None),
    "text of 64 KiB": (f"a: {LARGE}", None),
    "text of 64 KiB in UTF-8": ("a: " + "é" * 32_768, None),
    "text of more": (f"a: b\nc: {LARGE}x", (2, 4)),
    "text of more in UTF-8": ("a: " + "é" * 32_768 + "x", (1, 4)),
    "literal text of more": (f"a: |\n  {LARGE}\n", (1, 4)),
    "key of more": (f"? {LARGE}x\n: b", (1, 3)),
    "mapping of 1,001": ("".join(f"k{number}: v\n" for number in range(1001)), None),
    "list of 1,000": ("a:\n" + "  - x\n" * 1000, None),
    "list of 1,001": ("a:\n" + "  - x\n" * 1001, (2, 3)),
    "list of 1,001 lists": ("a: [" + "[], " * 1001 + "]", (1, 4)),
    "list of 1,001, and then nonsense": ("a: [" + "x, " * 1001 + "]]]: {", (1, 4)),
    "list of 3,000 that only pure reads": ("a: [{b::c: d}, " + "x," * 3_000, (1, 4)),
    "list of 30,000 that pure would read": ("a: [{b::c: d}, " + "x," * 30_000, (1, 7)),
    "32 levels": ("[" * 32 + "]" * 32, None),
    "33 levels": ("[" * 33 + "]" * 33, (1, 33)),
    "5,000 levels of lists": ("[" * 5000 + "]" * 5000, (1, 33)),
    "5,000 levels of mappings": ("{a: " * 5000 + "}" * 5000, (1, 129)),
    "5,000 levels of dashes": ("- " * 5000 + "x", (1, 65)),
    "200 levels that only pure reads": ("{a::b: " * 200, (1, 225)),
    "300 levels that pure would read": ("{a::b: " * 300, (1, 3)),
}


@pytest.mark.parametrize(("text", "place"), LIMITS.values(), ids=LIMITS)
def test_limits(text: str, place: tuple[int, int] | None) -> None:
    root, findings = read_yaml(text.encode(), "f")

    assert (root is None) == (place is not None)
    assert [(each.line, each.column) for each in findings] == [place] * (place is not None)
    assert {each.code for each in findings} <= {"yaml-invalid"}


@pytest.mark.parametrize("size", [262_145, 10_000_000])
def test_too_large(size: int) -> None:
    root, (finding,) = read_yaml(b"\xff" * size, "f")

    assert root is None
    assert finding.code == "file-too-large"
    assert f"{size:,} bytes; at most 262,144" in finding.message


def test_without_the_c_parser_nothing_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_ruamel_yaml", None)

    with pytest.raises(CannotJudge, match="the C part of the YAML reader") as caught:
        read_yaml(b"a: b", "f")

    assert "oldlibyaml" in caught.value.hint


def test_ruamel_is_imported_by_the_first_file() -> None:
    program = (
        "import sys\n"
        "from accord.store.parse import parse_file\n"
        "print('ruamel.yaml' in sys.modules)\n"
        "parse_file(b'a: b', 'f', 'vote')\n"
        "print('ruamel.yaml' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 20 + "\u200b\n" + "---\n" * 60_000, "from here on 59,951 more faults"),
        ("".join(f"k: {i}\n" for i in range(2_000)), "from here on 1,949 more faults"),
    ],
    ids=["markers", "keys"],
)
def test_the_first_faults_are_told_and_the_rest_counted(text: str, message: str) -> None:
    _, findings = read_yaml(text.encode(), "f")

    assert len(findings) == MAX_FINDINGS + 1
    assert findings[-1].message.startswith(message)
    assert findings[-1].line == findings[-2].line + 1  # type: ignore[operator]
