"""The ledger as it is written down: bytes that do not change, and a page for people."""

from __future__ import annotations

from accord.model.ledger import FileEvent, LedgerEvent, VoteRound
from accord.render.ledger import render_ledger, render_ledger_page
from accord.render.page import WIDTH, count_cells, plain
from accord.render.paint import terminal_paint
from tests.golden import check_golden
from tests.render.examples import ID, digest
from tests.support.chain import find_breaks

OTHER = "2026-12-01-" + "x" * 52
RECORD = digest("record")
EVENTS: tuple[LedgerEvent, ...] = (
    FileEvent(event="proposal", decision=ID, digest=digest("proposal"), prev=RECORD),
    FileEvent(event="round_opened", decision=ID, digest=digest("round")),
    VoteRound(
        event="vote_round",
        decision=ID,
        digest=digest("transcript"),
        proposal=f"{ID}/1",
        voters=("catfish", "omar"),
        result="approved_with_amendments",
        timestamp="2026-11-30T14:18:00.25Z",
    ),
    FileEvent(event="amendment", decision=ID, digest=digest("amendment")),
    FileEvent(event="record", decision=ID, digest=RECORD),
    FileEvent(event="rederivation", decision=OTHER, digest=digest("look")),
)


def test_the_bytes() -> None:
    check_golden("ledger.jsonl", render_ledger(EVENTS).decode())


def test_the_chain_holds() -> None:
    assert find_breaks(render_ledger(EVENTS)) == []


def test_decisions_stand_in_the_order_of_their_ids() -> None:
    assert render_ledger((*EVENTS[5:], *EVENTS[:5])) == render_ledger(EVENTS)


def test_nothing_is_an_empty_file() -> None:
    assert render_ledger(()) == b""


def test_the_page() -> None:
    check_golden("ledger.txt", render_ledger_page(EVENTS).text(plain))
    check_golden("ledger.colour.txt", render_ledger_page(EVENTS).text(terminal_paint()))
    check_golden("ledger.empty.txt", render_ledger_page(()).text(plain))


def test_an_event_is_a_line_that_fits() -> None:
    lines = render_ledger_page(EVENTS).text(plain).splitlines()

    assert len(lines) == len(EVENTS) + 3
    assert [line for line in lines if count_cells(line) > WIDTH] == []
