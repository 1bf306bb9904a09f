"""What a push would bring to a remote, branch by branch (githooks(5), pre-push)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accord.store.git import Repository
from accord.store.load import load_policy
from accord.verify.range import judge_between
from accord.verify.report import Report

_BRANCH = "refs/heads/"


class Pushed(NamedTuple):
    """One branch of a push: the commit that it moves to, the one that the remote has, its name.

    `there` is all zeros where the branch is new.
    """

    commit: str
    there: str
    branch: str


def read_push() -> tuple[Pushed, ...]:
    """What git (on standard input) or pre-commit (in the environment) says is pushed.

    Tags and deletions are left out: a tag lands nowhere, and what a deletion loses only the
    server can know.
    """
    if "PRE_COMMIT_TO_REF" in os.environ:
        lines = [
            f"HEAD {os.environ['PRE_COMMIT_TO_REF']} {os.environ['PRE_COMMIT_REMOTE_BRANCH']}"
            f" {os.environ['PRE_COMMIT_FROM_REF']}"
        ]
    else:
        lines = sys.stdin.read().splitlines()
    fields = [line.split() for line in lines]
    return tuple(
        Pushed(local, remote, name.removeprefix(_BRANCH))
        for _, local, name, remote in (one for one in fields if len(one) == 4)
        if name.startswith(_BRANCH) and local.strip("0")
    )


def judge_push(repository: Repository, remote: str, pushed: Iterable[Pushed]) -> Iterator[Report]:
    """Judge each branch on top of what the remote has of it, or of a protected branch.

    Raises CannotJudge when the history between is not at hand.
    """
    for one in pushed:
        base = _find_base(repository, remote, one)
        if base is not None and base != one.commit:
            yield judge_between(repository, base, one.commit, one.branch)


def _find_base(repository: Repository, remote: str, pushed: Pushed) -> str | None:
    """The newest commit that the remote has and this branch stands on.

    None where the remote has nothing of it yet: the first push is judged by whoever receives it.
    """
    known = [pushed.there] if pushed.there.strip("0") and repository.has(pushed.there) else []
    policy = load_policy(repository.commit(pushed.commit)).policy
    for branch in policy.protected if policy else ():
        answer = repository.reading.ask(
            "rev-parse", "--verify", "--quiet", f"refs/remotes/{remote}/{branch}^{{commit}}"
        )
        known += [answer.text] if answer.status == 0 else []
    for commit in known:
        answer = repository.reading.ask("merge-base", commit, pushed.commit)
        if answer.status == 0:
            return answer.text
    return None
