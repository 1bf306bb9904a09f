"""A range: what a branch brings, judged as one step and by the order of its commits (section 9).

As one step, because a squash, a rebase or a merge brings the result, and what counts there must
hold by the base's rules; a branch that is not merged yet is judged as its merge would be. By its
commits, because only they show order: whether seals came before openings, and whether something
that counted was changed or deleted on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from accord.errors import UsageError
from accord.model.finding import Finding
from accord.store.git import Repository
from accord.store.history import list_commits, require_descent, time_of_step
from accord.store.tree import Tree
from accord.verify.guarded import judge_guards
from accord.verify.in_force import check_first_use, find_past
from accord.verify.merge import Merge, judge_merge
from accord.verify.report import Report, place_findings
from accord.verify.run import judge_commit, list_judged, note_branch
from accord.verify.sources import means_of
from accord.verify.step import judge_step

# What only the order of commits shows: judged by the commits, not by the whole.
_ORDER = frozenset({"revealed-before-sealed", "seal-order-unproven", "saw-other-votes"})
# What may not happen on the way either, unless it was undone.
_FROZEN = frozenset({"frozen-file-changed", "signed-file-deleted"})


@dataclass(frozen=True, slots=True)
class _Commit:
    """A commit of the range, and those that it follows."""

    oid: str
    parents: tuple[str, ...]


def judge_range(repository: Repository, span: str, branch: str | None = None) -> Report:
    """Judge `BASE..HEAD`, where HEAD is, or would be, the commit that BASE's branch moves to.

    `branch` is the name of that branch, by default the one that HEAD is on. Raises UsageError
    when HEAD does not stand on BASE, CannotJudge when a commit between them is not at hand.
    """
    before, dots, after = span.partition("..")
    if not dots or after.startswith("."):
        raise UsageError(f"{span} is no range", "write it as BASE..HEAD")
    base, head = repository.resolve(before or "HEAD"), repository.resolve(after or "HEAD")
    require_descent(repository, base, head)
    landed = branch or (repository.branch() if head == repository.head() else None)
    return note_branch(judge_between(repository, base, head, landed), landed)


def judge_between(
    repository: Repository,
    base: str,
    head: str,
    branch: str | None = None,
    root: str | None = None,
) -> Report:
    """The same for two commits, of which the first is an ancestor of the second.

    `root` is the digest that the first policy of a history must have, None to trust it.
    """
    commits = [_Commit(*one) for one in list_commits(repository, base, head)]
    result = repository.commit(head)
    whole = _judge_whole(repository, (base, head), result, branch, root)
    if [commit.parents for commit in commits] == [(base,)]:
        return whole  # one commit is its own order
    return _judge_order(repository, whole, commits, result)


def _judge_whole(
    repository: Repository,
    span: tuple[str, str],
    result: Tree,
    branch: str | None,
    root: str | None,
) -> Report:
    """The step from a base to what a head makes of it, as one."""
    before = repository.commit(span[0])
    as_of = time_of_step(repository, *span)
    changed = list_judged(repository, before, result)
    report = judge_step(
        before,
        result,
        changed,
        as_of,
        means=means_of(repository),
        branch=branch,
        past=find_past(repository, before),
    )
    judged = judge_guards(repository, report, span, result, branch)
    first = check_first_use(before, result, root)
    return replace(judged, findings=(*judged.findings, *first))


def _judge_order(
    repository: Repository, whole: Report, commits: Sequence[_Commit], tip: Tree
) -> Report:
    """The report of a step, with what only the order of its commits shows."""
    on_the_way = [
        finding for commit in commits for finding in _judge_on_the_way(repository, commit, tip)
    ]
    kept = [finding for finding in whole.findings if finding.code not in _ORDER]
    return replace(whole, findings=place_findings(tip, [*kept, *on_the_way]))


def _judge_on_the_way(repository: Repository, commit: _Commit, tip: Tree) -> Iterator[Finding]:
    merge = len(commit.parents) > 1
    codes = _FROZEN if merge else _FROZEN | _ORDER
    here = repository.commit(commit.oid)
    for parent in commit.parents:
        found = judge_commit(repository, commit.oid, parent)
        there = repository.commit(parent)
        for finding in found.findings if found else ():
            if finding.code in codes and _still_matters(finding, there, tip):
                yield _tell_where(finding, commit.oid)
    if merge:
        parents = [repository.commit(parent) for parent in commit.parents]
        yield from judge_merge(Merge(commit.oid, here, parents), tip, repository.changed_paths)


def _still_matters(finding: Finding, before: Tree, tip: Tree) -> bool:
    """Order is told of what is still there; a change that was undone did no harm."""
    if finding.code in _ORDER:
        return tip.find(finding.path) is not None
    return tip.find(finding.path) != before.find(finding.path)


def _tell_where(finding: Finding, commit: str) -> Finding:
    return msgspec.structs.replace(finding, message=f"{finding.message} (in {commit[:12]})")
