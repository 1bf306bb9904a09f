"""What a judgement needs of the repository besides the tree: artifacts, and what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from accord.model.ids import digest_bytes
from accord.model.policy import Policy
from accord.rules.artifacts import FindArtifact
from accord.signing.trust import PUBLIC, Trust
from accord.store.git import Repository
from accord.store.memory import FORGETFUL, Memory
from accord.store.mentions import Mentions
from accord.store.tree import Tree, read_plain
from accord.verify.protected import Shared, find_shared


def share_nothing(policy: Policy, _head: Tree) -> Shared:
    """For trees that come without a repository, and for what has landed long ago."""
    return Shared(policy)


class Means(NamedTuple):
    """How artifacts of other commits are found, and what was read and proven before.

    `mentions` tells which decisions put a text to the vote, or name another one; `share` gives a
    policy that judges a head with what other protected branches revoke.
    """

    find_artifact: FindArtifact
    memory: Memory
    mentions: Mentions
    share: Callable[[Policy, Tree], Shared] = share_nothing


def find_trust(policy: Policy, *trees: Tree) -> Trust:
    """The Sigstore trust root that a policy pins, from whichever tree has it by its digest."""
    pinned = policy.trusted_root
    if pinned is None:
        return PUBLIC
    for tree in trees:
        data = read_plain(tree, pinned.path)
        if data is not None and digest_bytes(data) == pinned.digest:
            return Trust(data)
    return Trust(missing=f"{pinned.path} is not here as the policy names it, by {pinned.digest}")


def no_artifact(_artifact: str, _revision: str) -> Literal["absent"] | None:
    """For trees that come without a repository: no commit is at hand."""
    return None


ALONE = Means(no_artifact, FORGETFUL, Mentions())


def means_of(repository: Repository) -> Means:
    """Those of a repository. An artifact is None where its commit is not at hand."""

    def find(artifact: str, revision: str) -> bytes | Literal["absent"] | None:
        if not repository.has(revision):
            return None
        found = repository.file_at(revision, artifact)
        return "absent" if found is None else found

    def share(policy: Policy, head: Tree) -> Shared:
        return find_shared(repository, policy, head)

    sharing = share if repository.others == "seen" else share_nothing
    return Means(find, repository.memory, repository.mentions, sharing)
