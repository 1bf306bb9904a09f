"""What a judgement of a tree says (section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.model.finding import Finding
from accord.model.paths import POLICY
from accord.store.load import list_decisions
from accord.store.places import place_finding
from accord.store.text import MAX_BYTES
from accord.store.tree import REGULAR, Tree


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
    reader should know besides. `guarded` is how many guarded paths changed, and `why` says why
    there was no file to judge, if there was none.
    """

    tree: str
    base: str | None
    files: int
    decisions: tuple[DecisionLine, ...]
    findings: tuple[Finding, ...]
    not_measured: tuple[str, ...]
    notes: tuple[str, ...] = ()
    guarded: int = 0
    why: str = ""


def tell_unchanged(tree: Tree) -> str:
    """Why a step brings nothing of accord's to be judged: what stands there is as it was."""
    number = len(list_decisions(tree))
    decisions = f"{number:,} decision{'' if number == 1 else 's'}"
    if tree.find(POLICY) is None and not number:
        return "there is neither a policy nor a decision"
    return f"no file of accord's differs; the policy and {decisions} stand as they did"


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
    if finding.line is not None or not finding.field:
        return finding
    entry = tree.find(finding.path)
    if entry is None or entry.mode != REGULAR:
        return finding
    (data,) = tree.read_up_to((entry,), MAX_BYTES)
    return finding if isinstance(data, int) else place_finding(finding, data)
