"""GitLab: the variables of a pipeline, and what its runner fetched.

Merged results and merge trains check out the result of the merge. Where they are switched off a
pipeline sees the branch alone; then it is judged as it would be on top of the target.
"""

from __future__ import annotations

from collections.abc import Mapping

from accord.ci.job import Job, Nothing, Proposed, Step, Whole
from accord.ci.pushed import find_pushed
from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.store.refs import find_remote

# Pipelines that somebody or a clock starts: they show no change, and judge everything.
_EVERYTHING = ("schedule", "web", "api", "trigger", "pipeline")


def find_gitlab_job(repository: Repository, environment: Mapping[str, str]) -> Job:
    """What the pipeline is about. Raises CannotJudge when the runner did not fetch it."""
    told = environment.get
    source, branch = told("CI_PIPELINE_SOURCE", ""), told("CI_COMMIT_BRANCH")
    if source == "merge_request_event":
        return _find_merge_request(repository, environment)
    if tag := told("CI_COMMIT_TAG"):
        return Nothing(f"{tag} is a tag, and lands nowhere")
    if source not in ("push", *_EVERYTHING):
        raise UsageError(
            f"a pipeline of the source {source or '(none)'} shows no change that could be judged",
            "say what to judge: --base REV [--head REV] [--branch NAME]",
        )
    head = repository.resolve(told("CI_COMMIT_SHA") or "HEAD")
    if source == "push" and branch:
        before = told("CI_COMMIT_BEFORE_SHA", "")
        was = before if before.strip("0") else None
        return find_pushed(repository, was, head, branch, told("CI_DEFAULT_BRANCH"))
    return Whole(head, branch)


def _find_merge_request(repository: Repository, environment: Mapping[str, str]) -> Job:
    """By what is checked out: the type of the event is not always told truly."""
    told = environment.get
    target = told("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "")
    source = told("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "")
    head = repository.resolve(told("CI_COMMIT_SHA") or "HEAD")
    parents = repository.parents(head)
    if source and parents[1:] == (source,):
        return Step(parents[0], head, target, "asked for")
    tip = find_remote(repository, target) or told("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
    if not tip:
        raise CannotJudge(
            f"the runner did not fetch {target}",
            f'before it: git fetch origin "+refs/heads/{target}:refs/remotes/origin/{target}"',
        )
    return Proposed(repository.resolve(tip), head, target)
