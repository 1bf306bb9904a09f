"""The summary of a CI job, in Markdown: what was found, and who must do what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord.model.evaluation import Evaluation, Waiting
from accord.model.finding import find_errors
from accord.model.succession import Succession
from accord.render.findings import count_findings, render_report
from accord.render.markdown import line
from accord.render.report import Report
from accord.render.status import render_status
from accord.render.templates import fence

LONGEST = 120_000  # characters of each of two texts: at most four bytes each, and marks


def render_summary(
    report: Report,
    lines: Sequence[tuple[Evaluation, Sequence[Waiting]]],
    successions: Mapping[str, Succession],
) -> str:
    """The text of `accord verify`, and that of `accord status` for the decisions of the change.

    Both stand in fences that nothing in them can end.
    """
    parts = [f"## accord: {_judge(report)}", fence(_cut(render_report(report).text()))]
    parts += map(line, report.notes)
    if lines:
        parts += [
            "### Where the decisions of this change stand",
            fence(_cut(render_status(lines, successions).text())),
        ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def render_summary_trouble(message: str, hint: str) -> str:
    """That nothing was judged, and what mends it."""
    told = f"{message}\n{hint}" if hint else message
    return f"## accord: cannot judge\n\n{fence(told)}\n"


def _cut(text: str) -> str:
    """GitHub takes no summary above 1 MiB, and none of it then."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rpartition(chr(10))[0]}\n… and more: run `accord verify` to see all\n"


def _judge(report: Report) -> str:
    if find_errors(tuple(report.findings)):
        return f"refused, {count_findings(report.findings)}"
    if report.not_measured:
        return "not everything could be judged"
    return count_findings(report.findings)
