"""Taking the bytes of evidence out of the tree, and keeping their digest (section 3.7)."""

from __future__ import annotations

from accord.model.base import Record
from accord.model.ids import DecisionId, Digest, MemberId, RepoPath, Text, Time

_SHOWN = 32  # digits of a digest that name a file


class Redaction(Record, frozen=True, kw_only=True):
    """A decider's word that one file of evidence is gone, and which one it was."""

    decision: DecisionId
    path: RepoPath
    digest: Digest
    reason: Text
    by: MemberId
    at: Time


def name_redaction(digest: str) -> str:
    """The name of the redactions of files with this digest: its first 32 digits."""
    return digest.removeprefix("sha256:")[:_SHOWN]
