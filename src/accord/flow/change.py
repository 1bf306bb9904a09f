"""The change that a decision is about, and the files of its two sides (section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from accord.errors import UsageError
from accord.flow.session import Session
from accord.model.evidence import ManifestEntry, Side
from accord.model.proposal import Diff


def read_changes(session: Session, spans: Sequence[str]) -> tuple[Diff, ...]:
    """The commits of ranges `A..B`. Raises UsageError for what is no range."""
    return tuple(_read_change(session, span) for span in spans)


def _read_change(session: Session, span: str) -> Diff:
    before, dots, after = span.partition("..")
    if not dots:
        raise UsageError(f"--diff {span} is no range", "write it as A..B")
    resolve = session.repository.resolve
    return Diff(base=resolve(before), head=resolve(after or "HEAD"))


def list_diffs(session: Session, changes: Sequence[Diff]) -> Iterator[bytes]:
    """The diff of each change. Raises UsageError when one is empty."""
    for change in changes:
        # diff-tree, since `git diff` looks as the user's configuration says.
        answer = session.repository.reading.ask(
            "diff-tree",
            "-r",
            "-p",
            "--full-index",
            "--no-ext-diff",
            "--no-textconv",
            change.base,
            change.head,
        )
        if answer.status or not answer.out:
            raise UsageError(
                f"the diff {change.base[:12]}..{change.head[:12]} is empty",
                answer.err or "name two commits that differ",
            )
        yield answer.out


def read_artifact(
    session: Session, change: Diff | None, entry: ManifestEntry, path: str
) -> tuple[bytes, Side | None]:
    """The bytes that an entry means, and the side of the change that has them at this path.

    Those of the commit or the side that it names; else those here, else those of head or base.
    Raises UsageError when they are not there.
    """
    sides = _read_sides(session, change, path)
    named = _read_named(session, entry, path, sides)
    if not named:
        here = find_bytes(session, path)
        named = [data for data in (here, *sides.values()) if data is not None]
    if not named:
        raise UsageError(f"the evidence {path} is not there", "name a file of the repository")
    alike = (side for side, data in sides.items() if data == named[0])
    return named[0], entry.side or next(alike, None)


def _read_named(
    session: Session, entry: ManifestEntry, path: str, sides: dict[Side, bytes]
) -> list[bytes]:
    """The bytes of the commit and of the side that an entry names, which must be the same."""
    named = []
    if entry.revision is not None:
        found = _read_at(session, path, entry.revision)
        if found is None:
            raise UsageError(
                f"{path} is not in the commit {entry.revision}", "correct path or revision"
            )
        named.append(found)
    if entry.side is not None:
        there = sides.get(entry.side)
        if there is None or (named and named[0] != there):
            raise UsageError(
                f"{path} is not on the side {entry.side} of the change as it is listed",
                "correct path, revision or side; --diff A..B says which change it is",
            )
        named.append(there)
    return named


def _read_sides(session: Session, change: Diff | None, path: str) -> dict[Side, bytes]:
    """A file as each side of a change has it, head first."""
    if change is None:
        return {}
    commits: dict[Side, str] = {"head": change.head, "base": change.base}
    found = {side: _read_at(session, path, commit) for side, commit in commits.items()}
    return {side: data for side, data in found.items() if data is not None}


def _read_at(session: Session, path: str, commit: str) -> bytes | None:
    found = session.sources(session.tree).means.find_artifact(path, commit)
    if found is None:
        raise UsageError(f"the commit {commit} is not here", "fetch the branch that has it")
    return found if isinstance(found, bytes) else None


def find_bytes(session: Session, path: str) -> bytes | None:
    """A plain file of the working directory."""
    return find_plain(session.root, path)


def find_plain(root: Path, path: str) -> bytes | None:
    """A plain file below a folder. No link is followed, in no part of the path."""
    file = root / path
    parts = [root / part for part in (path, *map(str, PurePosixPath(path).parents))]
    if any(part.is_symlink() for part in parts) or not file.is_file():
        return None
    return file.read_bytes()
