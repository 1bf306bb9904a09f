"""Guarded code: a change of it needs an accepted decision (section 3.2, `guarded`).

The policy of the base says what is guarded. A decision allows a change if it arrives in the same
step, if it enacts these bytes, or if a commit of the step names it in a trailer:
`Accord-Decision: ID`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from accord.model.evaluation import ENDED
from accord.model.finding import Finding
from accord.model.paths import ROOT, path_of
from accord.model.policy import Guard, Policy
from accord.rules.guards import (
    PLAIN,
    Changes,
    Content,
    Demand,
    Found,
    Warrant,
    check_guarded,
    check_kept,
    find_guarded,
)
from accord.store.git import Repository
from accord.store.git_trees import SUBMODULE
from accord.store.history import list_trailers, time_of_step
from accord.store.load import list_decisions, load_policy
from accord.store.mentions import Mention
from accord.store.tree import Tree, TreeEntry
from accord.verify.authority import find_fault
from accord.verify.decision import Decisions
from accord.verify.report import Report
from accord.verify.sources import means_of
from accord.verify.step import step_sources

TRAILER = "Accord-Decision"
_BRANCH_UNKNOWN = (
    "guarded paths: {} may change on a protected branch with a decision only, and it is not known"
    " what this lands on (--branch NAME)"
)


@dataclass(frozen=True, slots=True)
class Landing:
    """What lands: two trees, the time that new files are judged by (RFC 3339), and the decisions
    that commits of the step name.
    """

    base: Tree
    head: Tree
    as_of: str
    named: Collection[str]


def judge_guards(
    repository: Repository,
    report: Report,
    policy: Policy | None,
    step: tuple[str, str],
    head: Tree,
    branch: str | None,
) -> Report:
    """A report, with what guarded code lacks that lands on a branch, or would.

    `policy` is the one in force, `step` are the commits before and after, `head` is the tree that
    the latter gives.
    """
    count, found = _judge(repository, policy, step, head, branch, check_guarded)
    report = replace(report, guarded=count)
    if branch is None and found:
        told = _BRANCH_UNKNOWN.format(", ".join(sorted({one.path for one in found})))
        return replace(report, not_measured=(*report.not_measured, told))
    return replace(report, findings=(*report.findings, *found))


def find_at_risk(
    repository: Repository, step: tuple[str, str], head: Tree, branch: str | None
) -> tuple[Finding, ...]:
    """What a squash of the step would lose: decisions that only a trailer names.

    Asked of what is not merged yet. `step` and `head` are those of `judge_guards`.
    """

    def check(
        guards: Sequence[Guard], changes: Changes, warrants: Sequence[Warrant]
    ) -> tuple[Finding, ...]:
        return check_kept(guards, changes, warrants, TRAILER)

    policy = load_policy(repository.commit(step[0])).policy
    return _judge(repository, policy, step, head, branch, check)[1]


def _judge(
    repository: Repository,
    policy: Policy | None,
    step: tuple[str, str],
    head: Tree,
    branch: str | None,
    check: Callable[[Sequence[Guard], Changes, Sequence[Warrant]], tuple[Finding, ...]],
) -> tuple[int, tuple[Finding, ...]]:
    """How many guarded paths change, and what is wrong with that."""
    before, after = step
    base = repository.commit(before)
    if policy is None or not policy.guarded or (branch and branch not in policy.protected):
        return 0, ()
    changes = find_changes(repository, base, head, policy)
    if not changes:
        return 0, ()
    as_of = time_of_step(repository, before, after)
    named = list_trailers(repository, before, after, TRAILER)
    landing = Landing(base, head, as_of, named)
    warrants = find_warrants(repository, policy, landing, changes)
    return len(changes), check(policy.guarded, changes, warrants)


def find_changes(repository: Repository, base: Tree, head: Tree, policy: Policy) -> Changes:
    """The guarded paths that differ, with the digest that each has now; see `rules.guards`."""
    if not policy.guarded:
        return {}
    paths = repository.changed_paths(base, head)
    changes = {
        path: _read_content(head, head.find(path))
        for path in paths
        if not path.startswith(f"{ROOT}/") and _may_be_guarded(policy, head, path)
    }
    return {
        path: content
        for path, content in changes.items()
        if find_guarded(policy.guarded, path, content)
    }


def _may_be_guarded(policy: Policy, head: Tree, path: str) -> bool:
    """Whether its bytes have to be read: most changes fall under no guard."""
    entry = head.find(path)
    odd = entry is not None and entry.mode not in PLAIN
    return odd or bool(find_guarded(policy.guarded, path))


def find_unwarranted(
    repository: Repository,
    policy: Policy,
    landing: Landing,
    changes: Changes,
    demand: Demand = "in force",
) -> tuple[Finding, ...]:
    """What no decision allows."""
    warrants = find_warrants(repository, policy, landing, changes)
    return check_guarded(policy.guarded, changes, warrants, demand)


def find_warrants(
    repository: Repository, policy: Policy, landing: Landing, changes: Changes
) -> tuple[Warrant, ...]:
    """The decisions that may allow a change, judged: those that arrive, those that enact what
    is there now, and those that are named.
    """
    base, head = landing.base, landing.head
    sources = step_sources(base, head, policy, landing.as_of, means_of(repository))
    decisions = Decisions(head, sources)
    there = frozenset(list_decisions(head))
    found: dict[str, Found] = dict.fromkeys(landing.named, "named")
    found |= dict.fromkeys(_list_enacting(decisions, policy, changes), "enacts")
    found |= dict.fromkeys(
        _list_arriving(repository.changed_paths(base, head, ROOT), base), "arrives"
    )
    return tuple(
        _read_warrant(decisions, name, how) for name, how in sorted(found.items()) if name in there
    )


def _list_enacting(decisions: Decisions, policy: Policy, changes: Changes) -> Iterator[str]:
    """The decisions with a record that enact what guarded paths hold now: their bytes say so."""
    digests = {
        content.digest
        for path, content in changes.items()
        if content is not None
        for guard in find_guarded(policy.guarded, path, content)
        if guard.by == "enacts"
    }
    wanted = [Mention("enacts", digest) for digest in sorted(digests) if digest]
    mentioned = decisions.sources.means.mentions.find(decisions.tree, wanted)
    for name in sorted(frozenset().union(*mentioned.values())):
        if decisions.tree.find(path_of("record", name)) is not None:
            yield name


def _list_arriving(paths: Iterable[str], base: Tree) -> Iterator[str]:
    """The decisions that change in a step and had not ended before it."""
    for name in sorted({path.split("/")[1] for path in paths if path.count("/") > 1}):
        if base.find(path_of("record", name)) is None:
            yield name


def _read_warrant(decisions: Decisions, name: str, found: Found) -> Warrant:
    judged = decisions.judge(name)
    latest = judged.judgement.rounds[-1] if judged.judgement.rounds else None
    if latest is None:
        return Warrant(name, "", fault="has no round")
    text = latest.amendment or latest.proposal
    evaluation = judged.judgement.evaluation
    return Warrant(
        decision=name,
        class_=evaluation.class_,
        affects=latest.proposal.record.affects,
        enacts={entry.path: Content(entry.mode, entry.digest) for entry in text.record.enacts},
        fault=find_fault(decisions, name, judged),
        under_way=evaluation.status not in ENDED,
        found=found,
    )


def _read_content(tree: Tree, entry: TreeEntry | None) -> Content | None:
    """What stands there; a submodule has no bytes here, and so none that could be enacted."""
    if entry is None:
        return None
    digest = "" if entry.mode == SUBMODULE else tree.digest(entry.path)
    return Content(entry.mode, str(digest))
