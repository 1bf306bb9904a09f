"""Drafts that people and agents hand over with `--from` (section 3.1)."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.store.text import MAX_BYTES

# What a draft says where somebody still has to write.
UNWRITTEN = "…"
SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Bytes and the name by which faults are told."""

    name: str
    data: bytes


def read_draft(path: Path) -> DraftFile:
    """Read a draft; `-` is standard input. Raises UsageError when it cannot be read."""
    if str(path) == "-":
        return DraftFile("standard input", sys.stdin.buffer.read(MAX_BYTES + 1))
    try:
        with path.open("rb") as file:
            return DraftFile(str(path), file.read(MAX_BYTES + 1))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def read_text(path: Path) -> str:
    """Read a text that is signed as it is. Raises UsageError when it is not UTF-8, or too long."""
    draft = read_draft(path)
    if len(draft.data) > MAX_BYTES:
        raise UsageError(f"{draft.name} is too long", f"{MAX_BYTES} bytes are the most")
    try:
        return draft.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{draft.name} is not UTF-8: byte {error.start + 1} is none of a text",
            "save it as UTF-8",
        ) from error


def find_drafts(directory: Path, stem: str) -> dict[str, DraftFile]:
    """One draft a member: `<member>.yaml|json`, or `<member>/<stem>.yaml|json`.

    Raises UsageError when there is none, or two for one member.
    """
    found: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        inside = [path / f"{stem}{suffix}" for suffix in SUFFIXES]
        candidates = [one for one in inside if one.is_file()] if path.is_dir() else []
        if path.is_file() and path.suffix in SUFFIXES:
            candidates = [path]
        for candidate in candidates:
            member = path.name if path.is_dir() else path.stem
            if member in found:
                raise UsageError(
                    f"two drafts for {member}: {found[member]} and {candidate}", "keep one of them"
                )
            found[member] = candidate
    if not found:
        raise UsageError(
            f"{directory} holds no drafts",
            f"there is one a member: MEMBER.yaml, or MEMBER/{stem}.yaml (JSON is read too)",
        )
    return {member: read_draft(path) for member, path in found.items()}
