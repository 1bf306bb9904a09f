"""The refs of a repository: what holds its history."""

from __future__ import annotations

from collections.abc import Iterable

from accord.errors import CannotJudge
from accord.store.folder import FSCK
from accord.store.git import Repository

HEADS = "refs/heads/"
REMOTE = "refs/remotes/origin/"
_COMMIT = "commit"
_TIP = "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"


def list_tips(repository: Repository, *refs: str) -> dict[str, str]:
    """Each ref and the commit that it holds, through tags; refs to something else are left out.

    With `refs` only these, by their full names: git looks for them nowhere else.
    """
    answer = repository.reading.ask("for-each-ref", _TIP, *refs)
    if answer.status:
        raise CannotJudge(f"git cannot list the refs: {answer.err}", FSCK)
    tips = {}
    # A name may hold what Unicode calls a line break; git ends a line with a line feed alone.
    for line in filter(None, answer.text.split("\n")):
        name, kind, oid, peeled_kind, peeled = line.split("\0")
        if _COMMIT in (kind, peeled_kind) and (not refs or name in refs):
            tips[name] = oid if kind == _COMMIT else peeled
    return tips


def find_commit(repository: Repository, oid: str) -> str | None:
    """The commit that an object leads to, through tags; None where there is none."""
    answer = repository.reading.ask("rev-parse", "--verify", "--quiet", f"{oid}^{{commit}}")
    return answer.text if answer.status == 0 else None


def find_tip(repository: Repository, ref: str) -> str | None:
    """The commit of a ref, by its full name; None where there is none."""
    return list_tips(repository, ref).get(ref)


def find_remote(repository: Repository, branch: str) -> str | None:
    """The tip of a branch of `origin`, as this clone last saw it."""
    return find_tip(repository, REMOTE + branch)


def find_branch(repository: Repository, branch: str) -> str | None:
    """The tip of a branch of this repository."""
    return find_tip(repository, HEADS + branch)


def find_fork(repository: Repository, one: str, other: str) -> str | None:
    """The newest commit that two have in common; None where they have none.

    Raises CannotJudge when git cannot tell.
    """
    answer = repository.reading.ask("merge-base", one, other)
    if answer.status > 1:
        raise CannotJudge(
            f"git cannot compare {one[:12]} and {other[:12]}: {answer.err}", repository.remedy
        )
    return answer.text if answer.status == 0 else None


def find_nearest_fork(repository: Repository, head: str, tips: Iterable[str]) -> str | None:
    """Where a commit last left any of some branches: of several places the newest."""
    nearest: str | None = None
    for tip in tips:
        fork = find_fork(repository, tip, head)
        if fork is not None and (
            nearest is None or find_fork(repository, nearest, fork) == nearest
        ):
            nearest = fork
    return nearest
