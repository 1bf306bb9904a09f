"""The report of a verification, and lists of findings, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from accord.model.evaluation import ENDED
from accord.model.finding import Finding
from accord.render.page import Page, Span, Style
from accord.render.report import STAGED, Report, count, in_order

_STYLES: dict[str, Style] = {"error": "bad", "warning": "warn"}
_SHORT = 12


def render_report(report: Report) -> Page:
    """The findings by file, what is undecided, what could not be measured, and a sum in words."""
    page = Page()
    list_findings(page, report.findings)
    _list_undecided(page, report)
    _list_not_measured(page, report.not_measured)
    page.gap()
    for sentence, style in _sum_up(report):
        page.prose(Span(sentence, style))
    return page


def list_findings(page: Page, findings: Sequence[Finding]) -> None:
    """Findings grouped by file, each with its place, its code and how to mend it."""
    for _, of_file in groupby(in_order(findings), key=lambda finding: finding.path):
        page.gap()
        for finding in of_file:
            _write_finding(page, finding)


def count_findings(findings: Sequence[Finding]) -> str:
    """`2 errors and 1 warning`, `no errors`."""
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [count(errors, "error")] if errors else []
    if warnings:
        parts.append(count(warnings, "warning"))
    return " and ".join(parts) if parts else "no errors"


def _write_finding(page: Page, finding: Finding) -> None:
    place = ":".join(
        str(part) for part in (finding.path, finding.line, finding.column) if part is not None
    )
    page.prose(
        Span(place, "path"),
        ": ",
        Span(f"{finding.severity}[{finding.code}]", _STYLES[finding.severity]),
        ": ",
        finding.message,
        hanging=4,
    )
    if finding.hint:
        page.prose(Span("hint:", "wait"), " ", finding.hint, indent=4, hanging=10)


def _list_undecided(page: Page, report: Report) -> None:
    undecided = [line for line in report.decisions if line.status not in ENDED]
    if undecided:
        page.heading("Not decided yet")
        page.table(
            [(line.id, Span(line.status, "wait"), line.verdict or "") for line in undecided],
            indent=2,
        )


def _list_not_measured(page: Page, not_measured: Sequence[str]) -> None:
    if not_measured:
        page.heading("Not measured")
        for rule in not_measured:
            page.prose("- ", rule, indent=2, hanging=4)


def _sum_up(report: Report) -> list[tuple[str, Style]]:
    """What was judged, and how it came out; that nothing was judged is said, not implied."""
    if report.files == 0 and not report.findings:
        return [(f"0 files checked: {_name_tree(report)} holds nothing of accord's.", "warn")]
    what = f"{count(report.files, 'file')} of {count(len(report.decisions), 'decision')}"
    against = f" against {report.base[:_SHORT]}" if report.base else ""
    found = count_findings(report.findings)
    errors = any(finding.severity == "error" for finding in report.findings)
    style: Style = "bad" if errors else "warn" if report.findings else "good"
    return [(f"Judged {what} in {_name_tree(report)}{against}: {found}.", style)]


def _name_tree(report: Report) -> str:
    return "what is staged" if report.tree == STAGED else f"tree {report.tree[:_SHORT]}"
