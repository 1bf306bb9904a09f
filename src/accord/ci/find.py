"""Where this runs, and what it is to judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from accord.ci.github import find_github_job
from accord.ci.gitlab import find_gitlab_job
from accord.ci.job import Job, Merge, Proposed, Step
from accord.errors import UsageError
from accord.store.git import Repository
from accord.store.refs import HEADS, find_branch, find_fork, find_remote

Place = Literal["github", "gitlab"]


class Typed(NamedTuple):
    """What was said on the command line; None where nothing was."""

    base: str | None = None
    head: str | None = None
    branch: str | None = None


_MARKS: dict[Place, str] = {"github": "GITHUB_ACTIONS", "gitlab": "GITLAB_CI"}
_FINDERS: dict[Place, Callable[[Repository, Mapping[str, str]], Job]] = {
    "github": find_github_job,
    "gitlab": find_gitlab_job,
}


def find_place(environment: Mapping[str, str]) -> Place | None:
    """The service that runs this; both say so in a variable of their own."""
    return next((place for place, mark in _MARKS.items() if environment.get(mark) == "true"), None)


def find_job(repository: Repository, environment: Mapping[str, str], typed: Typed) -> Job:
    """What is typed, else what the service says.

    Raises UsageError when neither says it, CannotJudge when something of it is not at hand.
    """
    if typed.base is not None:
        branch = (typed.branch or "").removeprefix(HEADS) or None
        base = repository.resolve(typed.base)
        head = repository.resolve(typed.head or "HEAD")
        if find_fork(repository, base, head) != base:
            return Proposed(base, head, branch)
        return Step(base, head, branch, _find_merge(repository, head, branch))
    if typed.head is not None or typed.branch is not None:
        raise UsageError("--head and --branch go with --base", "say what it is judged on top of")
    place = find_place(environment)
    if place is None:
        raise UsageError(
            "this is neither a job of GitHub Actions nor of GitLab CI",
            "say what to judge: --base REV [--head REV] [--branch NAME]",
        )
    return _FINDERS[place](repository, environment)


def _find_merge(repository: Repository, head: str, branch: str | None) -> Merge:
    """Whether a commit has landed: the branch has it, as far as is known here."""
    tips = (find(repository, branch or "") for find in (find_branch, find_remote))
    landed = any(tip and find_fork(repository, head, tip) == head for tip in tips)
    return "made" if landed else "asked for"
