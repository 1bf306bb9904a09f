"""What `accord verify` and the hooks judge: what is staged, a commit, or the last step (9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from accord.model.paths import ADR_INDEX, ROOT
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.store.tree import MemoryTree, Tree
from accord.verify.guarded import judge_guards
from accord.verify.in_force import NO_PAST, find_past
from accord.verify.report import Report
from accord.verify.sources import means_of
from accord.verify.step import judge_step
from accord.verify.tree import judge_tree
from accord.verify.watch import Watch, unwatched

BRANCH_UNKNOWN = "branch: none is checked out, and a protected one does not take {} (--branch NAME)"


def judge_staged(repository: Repository, now: str, branch: str | None = None) -> Report:
    """The index against HEAD, as of `now` (RFC 3339).

    `branch` is where it will land, by default what is checked out; on a detached HEAD, none.
    """
    base, head = read_base(repository), repository.index()
    changed = list_judged(repository, base, head)
    return judge_step(
        base,
        head,
        changed,
        now,
        means=means_of(repository),
        branch=branch or repository.branch(),
        past=find_past(repository, base),
    )


def judge_revision(repository: Repository, revision: str, watch: Watch = unwatched) -> Report:
    """The tree of one commit, alone, on all processors."""
    from accord.verify.worker import spread

    oid = repository.resolve(revision)
    return judge_tree(repository.commit(oid), means_of(repository), spread(repository, oid, watch))


def judge_last_step(repository: Repository, branch: str | None = None) -> Report:
    """HEAD against its first parent. `branch` is where it landed, by default what HEAD is on."""
    oid = repository.resolve("HEAD")
    parents = repository.parents(oid)
    parent = parents[0] if parents else None
    landed = branch or repository.branch()
    report = _judge_commit(repository, oid, parent, landed)
    if parent is not None:
        policy = load_policy(repository.commit(parent)).policy
        head = repository.commit(oid)
        report = judge_guards(repository, report, policy, (parent, oid), head, landed)
    return note_branch(report, landed)


def note_branch(report: Report, branch: str | None) -> Report:
    """The report, with what is not measured where nobody knows what branch this lands on.

    What no class would let arrive is named; what may arrive anywhere was measured.
    """
    held_up = ", ".join(line.id for line in report.decisions if line.held_up)
    if branch is not None or not held_up:
        return report
    unmeasured = (*report.not_measured, BRANCH_UNKNOWN.format(held_up))
    return replace(report, not_measured=unmeasured)


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
        means=means_of(repository),
        branch=branch,
        # Asked where something changed: a history has many commits before its first policy.
        past=find_past(repository, base) if changed else NO_PAST,
    )


def judge_default(repository: Repository, now: str, branch: str | None = None) -> Report:
    """What is staged if anything is, else the last step."""
    staged: Literal["staged", "nothing"] = "nothing"
    if repository.root is not None:
        base, index = read_base(repository), repository.index()
        staged = "staged" if repository.changed_paths(base, index) else "nothing"
    if staged == "staged" or repository.head() is None:
        return judge_staged(repository, now, branch)
    return judge_last_step(repository, branch)


def read_base(repository: Repository) -> Tree:
    """What HEAD holds; nothing before the first commit."""
    head = repository.head()
    return _nothing(repository) if head is None else repository.commit(head)


def list_judged(repository: Repository, base: Tree, head: Tree) -> tuple[str, ...]:
    """The paths that differ, as far as `judge_step` looks at them."""
    return repository.changed_paths(base, head, ROOT, ADR_INDEX)


def _nothing(repository: Repository) -> Tree:
    return MemoryTree({}, object_format=repository.object_format)
