"""Guarded code: a change of it needs an accepted decision (section 3.2, `guarded`).

The policy of the base says what is guarded. A decision allows a change if it arrives in the same
step, or if a commit of the step names it in a trailer: `Accord-Decision: ID`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from accord.model.evaluation import ENDED, IN_FORCE
from accord.model.finding import Finding, find_errors
from accord.model.ids import digest_bytes
from accord.model.paths import ROOT, path_of
from accord.model.policy import Policy
from accord.rules.guards import Changes, Demand, Warrant, check_guarded, find_guarded
from accord.rules.successors import find_successions, read_successor
from accord.store.git import Repository
from accord.store.history import list_trailers, time_of_step
from accord.store.load import list_decisions, load_policy
from accord.store.tree import Tree, TreeEntry
from accord.verify.decision import Decisions, Judged
from accord.verify.report import Report
from accord.verify.sources import means_of
from accord.verify.step import step_sources

TRAILER = "Accord-Decision"
_PLAIN = ("100644", "100755")
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
    repository: Repository, report: Report, step: tuple[str, str], head: Tree, branch: str | None
) -> Report:
    """A report, with what guarded code lacks that lands on a branch, or would.

    `step` are the commits before and after, `head` is the tree that the latter gives.
    """
    before, after = step
    base = repository.commit(before)
    policy = load_policy(base).policy
    if policy is None or not policy.guarded or (branch and branch not in policy.protected):
        return report
    changes = find_changes(repository, base, head, policy)
    if not changes:
        return report
    as_of = time_of_step(repository, before, after)
    named = list_trailers(repository, before, after, TRAILER)
    found = find_unwarranted(repository, policy, Landing(base, head, as_of, named), changes)
    if branch is None and found:
        told = _BRANCH_UNKNOWN.format(", ".join(sorted({one.path for one in found})))
        return replace(report, not_measured=(*report.not_measured, told))
    return replace(report, findings=(*report.findings, *found))


def find_changes(repository: Repository, base: Tree, head: Tree, policy: Policy) -> Changes:
    """The guarded paths that differ, with the digest that each has now; see `rules.guards`."""
    if not policy.guarded:
        return {}
    paths = repository.changed_paths(base, head)
    changes = {
        path: _digest(head, path, head.find(path))
        for path in paths
        if not path.startswith(f"{ROOT}/") and _may_be_guarded(policy, head, path)
    }
    return {
        path: digest
        for path, digest in changes.items()
        if find_guarded(policy.guarded, path, digest)
    }


def _may_be_guarded(policy: Policy, head: Tree, path: str) -> bool:
    """Whether its bytes have to be read: most changes fall under no guard."""
    entry = head.find(path)
    odd = entry is not None and entry.mode not in _PLAIN
    return odd or bool(find_guarded(policy.guarded, path))


def find_unwarranted(
    repository: Repository,
    policy: Policy,
    landing: Landing,
    changes: Changes,
    demand: Demand = "in force",
) -> tuple[Finding, ...]:
    """What no decision allows. Those that arrive are judged, and those that are named."""
    base, head = landing.base, landing.head
    sources = step_sources(base, head, policy, landing.as_of, means_of(repository))
    decisions = Decisions(head, sources)
    there = frozenset(list_decisions(head))
    arriving = _list_arriving(repository.changed_paths(base, head, ROOT), base)
    warrants = [
        _read_warrant(decisions, name) for name in sorted(there & {*arriving, *landing.named})
    ]
    return check_guarded(policy.guarded, changes, warrants, demand)


def _list_arriving(paths: Iterable[str], base: Tree) -> Iterator[str]:
    """The decisions that change in a step and had not ended before it."""
    for name in sorted({path.split("/")[1] for path in paths if path.count("/") > 1}):
        if base.find(path_of("record", name)) is None:
            yield name


def _read_warrant(decisions: Decisions, name: str) -> Warrant:
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
        enacts={entry.path: entry.digest for entry in text.record.enacts},
        fault=_find_fault(decisions, name, judged),
        under_way=evaluation.status not in ENDED,
    )


def _find_fault(decisions: Decisions, name: str, judged: Judged) -> str | None:
    """Why an older or a new decision allows nothing; what it was decided by has to hold still."""
    status = judged.judgement.evaluation.status
    if status not in IN_FORCE:
        return f"is {status}"
    if any(finding.code == "key-revoked-since" for finding in judged.findings):
        return "was signed with a key that was revoked since then"
    if errors := find_errors(judged.findings):
        return f"has an error ({errors[0].code})"
    naming = decisions.sources.means.mentions.list_naming(decisions.tree, name)
    newer = (decisions.judge(one) for one in naming)
    successors = (read_successor(one.judgement) for one in newer)
    view = find_successions(one for one in successors if one is not None).get(name)
    if view is not None and view.view in ("superseded", "reversed"):
        return f"is {view.view} by {view.by}"
    return None


def _digest(tree: Tree, path: str, entry: TreeEntry | None) -> str | None:
    if entry is None:
        return None
    return digest_bytes(tree.read(path)) if entry.mode in _PLAIN else ""
