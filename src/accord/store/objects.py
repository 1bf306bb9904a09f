"""Git objects, through one `git cat-file --batch` that stays for the whole run.

Every object is hashed again, so what is judged is what its name says. Trees and commits are
parsed here, as they are stored: no graft, replacement or shallow boundary changes a parent.

git says how large an object is before it gives it. What is larger than asked for is not read: a
few kilobytes of a push can hold gigabytes of zeros.
"""

from __future__ import annotations

import hashlib
import re
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import repeat
from typing import BinaryIO, NamedTuple, Protocol

from accord.errors import CannotJudge
from accord.store.folder import FSCK, HEX_LENGTH, Folder, parse_tree
from accord.store.tree import ObjectFormat, object_id

_HEX = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_COMMIT = re.compile(
    rb"tree (?P<tree>[0-9a-f]+)\n"
    rb"(?P<parents>(?:parent [0-9a-f]+\n)*)"
    rb"author [^\n]*\n"
    rb"committer [^\n]*> (?P<time>[0-9]{1,12}) [+-][0-9]+\n"
)
_ASKED_TOGETHER = 32
_HEADS = ("HEAD", *(f"refs/{place}HEAD" for place in ("", "tags/", "heads/", "remotes/")))
_NAMES_TOGETHER = 4  # a name is longer than an id
# Bytes: what is held at once, by kind. A folder of a hundred thousand files has some megabytes.
MOST_HELD = {"blob": 128 << 20, "tree": 32 << 20, "commit": 1 << 20}
_SKIPPED = 1 << 20  # what is read past; to start git again is quicker beyond that
_CHUNK = 1 << 18
# Enough for the way to one decision and its folders, twice; a large tree is a few megabytes.
_TREES_KEPT = 24
_COMMITS_KEPT = 64
_DIGESTS_KEPT = 4096


Sink = Callable[[bytes], object]


class Commit(NamedTuple):
    """What is read of a commit. `time` is the committer's, RFC 3339 in UTC."""

    tree: str
    parents: tuple[str, ...]
    time: str


class Answer(NamedTuple):
    """An object, and what it is; `data` is None where it is larger than was asked for."""

    oid: str
    kind: str
    size: int
    data: bytes | None


