"""What the renderers of a verification ask of it; `accord.verify` makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from accord.model.finding import Finding

STAGED = "index"


class DecisionLine(Protocol):
    """One decision of the tree, in three words."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def verdict(self) -> str | None: ...


class Report(Protocol):
    """What was judged, and what was found.

    `tree` is the object judged, or "index"; `base` what it was judged against, None for
    nothing; `files` how many files were looked at; `notes` what to know besides.
    """

    @property
    def tree(self) -> str: ...
    @property
    def base(self) -> str | None: ...
    @property
    def files(self) -> int: ...
    @property
    def decisions(self) -> Sequence[DecisionLine]: ...
    @property
    def findings(self) -> Sequence[Finding]: ...
    @property
    def not_measured(self) -> Sequence[str]: ...
    @property
    def notes(self) -> Sequence[str]: ...


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
