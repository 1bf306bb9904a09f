"""What a push, or a commit without a merge request, is judged on top of."""

from __future__ import annotations

from accord.ci.job import Job, Step, Whole
from accord.errors import CannotJudge
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.store.refs import find_fork, find_remote


def find_pushed(
    repository: Repository, before: str | None, head: str, branch: str, default: str | None
) -> Job:
    """What a branch became: on top of what it was, or of where it left the default branch.

    `before` is None for a new branch. One that is rebased freely was not rewound: only of a
    protected branch is what it had held against what it has. Raises CannotJudge when `before`
    is not at hand.
    """
    tip = find_remote(repository, default) if default and default != branch else None
    if before is not None and not repository.has(before):
        _require_free(repository, before, tip, branch)
    elif before is not None:
        was = repository.resolve(before)
        policy = load_policy(repository.commit(was)).policy
        protected = policy is not None and branch in policy.protected
        if protected or find_fork(repository, was, head) == was:
            return Step(was, head, branch)
    fork = find_fork(repository, tip, head) if tip else None
    return Step(fork, head, branch) if fork else Whole(head, branch)


def _require_free(repository: Repository, before: str, tip: str | None, branch: str) -> None:
    """What a branch had before is missed only where nobody protects it, as the default one says."""
    policy = load_policy(repository.commit(tip)).policy if tip else None
    if policy is not None and branch not in policy.protected:
        return
    raise CannotJudge(
        f"{before[:12]}, which {branch} had before this push, is not here: a push with force left"
        " it behind, or the checkout did",
        f"fetch it before this (git fetch origin {before}), with fetch-depth: 0; where the service"
        " has it no more, look at what was dropped, and judge all that is there: accord verify"
        " --history",
    )
