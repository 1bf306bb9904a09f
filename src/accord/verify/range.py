"""A range: what a branch brings, judged as one step and by the order of its commits (section 9).

As one step, because a squash, a rebase or a merge brings the result, and what counts there must
hold by the base's rules; a branch that is not merged yet is judged as its merge would be. By its
commits, because only they show order: whether seals came before openings, and whether something
that counted was changed or deleted on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from accord.errors import UsageError
from accord.model.paths import POLICY
from accord.rules.transition import check_result, check_step
from accord.store.git import Repository
from accord.store.history import (
    Step,
    list_commits,
    list_first_parents_since,
    require_descent,
    time_of_step,
)
from accord.store.restored import RestoredTree
from accord.verify.guarded import judge_guards
from accord.verify.in_force import Upon, check_first_use, find_in_force, find_past
from accord.verify.passage import Passage
from accord.verify.report import Report, place_findings, sort_findings
from accord.verify.run import list_judged, note_branch
from accord.verify.sources import means_of
from accord.verify.step import Taken, combine, step_sources, take_step


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
    report = judge_between(repository, base, head, landed)
    return note_branch(note_nothing(report, base, head), landed)


def note_nothing(report: Report, base: str, head: str) -> Report:
    """The report, with a word for a step that brings no commit: nothing of it was judged."""
    if base != head:
        return report
    why = f"all of {head[:12]} is part of what it lands on"
    note = f"there is nothing to judge: {why}"
    return replace(report, notes=(*report.notes, note), why=why)


def judge_between(
    repository: Repository,
    base: str,
    head: str,
    branch: str | None = None,
    root: str | None = None,
) -> Report:
    """The same for two commits, of which the first is an ancestor of the second.

    Where the branch itself went through a policy that was enacted on it, what follows that commit
    is judged by it; else all of it is one step, by the policy of the base. `root` is the digest
    that the first policy of a history must have, None to trust it.
    """
    before = repository.commit(base)
    past = find_past(repository, before)
    taken: list[Taken] = []
    start, upon = base, Upon(before, find_in_force(before, repository.commit(head), past))
    for end in (*_list_new_policies(repository, base, head), head):
        if upon.in_force.trust == "first use":
            upon = Upon(upon.tree, find_in_force(upon.tree, repository.commit(end), past))
        one = take_range(repository, upon, (start, end), branch, root)
        if end == head or one.left.in_force != upon.in_force:
            taken.append(one)
            start, upon = end, one.left
    report = combine(repository.commit(head), taken)
    return replace(report, base=base, not_measured=(*past.not_measured, *report.not_measured))


def _list_new_policies(repository: Repository, base: str, head: str) -> Sequence[str]:
    """The commits between, of the branch itself, that bring another policy than they found."""
    ends = [repository.commit(oid).find(POLICY) for oid in (base, head)]
    if ends[0] == ends[1]:
        return ()
    line = list_first_parents_since(repository, base, head)
    policies = {oid: repository.commit(oid).find(POLICY) for oid in (base, *line)}
    pairs = zip((base, *line), line, strict=False)
    return [oid for before, oid in pairs if oid != head and policies[before] != policies[oid]]


def take_range(
    repository: Repository,
    upon: Upon,
    span: tuple[str, str],
    branch: str | None = None,
    root: str | None = None,
) -> Taken:
    """What a span of commits brings upon what stands at its start: as one step, and by each."""
    taken = take_commits(repository, upon, span, list_commits(repository, *span), branch)
    result = repository.commit(span[1])
    policy = upon.in_force.policy
    report = judge_guards(repository, taken.report, policy, span, result, branch)
    first = check_first_use(upon.tree, result, root)
    return replace(taken, report=replace(report, findings=(*report.findings, *first)))


def take_commits(
    repository: Repository,
    upon: Upon,
    span: tuple[str, str],
    commits: Sequence[Step],
    branch: str | None = None,
) -> Taken:
    """The same without guards, which ask what landed together; `commits` are those of the span."""
    base, head = span
    result = repository.commit(head)
    as_of = time_of_step(repository, base, head)
    # One commit is its own order.
    alone = commits in (((head, (base,)),), ((head, ()),))
    taken = take_step(
        upon,
        result,
        list_judged(repository, upon.tree, result),
        as_of,
        means=means_of(repository),
        branch=branch,
        rules=check_step if alone else check_result,
    )
    policy = upon.in_force.policy
    if policy is None or (alone and taken.left.tree is result):
        return taken
    sources = step_sources(upon.tree, result, policy, as_of, means_of(repository))
    passage = Passage(repository, upon.tree, result, as_of, sources)
    on_the_way = place_findings(result, passage.judge(commits, base))
    seen = {(one.code, one.path) for one in on_the_way}
    kept = (one for one in taken.report.findings if (one.code, one.path) not in seen)
    # A branch that was rewound has no commit since its base.
    left = passage.left.get(head)
    tree = taken.left.tree if left is None else left.tree
    if left is not None and taken.templates:
        tree = RestoredTree(left.tree, taken.templates)
    return replace(
        taken,
        report=replace(taken.report, findings=sort_findings([*kept, *on_the_way])),
        left=taken.left._replace(tree=tree),
    )
