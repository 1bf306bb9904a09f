"""What decisions put to the vote, and what for: their texts, and the older decisions they name.

A new ballot is held against every decision there ever was, and to read them all takes seconds
beside some thousand. So what was read of a directory is kept, by the name that git has for all
that is in it: for the rest of the run, and in the git directory for the next one. What is read
then is what is new. Where that is very much, as in a clone that has just been made, most files are
only searched for what is wanted, and are left to later runs.

Like the cache it is no source of trust. An entry follows from the bytes of a directory alone, and
no push and no working tree gets to it. A file that is damaged or too large is begun anew, and one
that is somebody else's is left alone.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from accord import __version__
from accord.model.base import Record
from accord.model.finding import Finding
from accord.model.paths import ROOT, TEXTS, find_location, is_decision
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment
from accord.store.own_file import is_own
from accord.store.parse import parse_file
from accord.store.search import Search
from accord.store.text import MAX_BYTES
from accord.store.tree import REGULAR, Tree

FILE = Path("accord", "mentions")
MOST_BYTES = 64 * 1024 * 1024

_DIGEST = hashlib.sha256().digest_size
_MARK = 16  # bytes that stand for a mention: enough that no two are the same
_READ_TOGETHER = 256
_READ_WHOLE = 1000  # files; to read one takes many times as long as to search it
_WORTH_WRITING = 0.02  # what is new, as a part of all: less is read again sooner than written


class Mention(NamedTuple):
    """A text, an older decision, the digest of a file that is to be enacted, or a commit.

    To redecide is to reopen or to supersede; to name is that, or to continue.
    """

    how: Literal["text", "redecides", "names", "enacts", "settles"]
    what: str


Parse = Callable[[bytes, str, str], tuple[Record | None, tuple[Finding, ...]]]
_Marks = tuple[bytes, ...]
_Known = dict[str, _Marks]


class Mentions:
    """What decisions mention, read once; `file` is where that is kept, None for nowhere."""

    def __init__(self, file: Path | None = None, parse: Parse | None = None) -> None:
        self._file = file
        self._parse = parse
        self._new = 0

    def find(self, tree: Tree, wanted: Collection[Mention]) -> Mapping[Mention, frozenset[str]]:
        """Which decisions of a tree mention each of these in a proposal or an amendment.

        Drafts too. One that cannot be read mentions nothing. Raises CannotJudge when a file
        is not at hand.
        """
        found: dict[Mention, set[str]] = {mention: set() for mention in wanted}
        by_mark = {_mark(mention): mention for mention in wanted}
        search = Search(*(mention.what for mention in wanted))
        for decision, marks in self._read(tree, search) if wanted else ():
            for mark in by_mark.keys() & marks:
                found[by_mark[mark]].add(decision)
        return {mention: frozenset(decisions) for mention, decisions in found.items()}

    def list_naming(self, tree: Tree, decision: str) -> tuple[str, ...]:
        """The other decisions of a tree that continue, reopen or supersede this one, sorted."""
        mention = Mention("names", decision)
        return tuple(sorted(self.find(tree, (mention,))[mention] - {decision}))

    def _read(self, tree: Tree, search: Search) -> Iterator[tuple[str, _Marks]]:
        """Each decision of a tree and what it mentions, as far as a search may be for it."""
        known = self._known
        # A directory of another name is no decision, whatever it holds, and may get a name later.
        folders = {name: id_ for name, id_ in tree.folders(ROOT).items() if is_decision(name)}
        unknown = {name for name, folder in folders.items() if folder not in known}
        fresh, searched = _read_marks(tree, unknown, search, self._parse or parse_file)
        for name, folder in folders.items():
            if folder in known:
                yield name, known[folder]
                continue
            yield name, fresh[name]
            if folder is not None and name not in searched:
                known[folder] = fresh[name]
                self._new += 1
        if self._new > len(known) * _WORTH_WRITING:
            self._write()

    @cached_property
    def _known(self) -> _Known:
        """By the id of a directory, what the decision in it mentions."""
        return {} if self._file is None else _load(self._file)

    def _write(self) -> None:
        """Keep all of it. Whoever writes last wins, and what another one knew is read again."""
        self._new = 0
        if self._file is not None:
            with suppress(OSError):
                _keep(self._file, self._known)


def _load(file: Path) -> _Known:
    """What is kept in a file: nothing when it is no good, or somebody else's."""
    try:
        reading = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(reading, "rb") as opened:
            about = os.fstat(reading)
            data = opened.read() if is_own(about) and about.st_size <= MOST_BYTES else b""
    except OSError:
        return {}
    digest, packed = data[:_DIGEST], data[_DIGEST:]
    return msgspec.msgpack.decode(packed, type=_Known) if digest == _digest(packed) else {}


def _keep(file: Path, known: _Known) -> None:
    """Let a file hold this, unless it is somebody else's. Raises OSError when it cannot."""
    with suppress(FileNotFoundError):
        if not is_own(file.lstat()):
            return
    packed = msgspec.msgpack.encode(known)
    file.parent.mkdir(exist_ok=True)
    beside = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        writing = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(writing, "wb") as opened:
            opened.write(_digest(packed) + packed)
        beside.replace(file)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _digest(packed: bytes) -> bytes:
    return hashlib.sha256(f"{__version__}\n".encode() + packed).digest()


def _mark(mention: Mention) -> bytes:
    return hashlib.blake2b("\0".join(mention).encode(), digest_size=_MARK).digest()


def _read_marks(
    tree: Tree, decisions: Set[str], search: Search, parse: Parse
) -> tuple[dict[str, _Marks], Set[str]]:
    """What some decisions mention, and those of which not all was read."""
    found: dict[str, set[bytes]] = {name: set() for name in decisions}
    searched: set[str] = set()
    entries = [entry for entry in tree.match((ROOT,), decisions, *TEXTS) if entry.mode == REGULAR]
    for start in range(0, len(entries), _READ_TOGETHER):
        together = entries[start : start + _READ_TOGETHER]
        for entry, data in zip(together, tree.read_up_to(together, MAX_BYTES), strict=True):
            location = find_location(entry.path)
            if location is None or isinstance(data, int):
                continue
            if start >= _READ_WHOLE and not search.may_be_in(data):
                searched.add(location.decision)
                continue
            record, _ = parse(data, entry.path, location.kind)
            found[location.decision].update(map(_mark, _list_mentions(record)))
    return {name: tuple(sorted(marks)) for name, marks in found.items()}, searched


def _list_mentions(record: Record | None) -> Iterator[Mention]:
    if not isinstance(record, Proposal | Amendment):
        return
    yield Mention("text", record.text)
    for entry in record.enacts:
        yield Mention("enacts", entry.digest)
    if isinstance(record, Proposal):
        redecided = (record.reopens, record.supersedes)
        yield from (Mention("redecides", name) for name in redecided if name)
        yield from (Mention("names", name) for name in (*redecided, record.continues) if name)
        yield from (Mention("settles", commit) for commit in record.settles)
