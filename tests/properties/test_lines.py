"""Taking lines away never turns a refusal into an acceptance (section 9).

What is left out has a default, and no default may be kinder than what stood there. The trees are
whole signed decisions, as they arrive on a protected branch; any line of any of their files goes,
signatures too.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import CannotJudge
from accord.model.finding import find_errors
from accord.model.paths import POLICY
from accord.store.tree import MemoryTree, find_differences
from accord.verify.step import judge_step
from tests.fuzz.trees import FILES, POLICY_FILE

AS_OF = "2030-01-01T00:00:00Z"
Files = Mapping[str, bytes]
# Which line goes: of which file, which line.
cuts = st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 1 << 16)), min_size=1, max_size=3)


def find_path(end: str) -> str:
    (path,) = (one for one in FILES if one.endswith(end))
    return path


VOTE = find_path("votes/challenger.yaml")
AFFIRMATION = find_path("affirmations/challenger.1.yaml")
BALLOT = find_path("round.yaml")
RECORD = find_path("record.yaml")


def without(*gone: str) -> Files:
    return {path: data for path, data in FILES.items() if path not in gone}


def changed(path: str, old: bytes, new: bytes) -> Files:
    assert old in FILES[path]
    return {**FILES, path: FILES[path].replace(old, new, 1)}


REFUSED: dict[str, Files] = {
    "a vote is missing": without(VOTE, f"{VOTE}.sig"),
    "a vote is not signed": without(f"{VOTE}.sig"),
    "a vote has another's signature": {
        **FILES,
        f"{VOTE}.sig": FILES[find_path("votes/implementer.yaml.sig")],
    },
    "a vote was turned": changed(VOTE, b"vote: agree", b"vote: abstain"),
    "an affirmation is missing": without(AFFIRMATION, f"{AFFIRMATION}.sig"),
    "the ballot has another roster": changed(BALLOT, b"challenger:", b"orchestrator:"),
    "the record is missing": without(RECORD),
    "the record says something else": changed(RECORD, b"status: accepted", b"status: rejected"),
    "the policy has another member": changed(POLICY, b"  dana:", b"  eve:"),
}


def cut(files: Files, where: list[tuple[int, int]]) -> Files:
    """The files without some of their lines."""
    left = dict(files)
    for which, line in where:
        path = sorted(left)[which % len(left)]
        lines = left[path].splitlines(keepends=True)
        if lines:
            del lines[line % len(lines)]
        left[path] = b"".join(lines)
    return left


def is_refused(base: Files, head: Files) -> bool:
    before, after = MemoryTree(base), MemoryTree(head)
    try:
        report = judge_step(before, after, find_differences(before, after), AS_OF, branch="main")
    except CannotJudge:
        return True
    return bool(find_errors(report.findings))


FOUNDED = {POLICY: POLICY_FILE}


def test_the_decision_itself_arrives() -> None:
    assert not is_refused(FOUNDED, FILES)


@pytest.mark.parametrize("head", REFUSED.values(), ids=REFUSED)
def test_each_of_them_is_refused(head: Files) -> None:
    assert is_refused(FOUNDED, head)


@given(st.sampled_from(sorted(REFUSED)), cuts)
def test_what_is_refused_stays_refused_without_some_lines(
    name: str, where: list[tuple[int, int]]
) -> None:
    assert is_refused(FOUNDED, cut(REFUSED[name], where))


@given(cuts)
def test_what_has_counted_is_refused_without_some_lines(where: list[tuple[int, int]]) -> None:
    assert is_refused(FILES, cut(FILES, where))


@pytest.mark.parametrize("line", range(POLICY_FILE.count(b"\n")))
def test_a_policy_without_a_line_takes_nothing_more(line: int) -> None:
    """The base itself has fewer lines: whatever was a rule, its default is no kinder."""
    lines = POLICY_FILE.splitlines(keepends=True)
    fewer = b"".join(lines[:line] + lines[line + 1 :])

    for name in ("a vote is missing", "an affirmation is missing", "the record is missing"):
        assert is_refused({POLICY: fewer}, {**REFUSED[name], POLICY: fewer})
