"""What was read and proven before, kept in the git directory, so that an audit is quicker again.

It is never a source of trust. An entry is named by a digest of all that it follows from: the
version of accord, the kind of file or the key and scheme of a signature, and the exact bytes. A
file that was read and a signature that was good will be so again; whatever else was found is
found anew. No push and no working tree gets here: who can write into a git directory can change
the hooks and the configuration too. A cache that is damaged, too large, unwritable or somebody
else's is left alone or begun anew, and everything is read and proven as if there were none.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from accord import __version__
from accord.model.base import Record
from accord.model.finding import Finding
from accord.store.git import Repository
from accord.store.kinds import KINDS
from accord.store.own_file import is_own
from accord.store.parse import parse_file

if TYPE_CHECKING:
    from sqlite3 import Connection

FILE = Path("accord", "cache.sqlite")
MOST_BYTES = 512 * 1024 * 1024

_SCHEMA = """
CREATE TABLE IF NOT EXISTS parsed (name BLOB PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS proven (name BLOB PRIMARY KEY) WITHOUT ROWID;
"""
_PATIENCE = 2.0  # seconds to wait for another process that writes
_KEPT_BACK = 1000  # how many new entries are written together
_CHECK = 8  # bytes before each record that tell whether it is still what was written


class Cache:
    """A memory in a file. What is new is written in one go, at the end and now and then."""

    def __init__(self, connection: Connection) -> None:
        self._connection: Connection | None = connection
        self._parsed: list[tuple[bytes, bytes]] = []
        self._proven: list[tuple[bytes]] = []

    def parse(self, data: bytes, path: str, kind: str) -> tuple[Record | None, tuple[Finding, ...]]:
        """What `parse_file` says; a file without fault is read once."""
        name = _name(b"file", kind.encode(), data)
        found = self._find("SELECT record FROM parsed WHERE name = ?", name)
        record = None if found is None else _unpack(name, found[0], kind)
        if record is not None:
            return record, ()
        record, findings = parse_file(data, path, kind)
        if record is not None and not findings:
            self._parsed.append((name, _pack(name, record)))
            self._write_some()
        return record, findings

    def prove(self, about: Sequence[bytes], check: Callable[[], bool]) -> bool:
        """What `check` says; what was good is asked once."""
        name = _name(b"signature", *about)
        if self._find("SELECT 1 FROM proven WHERE name = ?", name) is not None:
            return True
        good = check()
        if good:
            self._proven.append((name,))
            self._write_some()
        return good

    def close(self) -> None:
        """Write what is new, as far as that is possible."""
        self._write()
        if self._connection is not None:
            self._connection.close()

    def _find(self, question: str, name: bytes) -> tuple[bytes] | None:
        from sqlite3 import Error

        if self._connection is None:
            return None
        try:
            found: tuple[bytes] | None = self._connection.execute(question, (name,)).fetchone()
        except Error:
            self._give_up()
            return None
        return found

    def _write_some(self) -> None:
        if len(self._parsed) + len(self._proven) >= _KEPT_BACK:
            self._write()

    def _write(self) -> None:
        from sqlite3 import Error

        if self._connection is not None:
            try:
                with self._connection as writing:
                    writing.executemany("INSERT OR IGNORE INTO parsed VALUES (?, ?)", self._parsed)
                    writing.executemany("INSERT OR IGNORE INTO proven VALUES (?)", self._proven)
            except Error:
                self._give_up()
        self._parsed.clear()
        self._proven.clear()

    def _give_up(self) -> None:
        """A lock that stays, a full disk, a damaged file: the audit goes on without."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def remembering(repository: Repository) -> Iterator[None]:
    """Let a repository remember what is read and proven in it, on the disk."""
    kept = _open(repository.common_dir / FILE)
    if kept is None:
        yield
        return
    before, repository.memory = repository.memory, kept
    try:
        yield
    finally:
        repository.memory = before
        kept.close()


def _open(file: Path) -> Cache | None:
    """The cache in a file, begun anew where there is none that is any good; None: there is none."""
    from sqlite3 import DatabaseError, OperationalError

    with suppress(OSError, OperationalError):
        if not _prepare(file):
            return None
        try:
            return Cache(_connect(file))
        except OperationalError:
            raise  # locked, or nothing can be written: it may be good all the same
        except DatabaseError:
            file.unlink()
            return Cache(_connect(file)) if _prepare(file) else None
    return None


def _prepare(file: Path) -> bool:
    """Whether there is a file of our own now."""
    file.parent.mkdir(exist_ok=True)
    with suppress(FileNotFoundError):
        if file.lstat().st_size > MOST_BYTES:
            file.unlink()
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    return is_own(file.lstat())


def _connect(file: Path) -> Connection:
    import sqlite3

    connection = sqlite3.connect(file, timeout=_PATIENCE)
    try:
        connection.executescript(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _name(*parts: bytes) -> bytes:
    """The name of an entry: everything that it follows from, each part with its length."""
    name = hashlib.sha256(__version__.encode())
    for part in parts:
        name.update(b"\0%d:" % len(part))
        name.update(part)
    return name.digest()


def _check(name: bytes, packed: bytes) -> bytes:
    return hashlib.blake2b(packed, key=name, digest_size=_CHECK).digest()


def _pack(name: bytes, record: Record) -> bytes:
    packed = zlib.compress(msgspec.msgpack.encode(record), 1)
    return _check(name, packed) + packed


def _unpack(name: bytes, found: bytes, kind: str) -> Record | None:
    packed = found[_CHECK:]
    if found[:_CHECK] != _check(name, packed):
        return None
    try:
        return _decoder(kind).decode(zlib.decompress(packed))
    except (msgspec.MsgspecError, zlib.error):
        return None


@cache
def _decoder(kind: str) -> msgspec.msgpack.Decoder[Record]:
    return msgspec.msgpack.Decoder(KINDS[kind].record_type)
