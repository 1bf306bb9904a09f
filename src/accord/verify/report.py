"""What a judgement of a tree says (section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.model.finding import Finding
from accord.store.places import place_finding
from accord.store.tree import Tree, read_plain


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """One decision that was judged; `held_up` if a protected branch does not take it yet."""

    id: str
    status: str
    verdict: str | None
    held_up: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What was judged, and what was found; all findings, not the first.

    `tree` is the object judged, `base` what it was judged against, None where a tree stood
    alone. `not_measured` are rules that could not be judged, in sentences; `notes` is what the
    reader should know besides.
    """

    tree: str
    base: str | None
    files: int
    decisions: tuple[DecisionLine, ...]
    findings: tuple[Finding, ...]
    not_measured: tuple[str, ...]
    notes: tuple[str, ...] = ()


def place_findings(tree: Tree, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings with line and column, in the order of files; each said once."""
    return sort_findings(_place(tree, finding) for finding in findings)


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings that have their places, in the order of files; each said once."""
    unique = {
        (found.path, found.line or 0, found.column or 0, found.code, found.message): found
        for found in findings
    }
    return tuple(finding for _, finding in sorted(unique.items(), key=lambda pair: pair[0]))


def _place(tree: Tree, finding: Finding) -> Finding:
    data = read_plain(tree, finding.path)
    return finding if data is None else place_finding(finding, data)
