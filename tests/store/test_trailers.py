"""Trailers in messages that were squashed, quoted and appended to."""

from __future__ import annotations

from accord.store.trailers import read_trailers
from tests.support.tables import table

X, Y = "2026-11-30-x", "2026-11-30-y"


@table(
    ("message", "expected"),
    {
        "at the end": (f"a\n\nAccord-Decision: {X}\n", {X}),
        "among others": (f"a\n\nFixes: 7\nAccord-Decision: {X}\nSigned-off-by: O <o@x>\n", {X}),
        "before an appended paragraph": (
            f"a\n\nAccord-Decision: {X}\n\nCo-authored-by: O <o@x>\n",
            {X},
        ),
        "two messages in one": (
            f"a (#7)\n\n* one\n\nwhy\n\nAccord-Decision: {X}\n\n* two\n\nAccord-Decision: {Y}\n",
            {X, Y},
        ),
        "written on a page": (f"a\r\n\r\nAccord-Decision: {X}\r\n\r\nCo-authored-by: O <o@x>", {X}),
        "another case of the key": (f"a\n\naccord-decision : {X}\n", {X}),
        "a continued line": (f"a\n\nNote: long\n  longer\nAccord-Decision: {X}\n", {X}),
        "as git squashes": (
            f"Squashed commit of the following:\n\ncommit 1\nAuthor: O <o@x>\n\n"
            f"    one\n    \n    Accord-Decision: {X}\n",
            {X},
        ),
        "the subject": (f"Accord-Decision: {X}\n", set()),
        "words before it": (f"a\n\nand so\nAccord-Decision: {X}\n", set()),
        "words after it": (f"a\n\nAccord-Decision: {X}\nand so\n", set()),
        "quoted": (f"a\n\n> Accord-Decision: {X}\n", set()),
        "indented": (f"a\n\n    Accord-Decision: {X}\n", set()),
        "code": (f"a\n\n```\nAccord-Decision: {X}\n```\n", set()),
        "another key": (f"a\n\nDecision: {X}\n", set()),
        "no value": ("a\n\nAccord-Decision:\n", set()),
        "nothing": ("", set()),
    },
)
def test_a_message(message: str, expected: set[str]) -> None:
    assert read_trailers(message, "Accord-Decision") == expected
