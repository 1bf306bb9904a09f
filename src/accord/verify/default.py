"""What is judged where nobody says what: what is staged if anything is, else the last step."""

from __future__ import annotations

from accord.store.git import Repository
from accord.verify.range import judge_between
from accord.verify.report import Report
from accord.verify.run import empty_tree, judge_staged, list_judged, note_branch, read_base
from accord.verify.shared import warn_of_stale
from accord.verify.sources import means_of
from accord.verify.step import judge_step


def judge_default(repository: Repository, now: str, branch: str | None = None) -> Report:
    """The index if it differs from HEAD, as of `now` (RFC 3339), else what HEAD brought.

    `branch` is where it lands or landed, by default what is checked out.
    """
    if repository.head() is None or _has_staged(repository):
        return judge_staged(repository, now, branch)
    here = repository.branch()
    report = _judge_last_step(repository, branch or here)
    if branch is not None:  # it may land there, and has not yet
        return report
    return warn_of_stale(repository, report, repository.resolve("HEAD"), here)


def _has_staged(repository: Repository) -> bool:
    if repository.root is None:
        return False
    return bool(repository.changed_paths(read_base(repository), repository.index()))


def _judge_last_step(repository: Repository, branch: str | None) -> Report:
    """HEAD upon its first parent, with all that it merged."""
    oid = repository.resolve("HEAD")
    parents = repository.parents(oid)
    if parents:
        return note_branch(judge_between(repository, parents[0], oid, branch), branch)
    base, head = empty_tree(repository), repository.commit(oid)
    report = judge_step(
        base,
        head,
        list_judged(repository, base, head),
        repository.commit_time(oid),
        means=means_of(repository),
        branch=branch,
    )
    return note_branch(report, branch)
