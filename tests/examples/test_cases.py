"""Worked cases: a decision a file, and what the rules must say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.model.case import Case
from accord.render.case import find_surprises
from accord.simulate import simulate
from accord.store.parse import parse_draft

SHOWN = sorted((Path(__file__).parents[2] / "docs/cases").glob("*.yaml"))
CASES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("file", CASES, ids=[file.stem for file in CASES])
def test_a_case_ends_as_it_expects(file: Path) -> None:
    case, findings = parse_draft(file.read_bytes(), file.name, "case", {})
    assert findings == ()
    assert isinstance(case, Case)
    evaluation = simulate(case).evaluation
    expected = case.expect
    assert (evaluation.outcome, evaluation.verdict, evaluation.status) == (
        expected.outcome,
        expected.verdict,
        expected.status,
    )
    counts = {name: getattr(evaluation.independence, name) for name in expected.independence}
    assert counts == expected.independence


@pytest.mark.parametrize("file", SHOWN, ids=[file.stem for file in SHOWN])
def test_the_cases_of_the_docs_end_as_they_say(file: Path) -> None:
    case, findings = parse_draft(file.read_bytes(), file.name, "case", {})
    assert findings == ()
    assert isinstance(case, Case)
    assert case.expect.status is not None
    assert find_surprises(case, simulate(case).evaluation) == ()


def test_there_are_cases() -> None:
    assert len(CASES) >= 10
    assert len(SHOWN) == 5
