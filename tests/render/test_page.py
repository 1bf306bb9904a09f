"""Pages: escaped on the way in, wrapped before they are painted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.render.escape import escape, escape_lines
from accord.render.page import Page, Span, count_cells
from accord.render.paint import LOOKS, terminal_paint

ANSI = re.compile("\x1b\\[[0-9;]*m")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("naïve 漢字 ✓", "naïve 漢字 ✓"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b\u200b", "a\\u2066b\\u200b"),
        ("line\nfeed\r\t", "line\\x0afeed\\x0d\\x09"),
        ("\u2028\ufeff", "\\u2028\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\udc80", "\\udc80"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("a\u200cb\u200d", "a\\u200cb\\u200d"),
    ],
    ids=[
        "ascii", "letters", "csi", "c1", "bidi override", "isolate and zero width",
        "line breaks", "separators", "tags", "surrogate",
        "joined letters", "joiners that join nothing",
    ],
)  # fmt: skip
def test_escape_shows_what_is_invisible(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_escape_lines_keeps_line_feeds_only() -> None:
    assert escape_lines("one\ntwo\rthree") == "one\ntwo\\x0dthree"


@given(st.text())
def test_nothing_that_is_escaped_moves_a_cursor(text: str) -> None:
    shown = escape(text)

    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert escape(shown) == shown


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1)],
    ids=["ascii", "wide", "composed", "combining"],
)
def test_columns_of_a_terminal(text: str, cells: int) -> None:
    assert count_cells(text) == cells


def test_prose_wraps_and_hangs() -> None:
    page = Page(width=20)

    page.prose("one two three four five six", indent=2, hanging=4)

    assert page.text() == "  one two three four\n    five six\n"


def test_a_word_that_is_too_long_is_not_broken() -> None:
    page = Page(width=10)

    page.prose("see", " ", "a" * 12, " now")

    assert page.text() == f"see\n{'a' * 12}\nnow\n"


def test_pieces_without_a_space_between_them_are_one_word() -> None:
    page = Page(width=10)

    page.prose(Span("path", "path"), ":", Span("12", "dim"), " is far")

    assert page.text() == "path:12 is\nfar\n"


def test_lines_are_never_wrapped() -> None:
    page = Page(width=10)

    page.line("accord vote some-decision --as somebody", indent=2)

    assert page.text() == "  accord vote some-decision --as somebody\n"


def test_tables_align_and_drop_empty_columns() -> None:
    page = Page(width=24)

    page.table([("a", "", "first"), ("bbb", "", "a long last cell that wraps")], indent=1)

    assert page.text() == " a    first\n bbb  a long last cell\n      that wraps\n"


def test_a_row_with_an_empty_last_cell_is_still_a_row() -> None:
    page = Page()

    page.table([("a", "one", ""), ("b", "two", "x")])
    page.table([])

    assert page.text() == "a  one\nb  two  x\n"


def test_gaps_do_not_add_up_nor_stand_at_the_ends() -> None:
    page = Page()

    page.gap()
    page.heading("One")
    page.gap()
    page.gap()
    page.line("two")
    page.gap()

    assert page.text() == "One\n\ntwo\n"
    assert Page().text() == ""


@given(st.lists(st.tuples(st.text(max_size=12), st.sampled_from(["", *LOOKS]))))
def test_painting_changes_no_letter(pieces: list[tuple[str, str]]) -> None:
    page = Page(width=30)
    page.prose(*(Span(text, style) for text, style in pieces))  # type: ignore[arg-type]

    assert ANSI.sub("", page.text(terminal_paint())) == page.text()


def test_paint_colours_styles_only() -> None:
    page = Page()
    page.line("plain ", Span("bad", "bad"))

    assert page.text(terminal_paint()) == "plain \x1b[1;31mbad\x1b[0m\n"
