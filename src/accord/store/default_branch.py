"""Which branch everything lands on, as far as git can tell here."""

from __future__ import annotations

from accord.store.git import Repository
from accord.store.refs import HEADS, list_tips

_REMOTES = "refs/remotes/"


def find_default(repository: Repository) -> str | None:
    """The branch that HEAD of a remote names (origin's first), or of a bare repository its own."""
    if repository.root is None:
        return repository.branch()
    answer = repository.reading.ask(
        "for-each-ref", "--format=%(refname)%00%(symref)", f"{_REMOTES}*/HEAD"
    )
    pairs = [line.split("\0") for line in answer.text.split("\n") if line]
    named = {
        ref.removeprefix(_REMOTES).removesuffix("/HEAD"): target.split("/", 3)[3]
        for ref, target in pairs
        if target.startswith(_REMOTES)
    }
    return named.get("origin") or next(iter(named.values()), None)


def guess_default(repository: Repository) -> str | None:
    """The same; where no remote says it the only branch, else the one that is checked out."""
    default = find_default(repository)
    if default is not None:
        return default
    branches = [ref.removeprefix(HEADS) for ref in list_tips(repository) if ref.startswith(HEADS)]
    return branches[0] if len(branches) == 1 else repository.branch()
