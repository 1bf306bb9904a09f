"""A voter's own finds: files of the repository that no manifest lists (section 3.5)."""

from __future__ import annotations

import msgspec

from accord.flow.change import find_bytes
from accord.flow.evidence import find_protected
from accord.flow.session import Session
from accord.model.evidence import UsedEvidence, is_uri
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, is_repo_path
from accord.rules.citations import measure_citations
from accord.rules.counting import CountedRound
from accord.verify.cited import find_cited


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
    # A commit of a branch that is squashed is gone with it; a protected one stays.
    lasting = entry.revision or find_protected(session, path, found, None) or revision
    return msgspec.structs.replace(entry, revision=lasting, digest=digest)


def check_cited(
    session: Session, round_: CountedRound, used: tuple[UsedEvidence, ...], path: str
) -> tuple[Finding, ...]:
    """Whether what an answer cites is there, in the commits that it names or as it is staged."""
    means = session.sources(session.tree).means
    manifest = {entry.id: entry for entry in round_.proposal.record.evidence}
    find = find_cited((session.tree, session.base), means.find_artifact)
    return measure_citations(used, manifest, path, find).findings
