"""What reading and proving may be spared by having been done before; here, nothing is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from accord.model.base import Record
from accord.model.finding import Finding
from accord.store.parse import parse_file


class Memory(Protocol):
    """Answers what was asked before, by the exact bytes; `store.cache` keeps one on disk."""

    def parse(self, data: bytes, path: str, kind: str) -> tuple[Record | None, tuple[Finding, ...]]:
        """What `parse_file` says."""

    def prove(self, about: Sequence[bytes], check: Callable[[], bool], /) -> bool:
        """What `check` says of a signature; `about` is all that it looks at, and nothing else."""


class Forgetful:
    """Remembers nothing."""

    def parse(self, data: bytes, path: str, kind: str) -> tuple[Record | None, tuple[Finding, ...]]:
        """What `parse_file` says."""
        return parse_file(data, path, kind)

    def prove(self, _about: Sequence[bytes], check: Callable[[], bool], /) -> bool:
        """What `check` says."""
        return check()


FORGETFUL: Memory = Forgetful()
