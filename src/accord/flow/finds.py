"""A voter's own finds: files of the repository that no manifest lists (section 3.5)."""

from __future__ import annotations

import msgspec

from accord.flow.evidence import find_bytes
from accord.flow.session import Session
from accord.model.evidence import UsedEvidence, is_uri
from accord.model.ids import digest_bytes, is_repo_path


def pin_finds(session: Session, used: tuple[UsedEvidence, ...]) -> tuple[UsedEvidence, ...]:
    """The evidence of a draft, each find with the commit and the digest of what was read.

    Without them a find is in no count, and nobody can open it later. What is not in the named
    commit, or in HEAD as it is in the working directory, stays as the voter wrote it.
    """
    return tuple(_pin(session, entry) for entry in used)


def _pin(session: Session, entry: UsedEvidence) -> UsedEvidence:
    path, revision = entry.artifact, entry.revision or session.repository.head()
    if path is None or revision is None or is_uri(path) or not is_repo_path(path):
        return entry
    found = session.sources(session.tree).means.find_artifact(path, revision)
    if not isinstance(found, bytes):
        return entry
    digest = digest_bytes(found)
    if entry.digest is None and entry.revision is None and find_bytes(session, path) != found:
        return entry  # what was read may have been the working directory's
    if entry.digest not in (None, digest):
        return entry
    return msgspec.structs.replace(entry, revision=revision, digest=digest)
