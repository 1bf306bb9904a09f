"""The report of a verification, and lists of findings, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from accord.model.causes import Traced, trace
from accord.model.evaluation import ENDED
from accord.model.finding import Finding
from accord.render.page import Page, Span, Style
from accord.render.report import Report, count, count_judged, name_judged, say_nothing

Extent = Literal["causes", "all"]

_STYLES: dict[str, Style] = {"error": "bad", "warning": "warn"}


def render_report(report: Report, extent: Extent = "causes") -> Page:
    """The findings by file, what is undecided, what could not be measured, and a sum in words."""
    page = Page()
    list_findings(page, report.findings, extent)
    _list_undecided(page, report)
    _list_not_measured(page, report.not_measured)
    page.gap()
    for sentence, style in _sum_up(report):
        page.prose(Span(sentence, style))
    return page


def list_findings(page: Page, findings: Sequence[Finding], extent: Extent = "causes") -> None:
    """Findings grouped by file, causes first, each with its place, its code and how to fix it.

    What follows from them is counted; with `extent` "all" it is listed too.
    """
    traced = trace(findings)
    shown = [one for one in traced if extent == "all" or one.cause is None]
    for _, of_file in groupby(shown, key=lambda one: one.finding.path):
        page.gap()
        for one in of_file:
            _write_finding(page, one)
    hidden = len(traced) - len(shown)
    if hidden:
        page.gap()
        follow = "follows" if hidden == 1 else "follow"
        page.prose(
            f"{count(hidden, 'more finding')} {follow} from the above and"
            f" {'is' if hidden == 1 else 'are'} not shown: ",
            Span("accord verify --all", "command"),
        )


def count_findings(findings: Sequence[Finding]) -> str:
    """`2 errors and 1 warning`, `no errors`."""
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [count(errors, "error")] if errors else []
    if warnings:
        parts.append(count(warnings, "warning"))
    return " and ".join(parts) if parts else "no errors"


def _write_finding(page: Page, traced: Traced) -> None:
    finding, cause = traced
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
    if cause is not None:
        page.prose(f"follows from {cause.code} in {cause.path}", indent=4, hanging=6)


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
    nothing = say_nothing(report)
    if nothing is not None:
        return [(f"{nothing}.", "warn")]
    found = count_findings(report.findings)
    errors = any(finding.severity == "error" for finding in report.findings)
    style: Style = "bad" if errors else "warn" if report.findings else "good"
    return [(f"Judged {count_judged(report)}{name_judged(report)}: {found}.", style)]
