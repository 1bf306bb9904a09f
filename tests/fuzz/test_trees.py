"""Whole decisions, spoiled: judged without falling over, and never better than before."""

from __future__ import annotations

from hypothesis import given

from accord.errors import CannotJudge
from accord.model.finding import find_errors
from accord.model.paths import POLICY
from accord.render.findings import render_report
from accord.render.json import render_json, report_to_plain
from accord.store.tree import MemoryTree, find_differences
from accord.verify.report import Report
from accord.verify.step import judge_step
from accord.verify.tree import judge_tree
from tests.fuzz.mutations import TreeEdit, spoil_tree, tree_edits
from tests.fuzz.trees import FILES

AS_OF = "2030-01-01T00:00:00Z"
BASE = MemoryTree(FILES)


def render(report: Report) -> None:
    """As somebody reads it, who may have a terminal that obeys."""
    assert "\x1b" not in render_report(report).text()
    assert "\x1b" not in render_json(report_to_plain(report))


def test_the_decision_itself_is_good() -> None:
    assert find_errors(judge_tree(BASE).findings) == ()


@given(tree_edits)
def test_a_spoiled_tree(changes: list[TreeEdit]) -> None:
    files, modes = spoil_tree(FILES, changes)
    render(judge_tree(MemoryTree(files, modes)))


@given(tree_edits)
def test_a_spoiled_step(changes: list[TreeEdit]) -> None:
    """What counts was changed, so there is an error: no changed byte of a frozen file passes."""
    files, modes = spoil_tree(FILES, changes)
    head = MemoryTree(files, modes)
    paths = find_differences(BASE, head)
    try:
        report = judge_step(BASE, head, paths, AS_OF, branch="main")
    except CannotJudge as error:
        assert error.message
        return
    render(report)
    if any(path in FILES and path != POLICY for path in paths):
        assert find_errors(report.findings)


@given(tree_edits)
def test_on_top_of_a_spoiled_tree(changes: list[TreeEdit]) -> None:
    files, modes = spoil_tree(FILES, changes)
    base = MemoryTree(files, modes)
    try:
        render(judge_step(base, BASE, find_differences(base, BASE), AS_OF))
    except CannotJudge as error:
        assert error.message
