"""The whole history: every step of the branch since its first policy (spec section 9).

Each step is judged upon what the one before it left standing: a policy that nobody enacted is
not in force for the next one, and what counted counts on, whatever landed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from accord.model.finding import Finding
from accord.model.paths import POLICY, ROOT
from accord.store.git import Repository
from accord.store.history import Step, has_touched, list_first_parents
from accord.store.tree import MemoryTree, Tree
from accord.verify.guarded import find_changes
from accord.verify.in_force import (
    ANOTHER_HISTORY,
    NO_POLICY,
    UnreadablePolicy,
    Upon,
    check_root,
    find_in_force,
)
from accord.verify.range import take_commits, take_range
from accord.verify.redacted import tell_redacted
from accord.verify.report import Report, sort_findings
from accord.verify.run import list_judged, note_branch
from accord.verify.settled import settle
from accord.verify.step import Taken, combine
from accord.verify.watch import Watch, unwatched


def judge_history(
    repository: Repository,
    revision: str,
    branch: str | None = None,
    root: str | None = None,
    watch: Watch = unwatched,
) -> Report:
    """Judge every first-parent step up to a commit, each with the commits that it merged.

    `root` is the digest that the first policy must have; None trusts it on first use. A step
    upon a first policy that cannot be read is not measured. Raises CannotJudge when the history is
    not all at hand.
    """
    repository = repository.as_it_was()
    head = repository.resolve(revision)
    branch = branch or (repository.branch() if head == repository.head() else None)
    commits = list_first_parents(repository, head)
    upon = Upon(MemoryTree({}, object_format=repository.object_format), NO_POLICY)
    taken: dict[str, Taken] = {}
    for step in watch(commits):
        try:
            one = _take_step(repository, upon, step, branch)
        except UnreadablePolicy as error:
            one = _leave_unmeasured(repository, upon, step, error)
        if one is None:
            upon = upon._replace(tree=repository.commit(step[0]))
        else:
            upon = one.left
            taken[step[0]] = one
    tip = repository.commit(head)
    taken = tell_redacted(repository, upon, taken)
    report = combine(tip, list(settle(repository, upon, taken).values()))
    found = _check_root(repository, commits, root) if root else ()
    return note_branch(replace(report, findings=sort_findings([*report.findings, *found])), branch)


def _take_step(repository: Repository, upon: Upon, step: Step, branch: str | None) -> Taken | None:
    """A commit upon what its first parent left, a merge with all that it brings. None: no change.

    Raises UnreadablePolicy where there is no policy yet but one that is broken.
    """
    oid, parents = step
    head = repository.commit(oid)
    changed = list_judged(repository, upon.tree, head)
    if len(parents) > 1:
        policy = upon.in_force.policy
        guarded = policy and find_changes(repository, repository.commit(parents[0]), head, policy)
        # A merge that takes nothing of its other side hides what stands there; it is looked at too.
        if not (guarded or changed or has_touched(repository, parents[0], oid, ROOT)):
            return None
        return take_range(repository, _find_policy(upon, head), (parents[0], oid), branch)
    if not changed:
        return None
    # Guards are not asked: a commit alone does not show what landed together with it.
    span = ((*parents, oid)[0], oid)
    return take_commits(repository, _find_policy(upon, head), span, (step,), branch)


def _find_policy(upon: Upon, head: Tree) -> Upon:
    """The first policy is that of the step which brings it."""
    if upon.in_force.policy is not None:
        return upon
    return upon._replace(in_force=find_in_force(upon.tree, head))


def _leave_unmeasured(
    repository: Repository, upon: Upon, step: Step, error: UnreadablePolicy
) -> Taken:
    """Why a step is not judged; those that follow are judged all the same."""
    oid, parents = step
    sentence = f"the step {oid[:12]}: {error.message}; {error.hint}"
    report = Report(oid, parents[0], 0, (), (), (sentence,))
    return Taken(report, {}, upon._replace(tree=repository.commit(oid)))


def _check_root(
    repository: Repository, commits: Iterable[tuple[str, tuple[str, ...]]], root: str
) -> tuple[Finding, ...]:
    """Whether the first policy of the history is the one that is named."""
    for oid, _ in commits:
        tree = repository.commit(oid)
        if tree.find(POLICY) is not None:
            return check_root(tree, root, f"the first policy, in {oid[:12]},")
    return (
        Finding(
            code="root-mismatch",
            path=POLICY,
            message="there never was a policy in this history",
            hint=ANOTHER_HISTORY,
        ),
    )
