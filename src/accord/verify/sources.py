"""Where the artifacts of a manifest are looked up: at their commit, where that is at hand."""

from __future__ import annotations

from typing import Literal

from accord.rules.artifacts import FindArtifact
from accord.store.git import Repository


def finder(repository: Repository) -> FindArtifact:
    """How artifacts of a repository are found; None means that the commit is not at hand."""

    def find(artifact: str, revision: str) -> bytes | Literal["absent"] | None:
        if not repository.has(revision):
            return None
        found = repository.file_at(revision, artifact)
        return "absent" if found is None else found

    return find
