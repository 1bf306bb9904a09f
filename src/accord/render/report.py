"""What the renderers of a verification ask of it; `accord.verify` makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from accord.model.finding import Finding

STAGED = "index"
NOTHING = "nothing"
SHORT = 12


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

    `tree` is the object judged, "index", or "nothing"; `base` what it was judged against, None for
    nothing; `files` how many files were looked at, and `guarded` how many guarded paths; `why`
    says why none was, if none was; `notes` what to know besides.
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
    @property
    def guarded(self) -> int: ...
    @property
    def why(self) -> str: ...


def name_judged(report: Report) -> str:
    """` in what is staged against 4f1c2d3e4a5b`; empty where it is no tree."""
    if report.tree == NOTHING:
        return ""
    tree = "what is staged" if report.tree == STAGED else f"tree {report.tree[:SHORT]}"
    against = f" against {report.base[:SHORT]}" if report.base else ""
    return f" in {tree}{against}"


def count_judged(report: Report) -> str:
    """`41 files of 2 decisions and 1 guarded path`."""
    files = f"{count(report.files, 'file')} of {count(len(report.decisions), 'decision')}"
    return f"{files} and {count(report.guarded, 'guarded path')}" if report.guarded else files


def say_nothing(report: Report) -> str | None:
    """That nothing was judged, and why: it is said, and never implied. None where something was.

    No sentence ends here: formats go on after it.
    """
    if report.files or report.guarded or report.findings:
        return None
    return f"0 files checked{name_judged(report)}: {report.why}"


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
