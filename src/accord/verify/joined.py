"""The result of a merge that nobody has made. Nothing is written, and no lines are merged."""

from __future__ import annotations

from accord.errors import UsageError
from accord.store.git import Repository
from accord.store.git_trees import JoinedTree
from accord.store.history import require_history
from accord.store.refs import find_fork


def join(repository: Repository, target: str, head: str) -> JoinedTree:
    """`target` with what `head` has changed since both were one.

    Raises UsageError when they never were, CannotJudge when the history is not at hand.
    """
    fork = find_fork(repository, target, head)
    if fork is None:
        require_history(repository, target, head)
        raise UsageError(
            f"{head[:12]} and {target[:12]} have no commit in common",
            "judge it by itself: accord verify --history",
        )
    before, ours, theirs = (repository.commit(oid) for oid in (fork, target, head))
    changes = {path: theirs.find(path) for path in repository.changed_paths(before, theirs)}
    contested = [
        path
        for path in repository.changed_paths(before, ours)
        if path in changes and changes[path] != ours.find(path)
    ]
    differing = {path: entry for path, entry in changes.items() if entry != ours.find(path)}
    return JoinedTree(ours, differing, repository.objects, contested)
