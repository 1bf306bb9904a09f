"""Evidence: what a proposal lists, and what a voter says it used (sections 3.3 and 3.5).

An artifact is its digest: path and revision say where the bytes were seen.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from accord.model.base import Record
from accord.model.ids import BlobId, Digest, Id, Line, Revision, Text, Word

EvidenceKind = Literal["primary", "claim"]
Source = Literal["declared", "trace"]
Side = Literal["base", "head"]
Artifact = Annotated[
    str,
    Meta(
        pattern=r"^[^\n\u200c\u200d]+\Z", max_length=2048, description="a repository path, or a URI"
    ),
]
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_uri(artifact: str) -> bool:
    """Whether an artifact is named by a URI rather than by a path of the repository (RFC 3986)."""
    return _SCHEME.match(artifact) is not None


class ManifestEntry(Record, frozen=True, kw_only=True):
    """One entry of a proposal's evidence manifest. A claim may hold its `text` inline.

    `side` says from which side of the proposal's change the bytes are, `blob` how git names them.
    """

    id: Id
    kind: EvidenceKind
    artifact: Artifact | None = None
    text: Text | None = None
    revision: Revision | None = None
    digest: Digest | None = None
    side: Side | None = None
    blob: BlobId | None = None
    summarizes: Id | None = None
    load_bearing: bool = False


class TraceReceipt(Record, frozen=True, kw_only=True):
    """A proof that a tool recorded the use of evidence: `digest` names it, `format` says how.

    The place is reserved: no format is defined yet, so a file that has a receipt is refused.
    """

    format: Line
    digest: Digest


class UsedEvidence(Record, frozen=True, kw_only=True):
    """One entry of a vote, an affirmation or a re-derivation: what was used, and how (`via`)."""

    shorthand = "id"

    id: Id | None = None
    artifact: Artifact | None = None
    revision: Revision | None = None
    digest: Digest | None = None
    via: Word = "read"
    lines: Line | None = None
    source: Source = "declared"
    receipt: TraceReceipt | None = None
    kind: EvidenceKind | None = None
    load_bearing: bool | None = None


class Input(Record, frozen=True, kw_only=True):
    """One file that a check reads."""

    shorthand = "artifact"

    artifact: Artifact
    revision: Revision | None = None
    digest: Digest | None = None
