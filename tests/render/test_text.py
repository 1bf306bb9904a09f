"""The pages for people, whole, at 80 columns, with and without colour."""

from __future__ import annotations

import pytest

from accord.model.finding import Finding
from accord.model.snapshot import DecisionFiles
from accord.render.decision import render_decision
from accord.render.findings import Extent, count_findings, render_report
from accord.render.log import list_events, render_log
from accord.render.page import WIDTH, Page, count_cells, plain
from accord.render.paint import terminal_paint
from accord.render.status import render_status
from accord.render.words import join
from tests.golden import check_golden
from tests.render import examples
from tests.render.examples import (
    ACCEPTED,
    ASYMMETRY,
    CORRELATED,
    FILES,
    FINDINGS,
    ID,
    OPEN,
    TITLE,
    WAIT_RULING,
    WAIT_VOTES,
    Judged,
)

NOTHING = DecisionFiles(id=ID)
# All but the last file counts.
COUNTED = {event.path for event in list_events(FILES, ())[:-1]}
PAGES: dict[str, Page] = {
    "show.open": render_decision(OPEN, WAIT_VOTES, FILES),
    "show.asymmetry": render_decision(ASYMMETRY, (), FILES, FINDINGS),
    "show.correlated": render_decision(CORRELATED, WAIT_RULING, NOTHING),
    "show.accepted": render_decision(ACCEPTED, (), NOTHING),
    "show.draft": render_decision(examples.DRAFT, (), NOTHING),
    "status.some": render_status([(OPEN, WAIT_VOTES), (CORRELATED, WAIT_RULING), (ACCEPTED, ())]),
    "status.one": render_status([(OPEN, ())]),
    "status.ended": render_status([(ACCEPTED, ()), (ACCEPTED, ()), (examples.REJECTED, ())]),
    "status.empty": render_status([]),
    "log": render_log(ID, TITLE, list_events(FILES, COUNTED)),
    "log.empty": render_log(ID, TITLE, list_events(NOTHING, ())),
    "report": render_report(
        Judged(findings=FINDINGS, not_measured=("what came first: a tree alone shows no order",))
    ),
    "report.clean": render_report(Judged(tree="8b1c2d3e4a5b6c7d", base=None)),
    "report.warned": render_report(Judged(files=1, decisions=(), findings=FINDINGS[1:2])),
    "report.nothing": render_report(Judged(files=0, decisions=())),
    "report.guarded": render_report(Judged(files=0, decisions=(), guarded=2)),
    "report.nothing-wrong": render_report(Judged(files=0, decisions=(), findings=FINDINGS[:1])),
}


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str) -> None:
    check_golden(f"{name}.txt", PAGES[name].text(plain))


@pytest.mark.parametrize("name", ["show.correlated", "status.some", "report", "log"])
def test_page_in_colour(name: str) -> None:
    check_golden(f"{name}.colour.txt", PAGES[name].text(terminal_paint()))


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit(name: str) -> None:
    """Only paths and commands, which are copied whole, may be longer."""
    too_long = [
        line
        for line in PAGES[name].text().splitlines()
        if count_cells(line) > WIDTH and " " in line
    ]

    assert too_long == []


def test_causes_are_shown_and_what_follows_is_counted() -> None:
    early = Finding(code="record-early", path=f"decisions/{ID}/record.yaml", message="too early")
    page = f"docs/decisions/{ID}.md"
    stale = Finding(code="adr-stale", path=page, message="another page")
    vote = f"decisions/{ID}/rounds/1/votes/reviewer.yaml"
    changed = Finding(code="frozen-file-changed", path=vote, message="it was changed", hint="Undo.")

    def show(findings: tuple[Finding, ...], extent: Extent) -> list[str]:
        told = render_report(Judged(findings=findings), extent).text()
        return told.splitlines()

    few, all_ = show((early, changed), "causes"), show((early, changed), "all")
    count = "1 more finding follows from the above and is not shown: accord verify --all"
    assert count in few
    assert "record-early" not in " ".join(few)
    assert few[-1].endswith("2 errors.")
    assert count not in all_
    assert f"follows from frozen-file-changed in {vote}" in " ".join(" ".join(all_).split())
    more = show((early, changed, stale), "causes")
    assert "2 more findings follow from the above and are not shown: accord verify --all" in more


def test_counting_in_words() -> None:
    assert count_findings(FINDINGS) == "2 errors and 1 warning"
    assert count_findings(()) == "no errors"
    assert count_findings(FINDINGS[1:2]) == "1 warning"
    assert [join(["a"]), join(["a", "b"]), join(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
