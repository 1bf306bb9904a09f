"""The pages of worked cases: what the rules really say, at 80 columns."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from accord.model.case import Case, CaseExpectation
from accord.render.case import case_to_plain, find_surprises, render_case
from accord.render.page import WIDTH, count_cells
from accord.render.paint import terminal_paint
from accord.simulate import simulate
from accord.store.parse import parse_file
from tests.golden import check_golden

EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWN = (
    "quorum-with-one-claim",
    "minor-then-retracted",
    "path-independent-waiver",
    "failing-check",
    "bare-consensus-off",
)


def load(name: str) -> Case:
    path = EXAMPLES / f"{name}.yaml"
    case, findings = parse_file(path.read_bytes(), path.name, "case")
    assert isinstance(case, Case), findings
    return case


@pytest.mark.parametrize("name", SHOWN)
def test_case(name: str) -> None:
    case = load(name)
    page = render_case(f"{name}.yaml", case, simulate(case).evaluation)

    check_golden(f"case.{name}.txt", page.text())
    assert all(count_cells(line) <= WIDTH for line in page.text().splitlines())


def test_case_in_colour() -> None:
    case = load(SHOWN[0])
    page = render_case(f"{SHOWN[0]}.yaml", case, simulate(case).evaluation)

    check_golden(f"case.{SHOWN[0]}.colour.txt", page.text(terminal_paint()))


def test_what_was_not_expected_is_said() -> None:
    expected = CaseExpectation(status="rejected", independence={"strict": 7})
    case = msgspec.structs.replace(load(SHOWN[0]), expect=expected)
    evaluation = simulate(case).evaluation
    assert evaluation.independence is not None

    surprises = (
        f"status is {evaluation.status}, expected rejected",
        f"independence strict is {evaluation.independence.strict}, expected 7",
    )

    assert find_surprises(case, evaluation) == surprises
    assert case_to_plain("a.yaml", case, evaluation)["surprises"] == list(surprises)
    assert (
        f"\nNot as expected\n  ! {surprises[0]}\n" in render_case("a.yaml", case, evaluation).text()
    )
