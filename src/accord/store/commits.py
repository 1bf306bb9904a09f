"""Staging, committing and pushing what accord wrote, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from accord.errors import AccordError, UsageError
from accord.store.folder import HEX_LENGTH
from accord.store.tree import REGULAR, ObjectFormat, TreeEntry

if TYPE_CHECKING:
    from accord.store.git import Repository
    from accord.store.git_command import Answer

# What git is in the middle of → the word for it. A commit of some paths would end it wrongly.
_UNDER_WAY = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert"}
# Words of git → what helps.
_REMEDIES = {
    ".lock'": "another git command is at work, or one was killed: wait, or remove the lock file",
    "user.email": 'say who commits: `git config user.name "…"` and `git config user.email …`',
    "[rejected]": "`git pull` what others pushed, then `git push`; what was committed stays",
    "Could not read from remote": "`git remote -v` shows where it goes; what was committed stays",
}


def stage_files(repository: Repository, files: Mapping[str, bytes | None]) -> None:
    """Put these bytes into the index as they are; None takes a path out of it.

    Raises AccordError when git refuses.
    """
    _require_working_tree(repository)
    there = {path: data for path, data in files.items() if data is not None}
    oids = _store_blobs(repository, list(there.values()))
    entries = [TreeEntry(path, REGULAR, oid) for path, oid in zip(there, oids, strict=True)]
    entries += [_gone(path, repository.object_format) for path in files.keys() - there.keys()]
    answer = repository.acting.ask(
        "update-index", "-z", "--index-info", data=_render_index(entries)
    )
    if "Ignoring path" in answer.err:  # it says so and succeeds
        raise UsageError(f"git does not take such a path: {answer.err}")
    _demand(answer, "git did not stage what was written")
    # The index now lacks the time stamps by which hooks see that these files are unchanged. A
    # file that is not written yet has none, so the status does not matter.
    repository.acting.ask("--literal-pathspecs", "add", "--refresh", "--", *there)


def commit_paths(repository: Repository, message: str, paths: Sequence[str]) -> str:
    """Commit what is staged at these paths, through the hooks; the new commit.

    Other staged work stays staged. Raises UsageError in the middle of a merge and when nothing
    of it differs from HEAD, AccordError with the output when a hook or git refuses.
    """
    _require_working_tree(repository)
    _refuse_under_way(repository)
    staged = repository.index()
    wanted = set(paths)
    if wanted.isdisjoint(staged.changes):
        raise UsageError("there is nothing to commit: HEAD has these files already")
    others = staged.changes.keys() - wanted
    with TemporaryDirectory(prefix="accord-") as folder:
        # Not `git commit --only`: that takes the files anew from the working tree, through
        # filters. A copy of the index keeps the time stamps of everything else.
        index = Path(folder) / "index"
        shutil.copyfile(repository.index_file, index)
        git = repository.acting.with_index(index)
        if others:
            before = [
                staged.base.find(path) or _gone(path, repository.object_format) for path in others
            ]
            undone = git.ask("update-index", "-z", "--index-info", data=_render_index(before))
            _demand(undone, "git did not set other staged work aside")
        answer = git.ask(
            "commit", "--quiet", "--cleanup=whitespace", "-F", "-", data=message.encode()
        )
    _demand(answer, "git did not commit")
    commit = repository.resolve("HEAD")
    made = repository.commit(commit)
    altered = sorted(path for path in wanted if made.find(path) != staged.find(path))
    if altered:
        raise AccordError(
            f"a hook changed what was signed: {', '.join(altered)}",
            "`git reset --soft HEAD^` takes the commit back; keep formatters out of decisions/",
        )
    return commit


def push_branch(repository: Repository) -> str:
    """Push the current branch; its name at the remote, `origin/main`.

    Where it goes is git's configuration; a branch that goes nowhere yet gets an upstream.
    Raises UsageError when HEAD is detached or there is no remote, AccordError when git refuses.
    """
    branch = repository.branch()
    if branch is None:
        raise UsageError("HEAD is detached: there is no branch to push", "`git switch -c NAME`")
    configured = repository.config(f"branch.{branch}.remote")
    if configured and repository.config(f"branch.{branch}.merge"):
        _demand(repository.acting.ask("push"), "git did not push")
        return f"{configured}/{branch}"
    remote = repository.config("remote.pushdefault") or configured or _only_remote(repository)
    answer = repository.acting.ask("push", "--set-upstream", remote, f"HEAD:refs/heads/{branch}")
    _demand(answer, "git did not push")
    return f"{remote}/{branch}"


def _require_working_tree(repository: Repository) -> None:
    if repository.root is None:
        raise UsageError(
            "there is no working tree here to write to", "run it in a clone that is not bare"
        )


def _refuse_under_way(repository: Repository) -> None:
    for name, word in _UNDER_WAY.items():
        if repository.reading.ask("rev-parse", "--verify", "--quiet", name).status == 0:
            raise UsageError(
                f"a {word} is in progress: what was written stays staged",
                f"finish the {word} with `git commit`, or stop it with `git {word} --abort`",
            )


def _store_blobs(repository: Repository, contents: Sequence[bytes]) -> list[str]:
    with TemporaryDirectory(prefix="accord-") as folder:
        names = []
        for number, data in enumerate(contents):
            file = Path(folder) / str(number)
            file.write_bytes(data)
            names.append(str(file))
        answer = repository.acting.ask(
            "hash-object", "-w", "--no-filters", "--stdin-paths", data="\n".join(names).encode()
        )
    _demand(answer, "git did not store what was written")
    return answer.text.splitlines()


def _render_index(entries: Iterable[TreeEntry]) -> bytes:
    # What goes, goes first: a folder may stand where a file was.
    lines = sorted(f"{mode} {oid}\t{path}" for path, mode, oid in entries)
    return "".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape")


def _gone(path: str, object_format: ObjectFormat) -> TreeEntry:
    return TreeEntry(path, "0", "0" * HEX_LENGTH[object_format])


def _only_remote(repository: Repository) -> str:
    remotes = repository.reading.ask("remote").text.split()
    if not remotes:
        raise UsageError("there is no remote to push to", "`git remote add origin URL`")
    return remotes[0] if len(remotes) == 1 else "origin"


def _demand(answer: Answer, message: str) -> None:
    if answer.status == 0:
        return
    words = "\n".join(part for part in (answer.text, answer.err) if part)
    hint = next((hint for said, hint in _REMEDIES.items() if said in words), "")
    raise AccordError(
        f"{message}:\n{words}",
        hint or "what was written is kept; fix that and say the same command again",
    )
