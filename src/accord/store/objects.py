"""Git objects, through one `git cat-file --batch` that stays for the whole run.

Every object is hashed again, so what is judged is what its name says. Trees and commits are
parsed here, as they are stored: no graft, replacement or shallow boundary changes a parent.
"""

from __future__ import annotations

import re
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import repeat
from typing import BinaryIO, NamedTuple, Protocol

from accord.errors import CannotJudge
from accord.store.tree import ObjectFormat, object_id

FOLDER = "040000"
HEX_LENGTH: dict[ObjectFormat, int] = {"sha1": 40, "sha256": 64}

_MODES = {
    b"40000": FOLDER,
    b"040000": FOLDER,  # some old tools padded it
    b"100644": "100644",
    b"100664": "100644",  # git itself, before 2007
    b"100755": "100755",
    b"120000": "120000",
    b"160000": "160000",
}
_FOLDERS = (b"40000", b"040000")
_HEX = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_ENTRY: dict[ObjectFormat, re.Pattern[bytes]] = {
    "sha1": re.compile(rb"([0-7]{5,6}) ([^/\0]+)\0(.{20})", re.DOTALL),
    "sha256": re.compile(rb"([0-7]{5,6}) ([^/\0]+)\0(.{32})", re.DOTALL),
}
_COMMIT = re.compile(
    rb"tree (?P<tree>[0-9a-f]+)\n"
    rb"(?P<parents>(?:parent [0-9a-f]+\n)*)"
    rb"author [^\n]*\n"
    rb"committer [^\n]*> (?P<time>[0-9]{1,12}) [+-][0-9]+\n"
)
_ASKED_TOGETHER = 32
_HEADS = ("HEAD", *(f"refs/{place}HEAD" for place in ("", "tags/", "heads/", "remotes/")))
_NAMES_TOGETHER = 4  # a name is longer than an id
# Enough for the way to one decision and its folders, twice; a large tree is a few megabytes.
_TREES_KEPT = 24
_COMMITS_KEPT = 64

FSCK = "`git fsck --full` says more; fetch the object again from another clone"


class Node(NamedTuple):
    """What a name in a folder stands for."""

    mode: str
    oid: str


class Folder:
    """What stands directly in a folder."""

    def __init__(self, entries: Mapping[bytes, tuple[bytes, bytes, bytes]]) -> None:
        self._entries = entries

    def find(self, name: str) -> Node | None:
        """What has this name, or None."""
        entry = self._entries.get(name.encode("utf-8", "surrogateescape"))
        return None if entry is None else Node(_MODES[entry[0]], entry[2].hex())

    def folders(self) -> dict[str, str]:
        """Those that are folders themselves: name → id."""
        return {
            name.decode("utf-8", "surrogateescape"): target.hex()
            for name, (mode, _, target) in self._entries.items()
            if mode in _FOLDERS
        }

    def files(self) -> list[str]:
        """The names of all others."""
        return [
            name.decode("utf-8", "surrogateescape")
            for name, (mode, _, _) in self._entries.items()
            if mode not in _FOLDERS
        ]

    def items(self) -> Iterator[tuple[str, Node]]:
        """All names, and what has them."""
        for name, (mode, _, target) in self._entries.items():
            yield name.decode("utf-8", "surrogateescape"), Node(_MODES[mode], target.hex())


class Commit(NamedTuple):
    """What is read of a commit. `time` is the committer's, RFC 3339 in UTC."""

    tree: str
    parents: tuple[str, ...]
    time: str


class Answer(NamedTuple):
    """An object, and what it is."""

    oid: str
    kind: str
    data: bytes


class BatchProcess(Protocol):
    """The running `git cat-file --batch`."""

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO

    def wait(self) -> int:
        """Let it end."""


