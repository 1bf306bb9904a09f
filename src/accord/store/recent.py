"""Equal work is done once: what is read and proven, for as long as one command runs.

Whoever pushes can have one file judged at many commits and at many paths. It costs one parse and
one check of a signature, whatever came out. What is kept is bounded, and nothing of it is on disk.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from accord.errors import CannotJudge
from accord.model.base import Record
from accord.model.finding import Finding
from accord.store.parse import parse_file
from accord.store.reader import parse_pure

MOST_BYTES = 8 * 1024 * 1024  # of files that are kept
MOST_PROVEN = 1 << 18
MOST_ASKED_AGAIN = 16

_Parsed = tuple[Record | None, tuple[Finding, ...]]


class _Kept(NamedTuple):
    size: int
    path: str
    parsed: _Parsed


class Recent:
    """Remembers what was asked of it lately.

    `asked_again` is how many files the slow parser may have the last word on; None: as many as
    there are.
    """

    def __init__(self, asked_again: int | None = None) -> None:
        self._left = asked_again
        self._parsed: OrderedDict[bytes, _Kept] = OrderedDict()
        self._size = 0
        self._proven: dict[bytes, bool] = {}

    def parse(self, data: bytes, path: str, kind: str) -> _Parsed:
        """What `parse_file` says. Raises CannotJudge when too many files need the slow parser."""
        name = _name(kind.encode(), data)
        kept = self._parsed.get(name)
        if kept is None:
            kept = _Kept(len(data), path, parse_file(data, path, kind, self._ask_again))
            self._keep(name, kept)
        else:
            self._parsed.move_to_end(name)
        record, findings = kept.parsed
        if kept.path != path:
            findings = tuple(msgspec.structs.replace(one, path=path) for one in findings)
        return record, findings

    def prove(self, about: Sequence[bytes], check: Callable[[], bool]) -> bool:
        """What `check` says of a signature."""
        name = _name(*about)
        if name not in self._proven:
            if len(self._proven) >= MOST_PROVEN:
                self._proven.clear()
            self._proven[name] = check()
        return self._proven[name]

    def _keep(self, name: bytes, kept: _Kept) -> None:
        self._parsed[name] = kept
        self._size += kept.size
        while self._size > MOST_BYTES:
            self._size -= self._parsed.popitem(last=False)[1].size

    def _ask_again(self, text: str) -> Iterator[Any]:
        if self._left is not None:
            if not self._left:
                raise CannotJudge(
                    "too many files here are in a YAML that only a slow parser reads",
                    "let accord write them, or write them without braces and brackets",
                )
            self._left -= 1
        return parse_pure(text)


def _name(*parts: bytes) -> bytes:
    name = hashlib.sha256()
    for part in parts:
        name.update(b"%d:" % len(part))
        name.update(part)
    return name.digest()
