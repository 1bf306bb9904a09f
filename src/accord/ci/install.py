"""The files that make a service run `accord ci`: put into the working tree, never over others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accord.bundle import read_bundled
from accord.ci.find import Place
from accord.errors import UsageError
from accord.store.files import write_files
from accord.store.git import Repository

# Where the service looks → the template that goes there.
_FILES: dict[Place, Mapping[str, str]] = {
    "github": {
        ".github/workflows/accord.yml": "ci/github.yml",
        ".github/workflows/accord-refresh.yml": "ci/github-refresh.yml",
    },
    "gitlab": {".gitlab/accord.yml": "ci/gitlab.yml"},
}
_NEXT: dict[Place, str] = {
    "github": "Commit them, and make the check `accord` required for {branches} (Settings, Rules).",
    "gitlab": "Commit it, include it in .gitlab-ci.yml (include: [{{local: .gitlab/accord.yml}}]),"
    " and switch on `Pipelines must succeed`.",
}


@dataclass(frozen=True, slots=True)
class Installed:
    """What was written, what was there already and left alone, and what is left to do."""

    written: tuple[str, ...]
    there: tuple[str, ...]
    advice: str


def install_ci(repository: Repository, place: Place, protected: Sequence[str]) -> Installed:
    """Write the files of a service, for these protected branches.

    Raises UsageError in a bare repository.
    """
    if repository.root is None:
        raise UsageError("nothing can be written in a bare repository", "work in a clone of it")
    branches = json.dumps(list(protected), ensure_ascii=False)
    files = {
        path: read_bundled("templates", name).replace("[main]", branches).encode()
        for path, name in _FILES[place].items()
    }
    there = tuple(path for path in files if (repository.root / path).exists())
    new = {path: data for path, data in files.items() if path not in there}
    write_files(repository.root, new)
    return Installed(tuple(new), there, _NEXT[place].format(branches=", ".join(protected)))
