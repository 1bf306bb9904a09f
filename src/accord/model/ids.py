"""Ids, digests, times and paths: the small words that every file is made of (section 3.1).

Patterns end in `\\Z`: in Python `$` also matches before a final newline.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated

import rfc8785
from msgspec import Meta

_ID = r"[a-z0-9][a-z0-9_-]{0,62}"
_PATH = r"(?![/~])(?!.*//)(?!(?:.*/)?\.{1,2}(?:/|\Z))[^\\\x00-\x1f\x7f\u200c\u200d]{1,1024}(?<!/)\Z"

Id = Annotated[str, Meta(pattern=rf"^{_ID}\Z", description="an id: a-z 0-9 _ -, at most 63")]
MemberId = Annotated[
    str, Meta(pattern=rf"^{_ID}\Z", description="the id of a member: a-z 0-9 _ -, at most 63")
]
DecisionId = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])-[a-z0-9][a-z0-9_-]{0,51}\Z",
        description="YYYY-MM-DD-slug, the UTC date of the proposal",
    ),
]
Digest = Annotated[
    str, Meta(pattern=r"^sha256:[0-9a-f]{64}\Z", description="sha256:<64 hexadecimal digits>")
]
Nonce = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="64 random hex digits")]
Revision = Annotated[
    str, Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z", description="a full commit id")
]
BlobId = Annotated[
    str,
    Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z", description="the id of a file in git"),
]
Time = Annotated[
    str,
    Meta(
        pattern=(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z\Z"),
        description="an RFC 3339 time in UTC, YYYY-MM-DDThh:mm:ss[.f]Z",
        extra_json_schema={"format": "date-time"},
        extra={"check": "time"},
    ),
]
RepoPath = Annotated[
    str, Meta(pattern=rf"^{_PATH}", description="a path inside the repository, with /, no ..")
]
Glob = Annotated[str, Meta(pattern=rf"^{_PATH}", description="a path glob inside the repository")]
Category = Annotated[
    str, Meta(pattern=r"^[A-Z][A-Z0-9_]{0,62}\Z", description="a rejection category")
]
OwnCategory = Annotated[
    str, Meta(pattern=r"^X_[A-Z0-9_]{1,60}\Z", description="a category of the project's own: X_…")
]
Word = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,62}\Z", description="a lower-case word")]
Text = Annotated[str, Meta(min_length=1, max_length=65536, description="text, at most 64 KiB")]
Line = Annotated[
    str,
    Meta(pattern=r"^[^\n]*\Z", min_length=1, max_length=400, description="one line of text"),
]
KeyLine = Annotated[
    str,
    Meta(pattern=r"^[^\n]*\Z", min_length=1, max_length=4096, description="a public key, one line"),
]
Number = Annotated[int, Meta(ge=1, le=1_000_000, description="a whole number from 1")]
AffirmationName = Annotated[
    str, Meta(pattern=rf"^{_ID}\.[1-9][0-9]{{0,5}}\Z", description="<voter>.<n>")
]

_IS_ID = re.compile(rf"{_ID}\Z")
_IS_PATH = re.compile(_PATH)
_NO_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{")


def is_id(text: str) -> bool:
    """Whether `text` may name a member, an evidence entry or a check."""
    return _IS_ID.match(text) is not None


def is_branch_name(text: str) -> bool:
    """Whether `text` names a branch (git-check-ref-format(1)): without `refs/heads/`."""
    parts = text.split("/")
    return not (
        _NO_REF.search(text)
        or text in ("@", "HEAD")
        or text.startswith(("-", "refs/"))
        or text.endswith(".")
        or any(not one or one.startswith(".") or one.endswith(".lock") for one in parts)
    )


def is_repo_path(text: str) -> bool:
    """Whether `text` is a path inside the repository, in the one form that is allowed."""
    return _IS_PATH.match(text) is not None


def fold_id(text: str) -> str:
    """The form in which two ids that people would confuse are equal: `-` and `_` are one."""
    return text.lower().replace("-", "_")


def digest_bytes(data: bytes) -> str:
    """The digest of a file, over its exact bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest_json(value: object) -> str:
    """The digest of plain data, over its RFC 8785 (canonical JSON) form.

    Plain data is what JSON has, without floats: dict, list, str, int, bool, None.
    """
    return digest_bytes(rfc8785.dumps(value))  # type: ignore[arg-type]


def digest_map(digests: Mapping[str, str]) -> str:
    """The digest of `{name: digest}`: how transcripts and seals are bound (section 3.6)."""
    return digest_json(dict(digests))


def is_time(text: str) -> bool:
    """Whether a string of the form of `Time` names a moment that exists."""
    date, _, clock = text[:19].partition("T")
    try:
        datetime(*map(int, (*date.split("-"), *clock.split(":"))))  # type: ignore[arg-type]
    except ValueError:
        return False
    return True


def moment(time: str) -> tuple[str, str]:
    """A key that orders times of the form `Time`, whatever number of decimals they carry."""
    return time[:19], time[20:-1].rstrip("0")


def latest(times: Iterable[str]) -> str:
    """The latest of some times, "" when there are none."""
    return max(times, key=moment, default="")
