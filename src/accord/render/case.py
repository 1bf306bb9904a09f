"""`simulate`: what the rules say of a worked case, and whether it was expected."""

from __future__ import annotations

import msgspec

from accord.model.case import Case
from accord.model.evaluation import Evaluation
from accord.render.decision import write_directive, write_gates
from accord.render.json import evaluation_to_plain
from accord.render.page import Page, Span


def find_surprises(case: Case, evaluation: Evaluation) -> tuple[str, ...]:
    """Where the evaluation is not what the case expects; what is not expected is not asserted."""
    expected = {
        name: value
        for name, value in msgspec.to_builtins(case.expect).items()
        if name != "independence"
    }
    surprises = [
        f"{name} is {getattr(evaluation, name)}, expected {value}"
        for name, value in expected.items()
        if getattr(evaluation, name) != value
    ]
    for name, number in sorted(case.expect.independence.items()):
        found = getattr(evaluation.independence, name, None)
        if found != number:
            surprises.append(f"independence {name} is {found}, expected {number}")
    return tuple(surprises)


def render_case(path: str, case: Case, evaluation: Evaluation) -> Page:
    """One case for people."""
    page = Page()
    page.line(Span(path, "title"))
    page.prose(case.title)
    write_directive(page, evaluation)
    write_gates(page, evaluation)
    surprises = find_surprises(case, evaluation)
    if surprises:
        page.heading("Not as expected")
        for surprise in surprises:
            page.prose(Span("!", "bad"), " ", surprise, indent=2, hanging=4)
    return page


def case_to_plain(path: str, case: Case, evaluation: Evaluation) -> dict[str, object]:
    """One case for programs: the evaluation, the file, and where it is not as expected."""
    return evaluation_to_plain(evaluation) | {
        "file": path,
        "surprises": list(find_surprises(case, evaluation)),
    }
