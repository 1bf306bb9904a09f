"""What a push would bring to a remote, branch by branch (githooks(5), pre-push)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from accord.store.git import Repository
from accord.store.load import load_policy
from accord.store.refs import HEADS, list_tips
from accord.verify.range import judge_range
from accord.verify.report import Report


class Pushed(NamedTuple):
    """One branch of a push: the commit that it moves to, the one that the remote has, its name.

    `there` is empty or all zeros where the branch is new; `branch` is None where nobody says.
    """

    commit: str
    there: str
    branch: str | None


class Push(NamedTuple):
    """What goes to a remote."""

    remote: str
    branches: tuple[Pushed, ...]


def read_push(arguments: Sequence[str]) -> Push:
    """What git says is pushed, or pre-commit, which says it of one branch only.

    git has arguments and standard input for it, pre-commit the environment. Tags and deletions
    are left out: a tag lands nowhere, and what a deletion loses only the server can know.
    """
    if not arguments and "PRE_COMMIT" in os.environ:
        told = os.environ.get
        # Where the remote has nothing at all it names no commits, only the branch.
        commit = told("PRE_COMMIT_TO_REF") or told("PRE_COMMIT_LOCAL_BRANCH", "HEAD")
        name = told("PRE_COMMIT_REMOTE_BRANCH", "")
        lines = [(commit, name, told("PRE_COMMIT_FROM_REF", ""))]
        remote = told("PRE_COMMIT_REMOTE_NAME", "origin")
    else:
        # What is pushed is said as it was typed, maybe with spaces: HEAD@{1 day ago}.
        fields = [line.rsplit(maxsplit=3) for line in sys.stdin.read().split("\n")]
        lines = [(one[1], one[2], one[3]) for one in fields if len(one) == 4]
        remote = arguments[0] if arguments else "origin"
    return Push(
        remote,
        tuple(
            Pushed(commit, there, name.removeprefix(HEADS) or None)
            for commit, name, there in lines
            if name.startswith(HEADS) or not name
            if commit.strip("0")
        ),
    )


def judge_push(repository: Repository, push: Push) -> Iterator[Report]:
    """Judge each branch on top of what the remote has of it, or of a protected branch.

    Raises CannotJudge when the history between is not at hand.
    """
    for pushed in push.branches:
        base = _find_base(repository, push.remote, pushed)
        if base is None:
            yield _tell_unjudged(repository, push.remote, pushed)
        else:
            yield judge_range(repository, f"{base}..{pushed.commit}", pushed.branch)


def _find_base(repository: Repository, remote: str, pushed: Pushed) -> str | None:
    """A commit that the remote is known to have and this branch stands on; its own before others.

    What it says is protected is a courtesy too: what lands is judged by the policy of the base.
    """
    policy = load_policy(repository.commit(repository.resolve(pushed.commit))).policy
    protected = policy.protected if policy else ()
    refs = [f"refs/remotes/{remote}/{name}" for name in (*protected, "HEAD")]
    tips = list_tips(repository, *refs)
    for tip in filter(None, (pushed.there, *(tips.get(ref) for ref in refs))):
        answer = repository.reading.ask("merge-base", tip, pushed.commit)
        if answer.status == 0:
            return answer.text
    return None


def _tell_unjudged(repository: Repository, remote: str, pushed: Pushed) -> Report:
    """Nothing of it is there: whoever receives it has no base to judge it by either."""
    commit = repository.resolve(pushed.commit)
    note = (
        f"{pushed.branch or commit[:12]}: {remote} has nothing yet that this stands on, so it was"
        " not judged as a push; accord verify --history judges all of it"
    )
    return Report(commit, None, 0, (), (), (), (note,), why="it was not judged")
