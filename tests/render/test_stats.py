"""`stats` for people, whole, at 80 columns; and for spreadsheets."""

from __future__ import annotations

import csv
import io
import json

import msgspec
import pytest

from accord.analytics import count_statistics
from accord.model.statistics import (
    TOO_FEW_BELOW,
    Answers,
    Hits,
    Pair,
    Refinement,
    Resolved,
    Scope,
    Share,
    Statistics,
)
from accord.render.json import record_to_plain, render_json
from accord.render.page import WIDTH, Page, count_cells, plain
from accord.render.paint import terminal_paint
from accord.render.stats import render_stats
from accord.render.stats_rows import BAR, Drawing, Row, write_rows
from accord.render.stats_table import HEADER, render_csv
from tests.analytics.story import JUDGEMENTS, STORY
from tests.golden import check_golden
from tests.support.tables import table

LONG = "a-" * 31 + "b"
SOME = count_statistics(JUDGEMENTS, Scope())
EMPTY = count_statistics((), Scope())
MANY = msgspec.structs.replace(
    count_statistics(
        JUDGEMENTS, Scope(class_="architecture", since="2026-01-01", until="2026-12-31")
    ),
    refinement=Refinement(
        count=4,
        of=5,
        ends=tuple(
            Share(key=end.key, count=count, of=5)
            for end, count in zip(SOME.refinement.ends, (3, 1, 0, 0, 0, 1), strict=True)
        ),
    ),
    resolved_by_refinement=(
        Resolved(category="YAGNI", count=4, of=7, raised_again=1, unheard=2),
        Resolved(category="MISALIGNED", count=0, of=5, raised_again=5, unheard=0),
    ),
    challengers=(
        Hits(
            voter="challenger",
            count=5,
            of=9,
            how={"amendment": 2, "agreement": 2, "answer": 1},
            pending=0,
        ),
        Hits(
            voter=LONG,
            count=0,
            of=0,
            how={"amendment": 0, "agreement": 0, "answer": 0},
            pending=12,
        ),
    ),
    voters=1234,
    never_dissenting=(
        Answers(voter=LONG, rounds=1200),
        Answers(voter="ada", rounds=TOO_FEW_BELOW),
        Answers(voter="ben", rounds=TOO_FEW_BELOW - 1),
    ),
    pairs=7,
    always_agreeing=(
        Pair(voters=("ada", "ben"), rounds=12),
        Pair(voters=(LONG, LONG.replace("b", "c")), rounds=TOO_FEW_BELOW),
        Pair(voters=("ada", "cem"), rounds=TOO_FEW_BELOW - 1),
    ),
)
UNVOTED = count_statistics([STORY["a draft"]], Scope())
AGREED = count_statistics([STORY["all agree, four of them"]], Scope())
HOSTILE = msgspec.structs.replace(
    SOME,
    never_dissenting=tuple(
        Answers(voter=voter, rounds=1)
        for voter in ("=1+1", "+1", "-1", "@SUM(A1)", 'a"b,c', "\x1b[2J", "\t=1")
    ),
)
PAGES: dict[str, tuple[Statistics, Drawing]] = {
    "stats": (SOME, "numbers"),
    "stats.bars": (MANY, "bars"),
    "stats.empty": (EMPTY, "numbers"),
    "stats.unvoted": (UNVOTED, "numbers"),
    "stats.agreed": (AGREED, "numbers"),
}


