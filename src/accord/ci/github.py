"""GitHub: the event that started the workflow, and what its checkout left here.

The base of a pull request is the first parent of the merge that GitHub made, not the `base.sha`
of the event: that one can be hours old.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from accord.ci.job import Job, Nothing, Proposed, Step, Whole
from accord.ci.pushed import find_pushed, find_remote
from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository

_HEADS = "refs/heads/"


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


def find_github_job(repository: Repository, environment: Mapping[str, str]) -> Job:
    """What the workflow run is about.

    Raises UsageError for an event that shows no change, CannotJudge when the checkout lacks it.
    """
    event = _read_event(environment)
    head = _find_head(repository, environment)
    name = environment.get("GITHUB_EVENT_NAME", "")
    return _FINDERS.get(name, _find_other)(repository, environment, event, head)


def _read_event(environment: Mapping[str, str]) -> _Event:
    path = environment.get("GITHUB_EVENT_PATH", "")
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=_Event)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise CannotJudge(
            f"the event that GITHUB_EVENT_PATH names cannot be read: {error}",
            "run this in a job of GitHub Actions, or say what to judge: --base REV --head REV",
        ) from error


def _find_head(repository: Repository, environment: Mapping[str, str]) -> str:
    """The commit that the run is about, if the checkout has it; else what is checked out."""
    named = environment.get("GITHUB_SHA", "")
    return named if named and repository.has(named) else repository.resolve("HEAD")


def _find_pull_request(
    repository: Repository, _: Mapping[str, str], event: _Event, head: str
) -> Job:
    asked = event.pull_request
    if asked is None:
        raise CannotJudge("the event names no pull request", "say what to judge: --base, --head")
    parents = repository.parents(head)
    if parents[1:] == (asked.head.sha,):
        return Step(parents[0], head, asked.base.ref)
    target = find_remote(repository, asked.base.ref)
    if head == asked.head.sha and target is not None:
        return Proposed(target, head, asked.base.ref)
    raise CannotJudge(
        f"{head[:12]} is not the merge result of this pull request",
        "leave `ref` of actions/checkout at its default, with fetch-depth: 0",
    )


def _find_merge_group(
    repository: Repository, _: Mapping[str, str], event: _Event, head: str
) -> Job:
    group = event.merge_group
    if group is None:
        raise CannotJudge("the event names no merge group", "say what to judge: --base, --head")
    base = repository.resolve(group.base_sha)
    return Step(base, head, group.base_ref.removeprefix(_HEADS))


def _find_push(
    repository: Repository, environment: Mapping[str, str], event: _Event, head: str
) -> Job:
    ref = environment.get("GITHUB_REF", "")
    branch = ref.removeprefix(_HEADS)
    if branch == ref:
        return Nothing(f"{ref or 'what was pushed'} is no branch, and lands nowhere")
    if event.after is not None and not event.after.strip("0"):
        return Nothing(f"{branch} was removed")
    before = event.before if event.before and event.before.strip("0") else None
    return find_pushed(repository, before, head, branch, event.repository.default_branch)


def _refuse_target(_: Repository, __: Mapping[str, str], ___: _Event, ____: str) -> Job:
    raise UsageError(
        "pull_request_target runs on the target branch, not on the change",
        "use `on: pull_request`: accord needs no token and no secret",
    )


def _find_other(_: Repository, environment: Mapping[str, str], __: _Event, head: str) -> Job:
    """A schedule, or somebody who pressed a button: everything there is."""
    ref = environment.get("GITHUB_REF", "")
    return Whole(head, ref.removeprefix(_HEADS) if ref.startswith(_HEADS) else None)


_Finder = Callable[[Repository, Mapping[str, str], _Event, str], Job]
_FINDERS: dict[str, _Finder] = {
    "pull_request": _find_pull_request,
    "merge_group": _find_merge_group,
    "push": _find_push,
    "pull_request_target": _refuse_target,
}
