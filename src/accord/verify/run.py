"""What `accord verify` and the hooks judge: what is staged, a commit, or the last step (9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from accord.model.paths import ADR_INDEX, ROOT
from accord.store.git import Repository
from accord.store.tree import MemoryTree, Tree
from accord.verify.in_force import find_past
from accord.verify.report import Report
from accord.verify.sources import finder
from accord.verify.step import judge_step
from accord.verify.tree import judge_tree

BRANCH_UNKNOWN = (
    "no branch is checked out, so what a protected branch takes was not judged: say --branch NAME"
)


def judge_staged(repository: Repository, now: str) -> Report:
    """The index against HEAD, as of `now` (RFC 3339)."""
    base, head = read_base(repository), repository.index()
    changed = list_judged(repository, base, head)
    return judge_step(
        base,
        head,
        changed,
        now,
        find_artifact=finder(repository),
        branch=repository.branch(),
        past=find_past(repository, base),
    )


def judge_revision(repository: Repository, revision: str) -> Report:
    """The tree of one commit, alone."""
    return judge_tree(repository.commit(repository.resolve(revision)), finder(repository))


def judge_last_step(repository: Repository, branch: str | None = None) -> Report:
    """HEAD against its first parent. `branch` is where it landed, by default what HEAD is on."""
    oid = repository.resolve("HEAD")
    parents = repository.parents(oid)
    landed = branch or repository.branch()
    return note_branch(
        _judge_commit(repository, oid, parents[0] if parents else None, landed), landed
    )


def note_branch(report: Report, branch: str | None) -> Report:
    """The report, with a note where nobody knows whether the branch is a protected one."""
    if branch is not None or not report.decisions:
        return report
    return replace(report, notes=(*report.notes, BRANCH_UNKNOWN))


def judge_commit(
    repository: Repository, oid: str, parent: str | None, branch: str | None = None
) -> Report | None:
    """A commit against one of its parents (None: it has none). None if no decision changed."""
    report = _judge_commit(repository, oid, parent, branch)
    return report if report.files or report.findings else None


def _judge_commit(
    repository: Repository, oid: str, parent: str | None, branch: str | None = None
) -> Report:
    head = repository.commit(oid)
    base = repository.commit(parent) if parent is not None else _nothing(repository)
    times = [repository.commit_time(one) for one in (oid, parent) if one is not None]
    changed = list_judged(repository, base, head)
    return judge_step(
        base,
        head,
        changed,
        max(times),
        find_artifact=finder(repository),
        branch=branch,
        past=find_past(repository, base),
    )


def judge_default(repository: Repository, now: str, branch: str | None = None) -> Report:
    """What is staged if anything is, else the last step."""
    staged: Literal["staged", "nothing"] = "nothing"
    if repository.root is not None:
        base, index = read_base(repository), repository.index()
        staged = "staged" if repository.changed_paths(base, index) else "nothing"
    if staged == "staged" or repository.head() is None:
        return judge_staged(repository, now)
    return judge_last_step(repository, branch)


def read_base(repository: Repository) -> Tree:
    """What HEAD holds; nothing before the first commit."""
    head = repository.head()
    return _nothing(repository) if head is None else repository.commit(head)


def list_judged(repository: Repository, base: Tree, head: Tree) -> tuple[str, ...]:
    """The paths that differ, as far as `judge_step` looks at them."""
    places = (ROOT, ADR_INDEX)
    return tuple(path for place in places for path in repository.changed_paths(base, head, place))


def _nothing(repository: Repository) -> Tree:
    return MemoryTree({}, object_format=repository.object_format)
