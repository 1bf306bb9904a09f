"""Which policy judges a head: that of the base, or the first one, on first use (section 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from accord.errors import CannotJudge, Refused, UsageError
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.paths import POLICY
from accord.model.policy import Policy
from accord.store.git import Repository
from accord.store.git_trees import CommitTree
from accord.store.load import LoadedPolicy, load_policy
from accord.store.tree import Tree, read_plain


@dataclass(frozen=True, slots=True)
class Past:
    """What the history of a base without a policy says: who removed one, if anybody did.

    `not_measured` says why nobody knows, where the history is not at hand.
    """

    removed_by: str | None = None
    not_measured: tuple[str, ...] = ()


NO_PAST = Past()
ANOTHER_HISTORY = "This is another history than the one that you know; do not trust it."


class UnreadablePolicy(CannotJudge):
    """The policy of a base is broken: nothing says by what the step that follows is judged."""


@dataclass(frozen=True, slots=True)
class InForce:
    """The policy that judges, None where none can; `findings` says why, or that one was removed.

    `digest` is that of its file; `trust` is where it comes from: `first use` where the base has
    none.
    """

    policy: Policy | None
    digest: str | None
    trust: Literal["base", "first use"]
    findings: tuple[Finding, ...] = ()


class Upon(NamedTuple):
    """What a step is judged upon: what stands there, and the policy that is in force."""

    tree: Tree
    in_force: InForce


NO_POLICY = InForce(None, None, "first use")


def find_in_force(base: Tree, head: Tree, past: Past = NO_PAST) -> InForce:
    """The policy that a head on top of this base is judged by.

    Raises UnreadablePolicy when that of the base is broken: what replaces it is not the first.
    """
    before = load_policy(base)
    if before.policy is not None:
        return InForce(before.policy, before.digest, "base")
    if before.findings:
        raise _unreadable(before)
    first = load_policy(head)
    if past.removed_by is None:
        return InForce(first.policy, first.digest, "first use", first.findings)
    found = (*first.findings, _removed(past.removed_by))
    return InForce(first.policy, first.digest, "first use", found)


def check_root(tree: Tree, root: str, what: str) -> tuple[Finding, ...]:
    """Whether the policy of a tree has the digest that the first one must have."""
    digest = digest_bytes(read_plain(tree, POLICY) or b"")
    if digest == root:
        return ()
    return (
        Finding(
            code="root-mismatch",
            path=POLICY,
            message=f"{what} has the digest {digest}, not {root}",
            hint=ANOTHER_HISTORY,
        ),
    )


def check_first_use(base: Tree, head: Tree, root: str | None) -> tuple[Finding, ...]:
    """Whether the first policy, if this step brings it, is the one that is pinned, if one is."""
    if root is None or base.find(POLICY) is not None or head.find(POLICY) is None:
        return ()
    return check_root(head, root, "the first policy")


def find_past(repository: Repository, base: Tree) -> Past:
    """Whether a base that has no policy had one; asked of git only where it has none."""
    if base.find(POLICY) is not None or not isinstance(base, CommitTree):
        return NO_PAST
    try:
        return Past(repository.last_change(base.id, POLICY))
    except CannotJudge as error:
        return Past(None, (f"policy: {error.message}; {error.hint}",))


def require_policy(repository: Repository, base: Tree, tree: Tree) -> Policy:
    """The policy in force, for verbs that do nothing without one.

    Raises UsageError when there is none, Refused when it is broken or one was removed,
    CannotJudge when that of the base is broken.
    """
    in_force = find_in_force(base, tree, find_past(repository, base))
    if in_force.findings:
        removed = any(finding.code == "policy-removed" for finding in in_force.findings)
        what = "was there and was removed" if removed else "cannot be read"
        raise Refused(f"{POLICY} {what}", in_force.findings, "`accord verify` says more")
    if in_force.policy is None:
        raise UsageError(f"there is no {POLICY} here", "`accord init` writes one that works")
    return in_force.policy


def _unreadable(before: LoadedPolicy) -> UnreadablePolicy:
    fault = before.findings[0]
    place = f", line {fault.line}" if fault.line else ""
    return UnreadablePolicy(
        f"the {POLICY} of the base cannot be read{place}: {fault.message}",
        "take back the commit that broke it (git revert, or git reset before it is shared), and"
        " look at that step yourselves: accord takes no policy for the first one that is not",
    )


def _removed(commit: str) -> Finding:
    return Finding(
        code="policy-removed",
        path=POLICY,
        message=f"there is no policy before this step, and there was one: {commit[:12]} removed it",
        hint="Take that commit back, and look at that step yourselves: a policy that comes after"
        " another one is not trusted on first use.",
    )
