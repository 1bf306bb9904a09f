"""Names of older decisions are followed far, and in circles, and never for long."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import pytest

from accord.model.ids import digest_bytes
from accord.model.paths import POLICY, path_of
from accord.model.policy import Key
from accord.store.tree import MemoryTree
from accord.store.writer import dump
from accord.verify import Report, judge_step, judge_tree
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.keys import FixedKey

Opened = Literal["drafts", "opened"]
NOW = "2026-12-24T00:00:00Z"
POLICY_FILE = dump(
    a.make_policy(
        members={
            name: b.change(member, keys=(Key(ssh=FixedKey(name).line),))
            for name, member in a.make_policy().members.items()
        },
        classes={"architecture": b.make_class()},
    ),
    "policy",
)
BASE = MemoryTree({POLICY: POLICY_FILE})


def name_of(number: int) -> str:
    return f"2026-01-01-d{number:04}"


def sign(path: str, data: bytes, member: str) -> dict[str, bytes]:
    return {path: data, f"{path}.sig": FixedKey(member).sign(data)}


def write_round(decision: str, number: int, opened: Opened, **names: str) -> dict[str, bytes]:
    """The files of a round whose proposal names other decisions."""
    fields = {"decision": decision, "round": number, "evidence": (), "checks": (), "text": decision}
    proposal = b.proposal_file(**fields, **names)
    data = dump(proposal.record, "proposal")
    files = sign(path_of("proposal", decision, round_number=number), data, b.PROPOSER)
    if opened == "opened":
        ballot = b.ballot_file(replace(proposal, digest=digest_bytes(data))).record
        path = path_of("round", decision, round_number=number)
        files |= sign(path, dump(ballot, "round"), b.AUTHORITY)
    return files


def write_all(opened: Opened, named: Sequence[Sequence[int]]) -> dict[str, bytes]:
    """Decisions by number, of which each names these others, three in a round."""
    files = {POLICY: POLICY_FILE}
    for number, others in enumerate(named):
        for position, start in enumerate(range(0, max(len(others), 1), 3), start=1):
            names = zip(
                ("continues", "reopens", "supersedes"), others[start : start + 3], strict=False
            )
            given = {field: name_of(other) for field, other in names}
            files |= write_round(name_of(number), position, opened, **given)
    return files


def judge(files: dict[str, bytes]) -> Iterator[Report]:
    """As a tree, and as the step that brings all of it."""
    yield judge_tree(MemoryTree(files))
    yield judge_step(BASE, MemoryTree(files), sorted(files.keys() - {POLICY}), NOW)


# Deeper than the stack may become here: whatever goes down one level a decision ends.
CHAIN = [[number - 1] if number else [] for number in range(120)]
ROOM = len(CHAIN)
WEB = [[other for other in range(12) if other != number] for number in range(12)]


@pytest.mark.parametrize("opened", ["drafts", "opened"])
def test_a_long_chain_does_not_recurse(opened: Opened) -> None:
    files = write_all(opened, CHAIN)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + ROOM)
    try:
        alone, step = judge(files)
    finally:
        sys.setrecursionlimit(limit)
    assert len(alone.decisions) == len(step.decisions) == len(CHAIN)
    status = "draft" if opened == "drafts" else "open"
    assert {line.status for line in alone.decisions} == {status}
    assert "proposed-before" not in {finding.code for finding in alone.findings}
    # None of them has failed, so none can be continued by what enters.
    refused = {f.path.split("/")[1] for f in step.findings if f.code == "proposed-before"}
    assert len(refused) == (0 if opened == "drafts" else len(CHAIN) - 1)


@pytest.mark.parametrize("opened", ["drafts", "opened"])
def test_a_web_of_names_does_not_explode(opened: Opened) -> None:
    alone, step = judge(write_all(opened, WEB))
    assert len(alone.decisions) == len(step.decisions) == len(WEB)


def test_a_circle_is_judged_alike_wherever_it_is_entered() -> None:
    files = write_all("opened", [[1], [2], [0]])
    (first, _), (again, _) = (tuple(judge(files)) for _ in range(2))
    assert first == again
    assert {line.status for line in first.decisions} == {"open"}


def test_a_decision_that_names_itself_names_nothing() -> None:
    alone, step = judge(write_all("opened", [[0]]))
    assert [line.status for line in alone.decisions] == ["open"]
    assert [finding.code for finding in step.findings] == ["proposed-before"]
