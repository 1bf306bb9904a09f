"""Which variables a git command may see (section 9).

A hook inherits the variables of the git that runs it, and so does whatever it starts in other
repositories: `GIT_DIR` and its like would move accord to another repository, or weaken what it
checks. Only what is listed here passes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

INDEX_FILE = "GIT_INDEX_FILE"
OBJECT_DIRECTORY = "GIT_OBJECT_DIRECTORY"

# Where the configuration of the user is and how a repository is found: as git does it.
_CONFIGURATION = (
    "GIT_CONFIG_",
    "GIT_EXEC_PATH",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
)
# Who commits, and how a remote is reached.
_ACTING = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_EDITOR",
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_TERMINAL_PROMPT",
    "GIT_SSL_",
    "GIT_HTTP_",
    "GIT_PROXY_",
    "GIT_ALLOW_PROTOCOL",
)
_FORCED = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # refs/replace turns a committed reject into an agree
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
_FORCED_WHEN_READING = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # A partial clone would fetch what it lacks. No protocol allowed: no network, ever.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}
_NO_SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
}


def reading_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables for commands that only read."""
    return _pick(environment, _CONFIGURATION) | _FORCED | _FORCED_WHEN_READING


def find_quarantine(environment: Mapping[str, str], common_dir: Path) -> dict[str, str]:
    """The variables by which a server's hook sees what a push brought and nobody has taken yet.

    git names a folder below its own objects (git-receive-pack(1), quarantine); a folder anywhere
    else is nobody's quarantine, and is not looked at.
    """
    named = environment.get("GIT_QUARANTINE_PATH")
    objects = (common_dir / "objects").resolve()
    if not named or not Path(named).resolve().is_relative_to(objects):
        return {}
    return {
        "GIT_QUARANTINE_PATH": named,
        OBJECT_DIRECTORY: str(Path(named).resolve()),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": quote_path(str(objects)),
    }


def quote_path(path: str) -> str:
    """A path in a list of paths: in quotes where it holds what ends one (git(1))."""
    if ":" not in path and not path.startswith('"'):
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def acting_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables for commands that write: stage, commit, push."""
    return _pick(environment, (*_CONFIGURATION, *_ACTING)) | _FORCED


def isolated_environment(git_dir: Path) -> dict[str, str]:
    """The variables for a repository of accord's own, that nobody's settings reach."""
    who = {"NAME": "accord", "EMAIL": "accord@localhost"}
    identity = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
    return _FORCED | identity | _NO_SETTINGS | {"GIT_DIR": str(git_dir)}


def find_index(environment: Mapping[str, str], top: Path, git_dir: Path) -> Path | None:
    """The index that `GIT_INDEX_FILE` names, if it is one of this repository.

    `git commit` points its hooks to an index of their own: `.git/index` (relative to the
    working tree), `…/index.lock` for `-a`, `…/next-index-<pid>.lock` for `-- PATH`, or whatever
    the user named. It is another repository's when `GIT_DIR` says so, or when it lies in the
    git directory of another.
    """
    named = environment.get(INDEX_FILE)
    if not named:
        return None
    inherited = environment.get("GIT_DIR")
    if inherited and not _same(top / inherited, git_dir):
        return None
    index = top / named
    foreign = _is_git_directory(index.parent) and not _same(index.parent, git_dir)
    return None if foreign or not index.parent.is_dir() else index


def _pick(environment: Mapping[str, str], prefixes: Iterable[str]) -> dict[str, str]:
    allowed = tuple(prefixes)
    return {name: value for name, value in environment.items() if name.startswith(allowed)}


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _is_git_directory(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (
        (folder / "objects").is_dir() or (folder / "commondir").is_file()
    )
