"""The id under which git keeps the bytes of an artifact: whoever opens it gets what was listed.

A path can be opened on some branches only, a blob on any. So it must be that of the digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from accord.model.evidence import ManifestEntry
from accord.model.finding import Finding

_SHA1_DIGITS = 40


def name_blob(data: bytes, like: str) -> str:
    """The id that git gives to a file with these bytes, in the format of another id."""
    hashed = hashlib.sha1 if len(like) == _SHA1_DIGITS else hashlib.sha256
    return hashed(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def check_blob(entry: ManifestEntry, oid: str, path: str, field: str) -> Iterator[Finding]:
    """Whether the blob that an entry names is the one of its bytes."""
    if entry.blob is not None and entry.blob != oid:
        yield Finding(
            code="evidence-digest-mismatch",
            path=path,
            field=f"{field}.blob",
            message=f"{entry.id} would be opened as another file than the one that is listed",
            hint=f"Its blob is {oid}: list that before the round opens, or leave blob out.",
        )
