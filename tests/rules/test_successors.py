"""What an older decision is shown as, for every course that newer ones take."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.evaluation import Status
from accord.model.succession import Succession, Successor, View
from accord.rules.evaluate import evaluate
from accord.rules.successors import find_successions, read_successor
from tests.rules.test_predecessors import ACCEPTED, NEW
from tests.support import files as b

OLD = "2026-01-02-older"
FIRST, SECOND = "2026-02-03-first", "2026-03-04-second"


def reopens(decision: str, status: Status) -> Successor:
    return Successor(decision=decision, status=status, reopens=OLD)


def supersedes(decision: str, status: Status) -> Successor:
    return Successor(decision=decision, status=status, supersedes=OLD)


VIEWS: dict[str, tuple[list[Successor], View, str]] = {
    "reopened, and voting": ([reopens(FIRST, "open")], "under_redecision", FIRST),
    "reopened, and escalated": ([reopens(FIRST, "escalated")], "under_redecision", FIRST),
    "reopened, and accepted": ([reopens(FIRST, "accepted")], "reversed", FIRST),
    "reopened, and refused": ([reopens(FIRST, "rejected")], "upheld", FIRST),
    "reopened, and withdrawn": ([reopens(FIRST, "withdrawn")], "upheld", FIRST),
    "superseded": ([supersedes(FIRST, "approved_with_amendments")], "superseded", FIRST),
    "to be superseded": ([supersedes(FIRST, "contested")], "under_redecision", FIRST),
    "upheld, then asked again": (
        [reopens(FIRST, "rejected"), reopens(SECOND, "open")],
        "under_redecision",
        SECOND,
    ),
    "upheld twice: the newest": (
        [reopens(FIRST, "rejected"), reopens(SECOND, "withdrawn")],
        "upheld",
        SECOND,
    ),
    "superseded, and still asked about": (
        [supersedes(FIRST, "accepted"), reopens(SECOND, "open")],
        "superseded",
        FIRST,
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_an_older_decision_is_shown_as_the_newer_ones_make_it(name: str) -> None:
    successors, view, by = VIEWS[name]
    expected = {OLD: Succession(view=view, by=by)}
    assert find_successions(successors) == expected
    assert find_successions(reversed(successors)) == expected


def test_one_decision_may_reopen_one_and_supersede_another() -> None:
    both = Successor(decision=SECOND, status="accepted", reopens=OLD, supersedes="2026-01-05-other")
    assert find_successions([both]) == {
        OLD: Succession(view="reversed", by=SECOND),
        "2026-01-05-other": Succession(view="superseded", by=SECOND),
    }


def test_a_draft_redecides_nothing() -> None:
    assert read_successor(evaluate(b.decide())) is None


def test_a_decision_that_names_none_is_no_successor() -> None:
    assert read_successor(evaluate(b.decide(b.agreed()))) is None


@pytest.mark.parametrize("field", ["reopens", "supersedes"])
def test_a_decision_says_what_it_decides_anew(field: str) -> None:
    files = b.open_round({field: ACCEPTED.id, "evidence": (*b.MANIFEST, NEW)})
    judgement = evaluate(b.decide(files), {ACCEPTED.id: ACCEPTED})
    fields: dict[str, Any] = {field: ACCEPTED.id}
    assert read_successor(judgement) == Successor(decision=b.ID, status="open", **fields)
