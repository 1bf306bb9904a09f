"""The refs of a repository: what holds its history."""

from __future__ import annotations

from accord.errors import CannotJudge
from accord.store.git import Repository
from accord.store.objects import FSCK

HEADS = "refs/heads/"
_COMMIT = "commit"


def list_tips(repository: Repository) -> dict[str, str]:
    """Each ref and the commit that it holds, through tags; refs to something else are left out."""
    answer = repository.reading.ask(
        "for-each-ref",
        "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)",
    )
    if answer.status:
        raise CannotJudge(f"git cannot list the refs: {answer.err}", FSCK)
    tips = {}
    for line in answer.text.splitlines():
        name, kind, oid, peeled_kind, peeled = line.split("\0")
        if _COMMIT in (kind, peeled_kind):
            tips[name] = oid if kind == _COMMIT else peeled
    return tips


def find_commit(repository: Repository, oid: str) -> str | None:
    """The commit that an object is, or that a tag leads to; None where it is something else."""
    answer = repository.reading.ask("rev-parse", "--verify", "--quiet", f"{oid}^{{commit}}")
    return answer.text if answer.status == 0 else None


def find_fork(repository: Repository, one: str, other: str) -> str | None:
    """The newest commit that two have in common; None where they have none."""
    answer = repository.reading.ask("merge-base", one, other)
    return answer.text if answer.status == 0 else None
