"""GitHub: the event that started the workflow, and what its checkout left here.

The base of a pull request is the first parent of the merge that GitHub made, not the `base.sha`
of the event: that one can be hours old.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from accord.ci.job import Job, Nothing, Proposed, Step, Whole
from accord.ci.pushed import find_pushed
from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.store.refs import HEADS, find_remote


class _Tip(msgspec.Struct):
    ref: str
    sha: str


class _PullRequest(msgspec.Struct):
    base: _Tip
    head: _Tip


class _MergeGroup(msgspec.Struct):
    base_ref: str
    base_sha: str
    head_sha: str


class _Project(msgspec.Struct):
    default_branch: str | None = None


class _Event(msgspec.Struct):
    """As much of a webhook's payload as is asked for; the rest is not looked at."""

    pull_request: _PullRequest | None = None
    merge_group: _MergeGroup | None = None
    repository: _Project = msgspec.field(default_factory=_Project)
    before: str | None = None
    after: str | None = None


class _Run(NamedTuple):
    """A run of a workflow: where, what started it, and in which variables it runs."""

    repository: Repository
    environment: Mapping[str, str]
    event: _Event

    def resolve(self) -> str:
        """The commit that the run is about. Raises CannotJudge when the checkout lacks it."""
        return self.repository.resolve(self.environment.get("GITHUB_SHA") or "HEAD")

    @property
    def ref(self) -> str:
        """What was pushed, or what the run is started on."""
        return self.environment.get("GITHUB_REF", "")


def find_github_job(repository: Repository, environment: Mapping[str, str]) -> Job:
    """What the workflow run is about.

    Raises UsageError for an event that shows no change, CannotJudge when the checkout lacks it.
    """
    name = environment.get("GITHUB_EVENT_NAME", "")
    if name not in _FINDERS:
        raise UsageError(
            f"the event {name or '(none)'} shows no change that could be judged",
            f"run it on {', '.join(sorted(_FINDERS))}, or say what to judge: --base, --head",
        )
    return _FINDERS[name](_Run(repository, environment, _read_event(environment)))


def _read_event(environment: Mapping[str, str]) -> _Event:
    path = environment.get("GITHUB_EVENT_PATH", "")
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=_Event)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise CannotJudge(
            f"the event that GITHUB_EVENT_PATH names cannot be read: {error}",
            "run this in a job of GitHub Actions, or say what to judge: --base REV --head REV",
        ) from error


def _find_pull_request(run: _Run) -> Job:
    """The merge result, if it is at hand; else what is checked out, if that is the branch."""
    asked, repository = run.event.pull_request, run.repository
    if asked is None:
        raise CannotJudge("the event names no pull request", "say what to judge: --base, --head")
    merged = run.environment.get("GITHUB_SHA", "")
    head = merged if merged and repository.has(merged) else repository.resolve("HEAD")
    parents = repository.parents(head)
    if parents[1:] == (asked.head.sha,):
        return Step(parents[0], head, asked.base.ref, "asked for")
    target = find_remote(repository, asked.base.ref)
    if head == asked.head.sha and target is not None:
        return Proposed(target, head, asked.base.ref)
    raise CannotJudge(
        f"{head[:12]} is not the merge result of this pull request",
        "leave `ref` of actions/checkout at its default, with fetch-depth: 0",
    )


def _find_merge_group(run: _Run) -> Job:
    group = run.event.merge_group
    if group is None:
        raise CannotJudge("the event names no merge group", "say what to judge: --base, --head")
    base, head = map(run.repository.resolve, (group.base_sha, group.head_sha))
    return Step(base, head, group.base_ref.removeprefix(HEADS))


def _find_push(run: _Run) -> Job:
    branch, event = run.ref.removeprefix(HEADS), run.event
    if branch == run.ref:
        return Nothing(f"{run.ref or 'what was pushed'} is no branch, and lands nowhere")
    if event.after is not None and not event.after.strip("0"):
        return Nothing(f"{branch} was removed")
    before = event.before if event.before and event.before.strip("0") else None
    head = run.repository.resolve(event.after) if event.after else run.resolve()
    return find_pushed(run.repository, before, head, branch, event.repository.default_branch)


def _refuse_target(_: _Run) -> Job:
    raise UsageError(
        "pull_request_target runs on the target branch, not on the change",
        "use `on: pull_request`: accord needs no token and no secret",
    )


def _find_everything(run: _Run) -> Job:
    """A schedule, or somebody who pressed a button."""
    branch = run.ref.removeprefix(HEADS)
    return Whole(run.resolve(), branch if branch != run.ref else None)


_FINDERS: dict[str, Callable[[_Run], Job]] = {
    "pull_request": _find_pull_request,
    "merge_group": _find_merge_group,
    "push": _find_push,
    "schedule": _find_everything,
    "workflow_dispatch": _find_everything,
    "repository_dispatch": _find_everything,
    "pull_request_target": _refuse_target,
}