class Objects:
    """The objects of one repository.

    `start` starts the process, `mend` names the command that brings a missing object.
    """

    def __init__(
        self,
        start: Callable[[], BatchProcess],
        object_format: ObjectFormat,
        mend: Callable[[], str],
    ) -> None:
        self.object_format: ObjectFormat = object_format
        self._start = start
        self._mend = mend
        self._process: BatchProcess | None = None
        self._finish: Callable[[], object] = bool
        self._trees: OrderedDict[str, Folder] = OrderedDict()
        self._commits: dict[str, Commit] = {}

    def has(self, oid: str) -> bool:
        """Whether an object is at hand. Raises CannotJudge when it is there and unreadable."""
        return oid in self._commits or self._ask(oid) != [None]

    def read(self, oid: str, kind: str = "blob") -> bytes:
        """The bytes of an object. Raises CannotJudge when it is missing, damaged, another kind."""
        return self._expect(oid, self._ask(oid)[0], kind)

    def read_all(self, oids: Sequence[str], kind: str = "blob") -> list[bytes]:
        """The bytes of several objects, asked for together. Raises CannotJudge like `read`."""
        found: list[bytes] = []
        for start in range(0, len(oids), _ASKED_TOGETHER):
            together = oids[start : start + _ASKED_TOGETHER]
            answers = self._ask(*together)
            found += map(self._expect, together, answers, repeat(kind))
        return found

    def tree(self, oid: str) -> Folder:
        """A folder. Raises CannotJudge like `read`."""
        return self.trees((oid,))[0]

    def trees(self, oids: Sequence[str]) -> list[Folder]:
        """Several folders, asked for together. Raises CannotJudge like `read`."""
        found = {oid: self._trees.pop(oid) for oid in {*oids} & self._trees.keys()}
        missing = [oid for oid in dict.fromkeys(oids) if oid not in found]
        for oid, data in zip(missing, self.read_all(missing, "tree"), strict=True):
            found[oid] = _parse_tree(oid, data, self.object_format)
        self._trees |= found
        while len(self._trees) > _TREES_KEPT:
            self._trees.popitem(last=False)
        return [found[oid] for oid in oids]

    def commit(self, oid: str) -> Commit:
        """A commit. Raises CannotJudge like `read`."""
        if oid not in self._commits:
            if len(self._commits) >= _COMMITS_KEPT:
                self._commits.clear()
            self._commits[oid] = _parse_commit(oid, self.read(oid, "commit"))
        return self._commits[oid]

    def find_head(self) -> str | None:
        """The commit of HEAD, asked of the process that runs anyway; None when it is not found."""
        answer, *others = self.find_all(_HEADS)
        # Where HEAD names nothing yet git goes on, and takes a tag that is called so.
        if answer is None or answer.kind != "commit" or any(others):
            return None
        return answer.oid

    def is_commit(self, oid: str) -> bool:
        """Whether this is a commit at hand."""
        (answer,) = self._ask(oid)
        return answer is not None and answer.kind == "commit"

    def find_all(self, names: Sequence[str]) -> list[Answer | None]:
        """What full names mean (`HEAD`, `refs/heads/main:a/file`); None for each that means none.

        They may hold no line feed.
        """
        found: list[Answer | None] = []
        for start in range(0, len(names), _NAMES_TOGETHER):
            found += self._ask_process(*names[start : start + _NAMES_TOGETHER])
        return found

    def close(self) -> None:
        """End the process; the next object starts another one."""
        if self._process is not None:
            self._process = None
            self._finish()

    def _expect(self, oid: str, answer: Answer | None, kind: str) -> bytes:
        if answer is None:
            raise CannotJudge(f"the {kind} {oid} is not in this repository", self._mend())
        if answer.kind != kind:
            raise CannotJudge(f"the object {oid} is a {answer.kind}, not a {kind}", FSCK)
        return answer.data

    def _ask(self, *oids: str) -> list[Answer | None]:
        # Anything shorter than a whole id would be looked up as a part of one.
        length = HEX_LENGTH[self.object_format]
        if not all(len(oid) == length and _HEX.match(oid) for oid in oids):
            return [None] * len(oids)
        answers = self._ask_process(*oids)
        for oid, answer in zip(oids, answers, strict=True):
            if answer is not None and answer.oid != oid:
                raise CannotJudge(f"git gave the object {answer.oid} for {oid}", FSCK)
        return answers

    def _ask_process(self, *names: str) -> list[Answer | None]:
        if self._process is None:
            self._process = self._start()
            self._finish = weakref.finalize(self, _finish, self._process)
        try:
            # All questions fit into the emptiest of pipes, so git never waits for room to answer
            # while it is waited for to read.
            with suppress(BrokenPipeError):
                self._process.stdin.write("".join(f"{name}\n" for name in names).encode())
                self._process.stdin.flush()
            return [self._read_answer(self._process, name) for name in names]
        except BaseException:
            # Half of an answer may still be in the pipe; the next one must not read it.
            self.close()
            raise

    def _read_answer(self, process: BatchProcess, name: str) -> Answer | None:
        header = process.stdout.readline()
        if header == f"{name} missing\n".encode():
            return None
        if not header:
            # A damaged object, or one that only the network has: git gave up.
            words = process.stderr.read().decode("utf-8", "replace").strip()
            hint = self._mend() if "promisor" in words else FSCK
            raise CannotJudge(f"git cannot read the object {name}: {words}", hint)
        oid, kind, size = header.decode().split()
        data = process.stdout.read(int(size) + 1)[:-1]
        if object_id(kind, data, self.object_format) != oid:
            raise CannotJudge(f"the object {oid} does not hold what its name says", FSCK)
        return Answer(oid, kind, data)


def _finish(process: BatchProcess) -> None:
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    process.wait()


def _parse_tree(oid: str, data: bytes, object_format: ObjectFormat) -> Folder:
    # A folder may hold ten thousand decisions, of which one is looked for: what can wait, waits.
    entries: list[tuple[bytes, bytes, bytes]] = _ENTRY[object_format].findall(data)
    modes = [mode for mode, _, _ in entries]
    names = [name for _, name, _ in entries]
    width = HEX_LENGTH[object_format] // 2 + 2
    whole = sum(map(len, modes)) + sum(map(len, names)) + width * len(entries) == len(data)
    # git sorts a folder as if its name ended in a slash. What is not in this order has a name
    # twice, and two readers could then see two different files.
    order = [name + b"/" if mode in _FOLDERS else name for mode, name, _ in entries]
    ordered = all(map(bytes.__lt__, order, order[1:]))
    by_name = dict(zip(names, entries, strict=True))
    odd = by_name.keys() & {b".", b".."} or set(modes) - _MODES.keys()
    if not whole or not ordered or odd or len(by_name) != len(entries):
        raise CannotJudge(f"the tree {oid} is malformed", FSCK)
    return Folder(by_name)


def _parse_commit(oid: str, data: bytes) -> Commit:
    head = _COMMIT.match(data)
    if head is None:
        raise CannotJudge(f"the commit {oid} is malformed", FSCK)
    parents = head["parents"].decode().removesuffix("\n").split("\n")
    return Commit(
        head["tree"].decode(),
        tuple(line.removeprefix("parent ") for line in parents if line),
        _render_time(oid, int(head["time"])),
    )


def _render_time(oid: str, seconds: int) -> str:
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError) as error:
        raise CannotJudge(f"the commit {oid} names a time that does not exist", FSCK) from error
    return moment.isoformat().replace("+00:00", "Z")
