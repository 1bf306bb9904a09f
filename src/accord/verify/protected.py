"""What other protected branches say of a key: what one revokes is revoked on all (section 9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from accord.errors import CannotJudge
from accord.model.ids import is_branch_name
from accord.model.paths import POLICY, with_signatures
from accord.model.policy import Policy
from accord.signing.revocations import share_revocations
from accord.store.default_branch import find_default
from accord.store.git import Repository
from accord.store.git_trees import CommitTree
from accord.store.parse import parse_file
from accord.store.refs import HEADS, REMOTE, find_fork, list_tips
from accord.store.text import MAX_BYTES
from accord.store.tree import Tree, read_plain


class Shared(NamedTuple):
    """A policy with what the newest one at hand revokes, and the tree that has that one.

    `tree` is None where no other policy revokes more.
    """

    policy: Policy
    tree: Tree | None = None

    def has(self, head: Tree, path: str) -> bool:
        """Whether a file of `head` stands so on that branch too: there it was judged already."""
        tree = self.tree
        return tree is not None and all(
            tree.find(one) == head.find(one) for one in with_signatures(path)
        )


class _Tip(NamedTuple):
    """A protected branch at hand: its full name, its commit, and the policy there."""

    ref: str
    commit: str
    policy: Policy


def find_unprotected(policy: Policy, refs: Collection[str]) -> tuple[str, ...]:
    """Why a gate cannot judge by a policy none of whose protected branches is among some refs."""
    if any(ref in refs for ref in _list_refs(policy.protected)):
        return ()
    names = ", ".join(policy.protected)
    return (
        f"protected branches: {POLICY} protects {names}, and no branch here is called so: nothing"
        " says what may land. Fetch it, or give the branch that decisions land on that name; a"
        " governance decision changes `protected`",
    )


def find_unprotected_here(
    repository: Repository, policy: Policy, landing: str | None = None
) -> tuple[str, ...]:
    """The same for the branches here and of origin, and the one that something lands on."""
    refs = set(list_tips(repository, *_list_refs(policy.protected)))
    return find_unprotected(policy, {*refs, *([HEADS + landing] if landing else [])})


def list_doubts(repository: Repository, policy: Policy) -> Iterator[str]:
    """What of the protected branches looks like a mistake, in sentences."""
    refs = list_tips(repository, *_list_refs(policy.protected))
    missing = [name for name in policy.protected if not {HEADS + name, REMOTE + name} & set(refs)]
    if missing and refs:
        yield f"{POLICY} protects {', '.join(missing)}, and no branch here is called so"
    default = find_default(repository)
    if default is not None and default not in policy.protected:
        yield f"the default branch is {default}, and {POLICY} does not protect it"


def find_shared(repository: Repository, policy: Policy, head: Tree) -> Shared:
    """A policy with the revocations of the newest one of the other protected branches at hand.

    These are those that the policy names, and those that their policies name, here and as last
    seen on origin; one that has the head already is no other. Raises CannotJudge when one of these
    policies cannot be read, and when two of the highest serial differ.
    """
    tips = list(_find_tips(repository, policy))
    if all(tip.policy == policy for tip in tips):
        return Shared(policy)
    others = [tip for tip in tips if not _holds(repository, tip, head)]
    highest = max((tip.policy.serial for tip in others), default=0)
    newest = [tip for tip in others if tip.policy.serial == highest]
    for tip in newest[1:]:
        if tip.policy != newest[0].policy:
            raise CannotJudge(
                f"{newest[0].ref} and {tip.ref} have different policies of serial {highest}, so"
                " nobody can say which keys are revoked",
                f"`git diff {newest[0].ref} {tip.ref} -- {POLICY}` shows how they differ: fetch, if"
                " one is old; else look at that change yourselves, and take one of them back",
            )
    shared = share_revocations(policy, newest[0].policy) if newest else policy
    if shared == policy:
        return Shared(policy)
    return Shared(shared, repository.commit(newest[0].commit))


def _holds(repository: Repository, tip: _Tip, head: Tree) -> bool:
    """Whether a branch has the head: what it has now says nothing of how that came to be."""
    if not isinstance(head, CommitTree):
        return False
    return find_fork(repository, head.id, tip.commit) == head.id


def _find_tips(repository: Repository, policy: Policy) -> Iterator[_Tip]:
    """The protected branches of one project that have a policy."""
    asked: set[str] = set()
    # On a server the branch of HEAD says what is protected.
    named = repository.branch() if repository.root is None else None
    pending = list(_list_refs((*policy.protected, *([named] if named else ()))))
    while refs := [ref for ref in dict.fromkeys(pending) if ref not in asked]:
        asked.update(refs)
        pending.clear()
        for tip in _read_tips(repository, refs):
            if tip.policy.project == policy.project:
                yield tip
                pending += _list_refs(tip.policy.protected)


def _list_refs(names: Iterable[str]) -> Iterator[str]:
    for name in filter(is_branch_name, names):
        yield from (HEADS + name, REMOTE + name)


def _read_tips(repository: Repository, refs: Sequence[str]) -> Iterator[_Tip]:
    """Those of some refs that hold a commit with a policy; asked of git all at once."""
    commits = list_tips(repository, *refs)
    names = [f"{oid}:{POLICY}" for oid in commits.values()]
    answers = repository.objects.find_all(names, MAX_BYTES)
    for (ref, commit), policy in zip(commits.items(), answers, strict=True):
        # What git does not find may be there, and not at hand, and it may be too large: the tree
        # tells.
        found = policy.data if policy else None
        data = read_plain(repository.commit(commit), POLICY) if found is None else found
        if data is not None:
            yield _Tip(ref, commit, _require_policy(ref, data))


def _require_policy(ref: str, data: bytes) -> Policy:
    policy = _read(data)
    if policy is None:
        raise CannotJudge(
            f"the policy of {ref} cannot be read, so nobody can say which keys it revokes",
            f"`accord verify --rev {ref} --tree-only` says what is wrong with it",
        )
    return policy


@lru_cache(maxsize=16)
def _read(data: bytes) -> Policy | None:
    record, _ = parse_file(data, POLICY, "policy")
    return record if isinstance(record, Policy) else None