class TooLarge(CannotJudge):
    """An object has more bytes than are held at once; `size` says how many."""

    def __init__(self, kind: str, oid: str, size: int) -> None:
        super().__init__(
            f"the {kind} {oid} has {size:,} bytes, and no more than {MOST_HELD[kind]:,} are read",
            "keep what is so large out of this repository, or out of what is judged",
        )
        self.size = size


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
        self._digests: dict[str, tuple[int, str]] = {}
        self._left: int | None = None

    def has(self, oid: str) -> bool:
        """Whether an object is at hand. Raises CannotJudge when it is there and unreadable."""
        return oid in self._commits or self._ask(0, oid) != [None]

    def read(self, oid: str, kind: str = "blob") -> bytes:
        """The bytes of an object.

        Raises CannotJudge when it is missing, damaged or another kind, TooLarge when it is larger
        than anything that is held.
        """
        return self.read_all((oid,), kind)[0]

    def read_all(self, oids: Sequence[str], kind: str = "blob") -> list[bytes]:
        """The bytes of several objects, asked for together. Raises CannotJudge like `read`."""
        found: list[bytes] = []
        for oid, data in zip(oids, self.read_up_to(oids, MOST_HELD[kind], kind), strict=True):
            if isinstance(data, int):
                raise TooLarge(kind, oid, data)
            found.append(data)
        return found

    def read_up_to(self, oids: Sequence[str], most: int, kind: str = "blob") -> list[bytes | int]:
        """The same for objects of at most so many bytes; of a larger one, how many it has."""
        found: list[bytes | int] = []
        for start in range(0, len(oids), _ASKED_TOGETHER):
            together = oids[start : start + _ASKED_TOGETHER]
            answers = self._ask(most, *together)
            found += map(self._expect, together, answers, repeat(kind))
        return found

    def bound(self, hashed: int) -> None:
        """Let no more bytes than so many be hashed for `digest` from now on."""
        self._left = hashed

    def digest(self, oid: str, most: int | None = None) -> str | int:
        """The SHA-256 of a blob in hexadecimal digits, without holding it; its size if larger.

        Raises CannotJudge like `read`, and when more is to be hashed than may be.
        """
        if oid not in self._digests:
            hashed = hashlib.sha256()
            limit = min((one for one in (most, self._left) if one is not None), default=None)
            (answer,) = self._ask(limit, oid, sink=hashed.update)
            data = self._expect(oid, answer, "blob")
            if isinstance(data, int):
                if most is None or data <= most:
                    raise TooLarge("blob", oid, data)
                return data
            size = answer.size if answer is not None else 0
            self._left = None if self._left is None else self._left - size
            if len(self._digests) >= _DIGESTS_KEPT:
                self._digests.clear()
            self._digests[oid] = size, hashed.hexdigest()
        size, digest = self._digests[oid]
        return digest if most is None or size <= most else size

    def tree(self, oid: str) -> Folder:
        """A folder. Raises CannotJudge like `read`."""
        return self.trees((oid,))[0]

    def trees(self, oids: Sequence[str]) -> list[Folder]:
        """Several folders, asked for together. Raises CannotJudge like `read`."""
        found = {oid: self._trees.pop(oid) for oid in {*oids} & self._trees.keys()}
        missing = [oid for oid in dict.fromkeys(oids) if oid not in found]
        for oid, data in zip(missing, self.read_all(missing, "tree"), strict=True):
            found[oid] = parse_tree(oid, data, self.object_format)
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
        (answer,) = self._ask(0, oid)
        return answer is not None and answer.kind == "commit"

    def find_all(self, names: Sequence[str], most: int = 0) -> list[Answer | None]:
        """What full names mean (`HEAD`, `refs/heads/main:a/file`); None for each that means none.

        The bytes of an object are read if it has at most so many. Names hold no line feed.
        """
        found: list[Answer | None] = []
        for start in range(0, len(names), _NAMES_TOGETHER):
            found += self._ask_process(names[start : start + _NAMES_TOGETHER], most, None)
        return found

    def close(self) -> None:
        """End the process; the next object starts another one."""
        if self._process is not None:
            self._process = None
            self._finish()

    def _expect(self, oid: str, answer: Answer | None, kind: str) -> bytes | int:
        if answer is None:
            raise CannotJudge(f"the {kind} {oid} is not in this repository", self._mend())
        if answer.kind != kind:
            raise CannotJudge(f"the object {oid} is a {answer.kind}, not a {kind}", FSCK)
        return answer.size if answer.data is None else answer.data

    def _ask(self, most: int | None, *oids: str, sink: Sink | None = None) -> list[Answer | None]:
        # Anything shorter than a whole id would be looked up as a part of one.
        length = HEX_LENGTH[self.object_format]
        if not all(len(oid) == length and _HEX.match(oid) for oid in oids):
            return [None] * len(oids)
        answers = self._ask_process(oids, most, sink)
        for oid, answer in zip(oids, answers, strict=True):
            if answer is not None and answer.oid != oid:
                raise CannotJudge(f"git gave the object {answer.oid} for {oid}", FSCK)
        return answers

    def _ask_process(
        self, names: Sequence[str], most: int | None, sink: Sink | None
    ) -> list[Answer | None]:
        answers: list[Answer | None] = []
        try:
            while len(answers) < len(names):
                answers += self._read_answers(names[len(answers) :], most, sink)
        except BaseException:
            # Half of an answer may still be in the pipe; the next one must not read it.
            self.close()
            raise
        return answers

    def _read_answers(
        self, names: Sequence[str], most: int | None, sink: Sink | None
    ) -> Iterator[Answer | None]:
        """The answers to some questions, up to one that is too large to be read past."""
        if self._process is None:
            self._process = self._start()
            self._finish = weakref.finalize(self, _finish, self._process)
        process = self._process
        # All questions fit into the emptiest of pipes, so git never waits for room to answer
        # while it is waited for to read.
        with suppress(BrokenPipeError):
            process.stdin.write("".join(f"{name}\n" for name in names).encode())
            process.stdin.flush()
        for name in names:
            answer = self._read_answer(process, name, most, sink)
            yield answer
            if answer is not None and answer.data is None and answer.size > _SKIPPED:
                self.close()
                return

    def _read_answer(
        self, process: BatchProcess, name: str, most: int | None, sink: Sink | None
    ) -> Answer | None:
        header = process.stdout.readline()
        if header == f"{name} missing\n".encode():
            return None
        if not header:
            # A damaged object, or one that only the network has: git gave up.
            words = process.stderr.read().decode("utf-8", "replace").strip()
            hint = self._mend() if "promisor" in words else FSCK
            raise CannotJudge(f"git cannot read the object {name}: {words}", hint)
        oid, kind, digits = header.decode().split()
        size = int(digits)
        if most is not None and size > most:
            if size <= _SKIPPED:
                process.stdout.read(size + 1)
            return Answer(oid, kind, size, None)
        if sink is None:
            data = process.stdout.read(size)
            named = object_id(kind, data, self.object_format)
        else:
            data, named = b"", self._pour(process, kind, size, sink)
        process.stdout.read(1)
        if named != oid:
            raise CannotJudge(f"the object {oid} does not hold what its name says", FSCK)
        return Answer(oid, kind, size, data)

    def _pour(self, process: BatchProcess, kind: str, size: int, sink: Sink) -> str:
        """Hand an object on in pieces; the name that it has by its bytes."""
        name = hashlib.new(self.object_format, usedforsecurity=False)
        name.update(b"%s %d\0" % (kind.encode(), size))
        while size > 0:
            piece = process.stdout.read(min(size, _CHUNK))
            if not piece:
                break
            size -= len(piece)
            name.update(piece)
            sink(piece)
        return name.hexdigest()


def _finish(process: BatchProcess) -> None:
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    process.wait()


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
