"""A command whose commit or push git refused: said again, it goes on where it stopped (10).

What it wrote is signed and staged, and is not signed twice. So it is noted, in the git directory
of this working tree, which command that was and what it had staged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from accord.errors import AccordError
from accord.flow.session import Session
from accord.model.ids import digest_bytes
from accord.store.files import cannot_write, write_new
from accord.store.own_file import is_own

_NOTE = Path("accord") / "unfinished.json"
_LARGEST = 1 << 20


class NotCommitted(AccordError):
    """Git, or a hook of it, did not take the commit: `paths` stay staged."""

    def __init__(
        self, error: AccordError, decision: str, message: str, paths: tuple[str, ...]
    ) -> None:
        super().__init__(error.message, error.hint)
        self.exit = error.exit
        self.decision = decision
        self.commit_message = message
        self.paths = paths


class Unfinished(msgspec.Struct, frozen=True, kw_only=True):
    """What a command had written: the commit that git refused, or nothing but the push.

    `files` are its paths with their objects, None for one that it took away.
    """

    command: str
    decision: str
    message: str
    files: dict[str, str | None]


def identify_command(verb: str, options: Mapping[str, object]) -> str | None:
    """The digest of what was said, with the drafts that it names; None for standard input."""
    told: list[tuple[str, str, str]] = []
    for name, value in sorted(options.items()):
        if isinstance(value, Path) and str(value) == "-":
            return None
        told.append((name, repr(value), _digest_draft(value) if isinstance(value, Path) else ""))
    return digest_bytes(msgspec.json.encode((verb, told)))


def _digest_draft(path: Path) -> str:
    """What stands in a draft, or in a directory of drafts."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    with suppress(OSError):
        return digest_bytes(b"\0".join(file.read_bytes() for file in files if file.is_file()))
    return ""


def find_unfinished(session: Session, command: str) -> Unfinished | None:
    """What this command left, if all of it is still staged as it was, or committed since."""
    try:
        path = session.repository.git_dir / _NOTE
        if not is_own(path.lstat()) or path.stat().st_size > _LARGEST:
            return None
        left = msgspec.json.decode(path.read_bytes(), type=Unfinished)
    except (OSError, msgspec.DecodeError):
        return None
    same = all(_find_object(session, name) == oid for name, oid in left.files.items())
    return left if left.command == command and same else None


def _find_object(session: Session, path: str) -> str | None:
    entry = session.tree.find(path)
    return entry.oid if entry is not None else None


@contextmanager
def noting(session: Session, command: str | None) -> Iterator[None]:
    """Note what git refuses of this command; what was noted before is over when it goes well."""
    path = session.repository.git_dir / _NOTE
    try:
        yield
    except NotCommitted as refused:
        if command is not None:
            here = session.renewed()
            left = Unfinished(
                command=command,
                decision=refused.decision,
                message=refused.commit_message,
                files={name: _find_object(here, name) for name in refused.paths},
            )
            _write(path, msgspec.json.encode(left))
        raise
    path.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        write_new(path, data, 0o600)
    except OSError as error:
        raise cannot_write(path, error) from error


def commit_left(session: Session, left: Unfinished) -> str | None:
    """Commit what is still staged of it; the new commit, None if somebody has committed it."""
    paths = sorted(name for name in left.files if _is_staged(session, name))
    if not paths:
        return None
    try:
        return session.repository.commit_paths(left.message, paths)
    except AccordError as error:
        raise NotCommitted(error, left.decision, left.message, tuple(left.files)) from error


def _is_staged(session: Session, path: str) -> bool:
    return session.base.find(path) != session.tree.find(path)
