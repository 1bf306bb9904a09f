"""The merge that nobody has made yet: git makes it, beside the repository (section 9).

git merges in a repository of its own, in a temporary folder, that only borrows the objects of the
real one. So nothing is written there, and nothing there says how to merge: no configuration, no
attributes, no merge driver, whoever wrote them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from accord.errors import CannotJudge, UsageError
from accord.store.environment import isolated_environment, quote_path
from accord.store.git import Repository
from accord.store.git_command import Git
from accord.store.history import require_history
from accord.store.refs import find_fork

OLDEST_GIT_TO_MERGE = (2, 38)

_CONFIGURATION = """\
[core]
	repositoryformatversion = {version}
	bare = true
	attributesFile = {nothing}
{extensions}"""
_SHA256 = "[extensions]\n\tobjectFormat = sha256\n"
_SHOWN = 5
_NO_ROOM = "set TMPDIR to a folder where files can be written"


class Merge(NamedTuple):
    """A merge commit, and the repository as it would be with it."""

    repository: Repository
    commit: str


@contextmanager
def merging(repository: Repository, target: str, head: str) -> Iterator[Merge]:
    """The merge of `head` into `target` as git makes it with its own defaults.

    A head that stands on the target is what the target moves to, without a merge. Raises
    UsageError when the two have no commit in common, CannotJudge when they conflict, when this git
    cannot say, or when the history is not at hand.
    """
    fork = find_fork(repository, target, head)
    if fork is None:
        require_history(repository, target, head)
        raise UsageError(
            f"{head[:12]} and {target[:12]} have no commit in common",
            "judge it by itself: accord verify --history",
        )
    if fork == target:
        yield Merge(repository, head)
        return
    _require_git(repository)
    with _make_room(repository) as room:
        commit = _make_merge(repository, room, target, head)
        seeing = repository.seeing(room.folder / "objects")
        try:
            yield Merge(seeing, commit)
        finally:
            seeing.close()


def _require_git(repository: Repository) -> None:
    version = repository.reading.version()
    if version.numbers >= OLDEST_GIT_TO_MERGE:
        return
    oldest = ".".join(map(str, OLDEST_GIT_TO_MERGE))
    raise CannotJudge(
        f"{version.text} cannot say what a merge would give that nobody has made",
        f"install git {oldest} or newer; or merge or rebase the branch onto its target first, and"
        " judge that",
    )


@contextmanager
def _make_room(repository: Repository) -> Iterator[Git]:
    """A bare repository that has no object but those that it borrows, and no setting of anybody."""
    try:
        room = TemporaryDirectory(prefix="accord-")
        folder = Path(room.name)
        for name in ("objects/info", "refs"):
            (folder / name).mkdir(parents=True)
        sha256 = repository.object_format == "sha256"
        settings = _CONFIGURATION.format(
            version=int(sha256), nothing=os.devnull, extensions=_SHA256 if sha256 else ""
        )
        (folder / "config").write_text(settings)
        (folder / "HEAD").write_text("ref: refs/heads/none\n")
        borrowed = "".join(f"{quote_path(str(path))}\n" for path in repository.object_folders)
        (folder / "objects" / "info" / "alternates").write_bytes(os.fsencode(borrowed))
    except OSError as error:
        raise CannotJudge(
            f"the room that git merges in cannot be made: {error.strerror}", _NO_ROOM
        ) from error
    with room:
        yield Git(folder, isolated_environment(folder))


def _make_merge(repository: Repository, git: Git, target: str, head: str) -> str:
    answer = git.ask(
        "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", target, head
    )
    tree, *conflicts = answer.out.decode("utf-8", "surrogateescape").split("\0")
    if answer.status == 1 and tree:
        paths = list(dict.fromkeys(filter(None, conflicts)))
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        raise CannotJudge(
            f"git cannot merge {head[:12]} into {target[:12]} by itself:"
            f" {', '.join(paths[:_SHOWN])}{more} conflict",
            "merge the target into the branch, or rebase the branch onto it, and judge that",
        )
    if answer.status:
        raise CannotJudge(
            f"git cannot merge {head[:12]} into {target[:12]}: {answer.err}", repository.remedy
        )
    # The same two commits give the same merge, byte for byte.
    times = (datetime.fromisoformat(repository.commit_time(one)) for one in (target, head))
    sides = ("-p", target, "-p", head)
    date = f"@{int(max(times).timestamp())} +0000"
    committing = git.with_variables({"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date})
    made = committing.ask("commit-tree", tree, *sides, "-m", f"Merge {head} into {target}")
    if made.status:
        raise CannotJudge(f"git cannot keep a merge beside the repository: {made.err}", _NO_ROOM)
    return made.text
