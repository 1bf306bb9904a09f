"""Which pages are refused, and which are nobody's business."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from accord.model.page_format import find_format, show_mark
from accord.rules.pages import Page, check_page, check_pages, find_touched, refuse_template

ID = "2026-12-01-use-a-queue"
PATH = f"docs/decisions/{ID}.md"
RIGHT = f"# Use a queue\n\n{show_mark('page')}\n".encode()
EDITED = RIGHT.replace(b"queue", b"bus")
LATER = RIGHT.replace(b"page/1", b"page/2")
BY_HAND = b"# Our own words\n"
LINK = "no plain file"


class Case(NamedTuple):
    page: dict[str, Any]
    code: str | None
    says: str = ""


CASES = {
    "right": Case({"after": RIGHT}, None),
    "right in the other style": Case({"after": RIGHT, "due": [EDITED, RIGHT]}, None),
    "unchanged and wrong": Case({"before": EDITED, "after": EDITED}, "adr-stale", "it is not the"),
    "edited": Case({"before": RIGHT, "after": EDITED}, "adr-stale", "it is not the page"),
    "missing": Case({}, "adr-stale", "missing"),
    "removed": Case({"before": RIGHT}, "adr-stale", "missing"),
    "a link": Case({"before": RIGHT, "after": LINK}, "adr-stale", "a link, a submodule"),
    "of a later format": Case({"after": LATER}, "adr-stale", "it is of format 2"),
    "by hand in its place": Case(
        {"before": BY_HAND, "after": BY_HAND}, "adr-stale", "accord did not write"
    ),
    "of nothing": Case({"standing": "absent", "after": RIGHT}, "page-without-record", "no deci"),
    "of nothing, by hand": Case(
        {"standing": "absent", "after": BY_HAND}, "page-without-record", "no decision"
    ),
    "of nothing, a link": Case(
        {"standing": "absent", "after": LINK}, "page-without-record", "no decision"
    ),
    "of nothing, by hand, and there before": Case(
        {"standing": "absent", "before": BY_HAND, "after": b"# More\n"}, None
    ),
    "of nothing, a link there before": Case(
        {"standing": "absent", "before": LINK, "after": LINK}, None
    ),
    "by hand, and then it passes for ours": Case(
        {"standing": "absent", "before": BY_HAND, "after": RIGHT}, "page-without-record"
    ),
    "ours, and then it passes for by hand": Case(
        {"standing": "absent", "before": RIGHT, "after": BY_HAND}, "page-without-record"
    ),
    "of nothing, removed": Case({"standing": "absent", "before": RIGHT}, None),
    "by hand, with the first policy": Case(
        {"standing": "absent", "after": BY_HAND, "first": True}, None
    ),
    "of nothing, with the first policy": Case(
        {"standing": "absent", "after": RIGHT, "first": True}, "page-without-record"
    ),
    "of what has not ended": Case(
        {"standing": "begun", "after": RIGHT}, "page-without-record", "has not ended"
    ),
    "of what has not ended, by hand": Case(
        {"standing": "begun", "after": BY_HAND}, "page-without-record"
    ),
    "of what has not ended, by hand before it began": Case(
        {"standing": "begun", "before": BY_HAND, "after": BY_HAND}, None
    ),
    "what was imported": Case({"standing": "imported", "after": BY_HAND}, None),
    "what was imported, as if accord wrote it": Case(
        {"standing": "imported", "before": BY_HAND, "after": RIGHT},
        "page-without-record",
        "was imported",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_page(name: str) -> None:
    case = CASES[name]
    fields: dict[str, Any] = {"standing": "ended", "before": None, "after": None, "due": [RIGHT]}
    found = check_page(Page(decision=ID, **(fields | case.page)))
    assert [(one.code, one.path) for one in found] == ([(case.code, PATH)] if case.code else [])
    assert all(case.says in one.message for one in found)


def test_the_way_out_of_a_page_in_the_way_begins_with_moving_it() -> None:
    (edited,) = check_pages({PATH: EDITED}, {PATH: [RIGHT]})
    (by_hand,) = check_pages({PATH: BY_HAND}, {PATH: [RIGHT]})
    assert edited.hint == f"accord adr {ID} --write"
    assert by_hand.hint == f"Move away what is there, then: {edited.hint}"


def test_pages_that_are_not_as_they_must_be() -> None:
    index = "docs/decisions/index.md"
    left = "docs/decisions/2026-12-02-left-behind.md"
    found = check_pages(
        {PATH: RIGHT, left: RIGHT, index: show_mark("index").encode()},
        {PATH: [RIGHT], index: [b""]},
    )
    assert [(one.code, one.path, one.message, one.hint) for one in found] == [
        (
            "page-without-record",
            left,
            "it is the page of a decision that has not ended",
            "Remove it; accord writes it with the record, when the decision has ended.",
        ),
        (
            "ledger-stale",
            index,
            "it is not the index that follows from the decisions",
            "accord adr --index --write",
        ),
    ]


def test_a_step_touches_pages_and_records() -> None:
    touched = find_touched(
        [
            PATH,
            "decisions/2026-12-02-b/record.yaml",
            "decisions/2026-12-03-c/evidence/record.yaml",
            "decisions/2026-12-04-d/rounds/1/proposal.yaml",
            "decisions/record.yaml",
            "docs/decisions/2026-12-05-e.MD",
            "docs/decisions/by-hand/2026-12-06-f.md",
            "docs/decisions/0001-by-hand.md",
            "docs/decisions/index.md",
        ]
    )
    assert touched == (ID, "2026-12-02-b")


def test_a_template_that_is_removed_leaves_a_way_out() -> None:
    path = "decisions/templates/adr.md.j2"
    assert 'extends "adr-madr.md.j2"' in refuse_template(path, None).hint
    assert "sha256:0" in refuse_template(path, "sha256:0").hint


FORMATS = {
    "the last line": (RIGHT, 1),
    "a later format": (LATER, 2),
    "the last of several": (RIGHT + LATER, 2),
    "with the line ends of Windows": (RIGHT.replace(b"\n", b"\r\n"), 1),
    "none": (BY_HAND, None),
    "in a quote": (b"> " + show_mark("page").encode(), None),
    "of an index": (show_mark("index").encode(), None),
    "zero": (RIGHT.replace(b"page/1", b"page/0"), None),
    "nothing": (None, None),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_that_a_page_names(name: str) -> None:
    data, number = FORMATS[name]
    assert find_format(data, "page") == number
