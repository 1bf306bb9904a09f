"""The whole history: every step of the branch since its first policy (section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from accord.model.finding import Finding
from accord.model.paths import POLICY, ROOT, directory_of
from accord.store.git import Repository
from accord.store.history import has_touched, list_first_parents
from accord.store.load import load_policy
from accord.verify.guarded import find_changes
from accord.verify.in_force import ANOTHER_HISTORY, UnreadablePolicy, check_root
from accord.verify.range import judge_between
from accord.verify.report import DecisionLine, Report, place_findings
from accord.verify.run import judge_commit, list_judged, note_branch
from accord.verify.watch import Watch, unwatched

_ARRIVAL = "undecided-on-protected-branch"


def judge_history(
    repository: Repository,
    revision: str,
    branch: str | None = None,
    root: str | None = None,
    watch: Watch = unwatched,
) -> Report:
    """Judge every first-parent step up to a commit, each with the commits that it merged.

    `root` is the digest that the first policy must have; None trusts it on first use. A step
    upon a policy that cannot be read is not measured. Raises CannotJudge when the history is not
    all at hand.
    """
    head = repository.resolve(revision)
    branch = branch or (repository.branch() if head == repository.head() else None)
    whole = Report(tree=head, base=None, files=0, decisions=(), findings=(), not_measured=())
    lines: dict[str, DecisionLine] = {}
    # Many commits may have landed at once: whether a decision may be here is asked of its last.
    arrivals: dict[str, tuple[Finding, ...]] = {}
    commits = list_first_parents(repository, head)
    for oid, parents in watch(commits):
        step = _judge_step(repository, oid, parents, branch)
        if step is None:
            continue
        lines |= {line.id: line for line in step.decisions}
        arrivals |= {line.id: _find_arrival(step, line.id) for line in step.decisions}
        whole = replace(
            whole,
            files=whole.files + step.files,
            findings=(*whole.findings, *(one for one in step.findings if one.code != _ARRIVAL)),
            not_measured=tuple(dict.fromkeys((*whole.not_measured, *step.not_measured))),
            notes=(*whole.notes, *step.notes),
        )
    tip = repository.commit(head)
    found = [*whole.findings, *(one for found in arrivals.values() for one in found)]
    found += _check_root(repository, commits, root) if root else ()
    standing = tuple(line for name, line in sorted(lines.items()) if tip.list(f"{ROOT}/{name}"))
    told = replace(whole, decisions=standing, findings=place_findings(tip, found))
    return note_branch(told, branch)


def _judge_step(
    repository: Repository, oid: str, parents: tuple[str, ...], branch: str | None
) -> Report | None:
    """One step, or why it is not judged; those that follow are judged all the same."""
    try:
        return _judge_commits(repository, oid, parents, branch)
    except UnreadablePolicy as error:
        sentence = f"the step {oid[:12]}: {error.message}; {error.hint}"
        return Report(oid, parents[0], 0, (), (), (sentence,))


def _judge_commits(
    repository: Repository, oid: str, parents: tuple[str, ...], branch: str | None
) -> Report | None:
    """A commit against its first parent, a merge with all that it brings. None: no change."""
    if len(parents) < 2:
        # Guards are not asked: a commit alone does not show what landed together with it.
        return judge_commit(repository, oid, parents[0] if parents else None, branch)
    before, after = (repository.commit(one) for one in (parents[0], oid))
    policy = load_policy(before).policy
    guarded = policy is not None and find_changes(repository, before, after, policy)
    # A merge that takes nothing of its other side hides what stands there; it is looked at too.
    if not (guarded or list_judged(repository, before, after)) and not has_touched(
        repository, parents[0], oid, ROOT
    ):
        return None
    return judge_between(repository, parents[0], oid, branch)


def _find_arrival(step: Report, decision: str) -> tuple[Finding, ...]:
    place = directory_of(decision)
    return tuple(
        one for one in step.findings if one.code == _ARRIVAL and one.path.startswith(place)
    )


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