@table(("statistics", "drawing"), PAGES)
def test_page(statistics: Statistics, drawing: Drawing, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.id
    check_golden(f"{name}.txt", render_stats(statistics, drawing).text(plain))


def test_page_in_colour() -> None:
    check_golden("stats.colour.txt", render_stats(SOME, "bars").text(terminal_paint()))


@pytest.mark.parametrize("drawing", ["bars", "numbers"])
@table("statistics", {"some": SOME, "many": MANY, "empty": EMPTY, "hostile": HOSTILE})
def test_pages_fit(statistics: Statistics, drawing: Drawing) -> None:
    lines = render_stats(statistics, drawing).text().splitlines()

    assert [line for line in lines if count_cells(line) > WIDTH] == []


def test_nothing_of_a_scope_is_told_in_words() -> None:
    scope = Scope(class_="migration", since="2027-01-01", until="2027-02-01")
    page = render_stats(count_statistics(JUDGEMENTS, scope), "numbers").text()

    assert " ".join(page.split()) == (
        "There is nothing to count yet: there is no decision of class migration since 2027-01-01"
        " until 2027-02-01."
    )


# Filled cells of a bar: none and all are kept for none and all.
BARS: dict[str, tuple[int, int, int]] = {
    "none": (0, 7, 0),
    "none of none": (0, 0, 0),
    "hardly any": (1, 1000, 1),
    "a half": (1, 2, BAR // 2),
    "nearly all": (999, 1000, BAR - 1),
    "all": (7, 7, BAR),
    "large numbers are exact": (10**17, 10**17 * 2, BAR // 2),
}


@table(("count", "of", "filled"), BARS)
def test_bars(count: int, of: int, filled: int) -> None:
    page = Page()
    write_rows(page, [Row(count, of, "x")], "bars", indent=0)
    (line,) = page.text().splitlines()

    assert line == f"{count} of {of}  {'█' * filled}{'·' * (BAR - filled)}  x"


def test_bars_give_way_to_names() -> None:
    page = Page()
    write_rows(page, [Row(1, 2, LONG), Row(10, 20, "b", "a remark")], "bars", indent=4)

    assert page.text() == f"     1 of 2   {LONG}\n    10 of 20  b (a remark)\n"


def test_csv() -> None:
    check_golden("stats.csv.txt", render_csv(SOME))


def test_csv_of_nothing_has_its_zeros() -> None:
    rows = list(csv.reader(io.StringIO(render_csv(EMPTY))))

    assert tuple(rows[0]) == HEADER
    limit = ["total", "too_few_below", "5", ""]
    assert limit in rows
    assert {row[2] for row in rows[1:] if row != limit} == {"0"}


def test_what_is_said_of_one_member_says_so_where_it_is_too_little() -> None:
    told = render_stats(SOME, "numbers").text()
    assert "0 of 1  newcomer (too few to say)" in told
    assert "1 vote  newcomer (too few to say)" in told
    assert "6 of 9  challenger\n" in told
    assert told.rstrip().endswith("may have been right.")


def test_no_cell_is_a_formula() -> None:
    text = render_csv(HOSTILE)
    keys = [row[1] for row in csv.reader(io.StringIO(text)) if row[0] == "never_dissenting"]

    assert keys == ["'=1+1", "'+1", "'-1", "'@SUM(A1)", 'a"b,c', "\\x1b[2J", "\\x09=1"]
    assert all(cell.isprintable() for cell in text.splitlines())


def test_no_key_of_real_statistics_needs_to_be_defused() -> None:
    assert "'" not in render_csv(SOME)


def test_json() -> None:
    check_golden("stats.json.txt", render_json(record_to_plain(SOME)))


def test_json_holds_whole_numbers_only() -> None:
    def find_floats(value: object) -> list[float]:
        if isinstance(value, dict):
            return [found for each in value.values() for found in find_floats(each)]
        if isinstance(value, list):
            return [found for each in value for found in find_floats(each)]
        return [value] if isinstance(value, float) else []

    assert find_floats(json.loads(render_json(record_to_plain(MANY)))) == []


def test_hostile_names_move_no_cursor() -> None:
    assert "\x1b" not in render_stats(HOSTILE, "numbers").text()
    assert "\x1b" not in render_json(record_to_plain(HOSTILE))


def test_pairs_with_enough_rounds_are_all_named() -> None:
    always = MANY.always_agreeing[:1]
    page = render_stats(msgspec.structs.replace(MANY, always_agreeing=always), "numbers").text()

    assert "  12 rounds  ada and ben\n\n" in page
    assert "shared rounds" not in page
