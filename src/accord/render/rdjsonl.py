"""Reviewdog's diagnostic format, one JSON object a line."""

from __future__ import annotations

from accord.model.causes import trace
from accord.model.finding import Finding
from accord.render.escape import escape
from accord.render.json import render_json_line
from accord.render.report import Report


def render_rdjsonl(report: Report) -> str:
    """One line a finding."""
    return "".join(render_json_line(_diagnostic(*one)) for one in trace(report.findings))


def _diagnostic(finding: Finding, cause: Finding | None) -> dict[str, object]:
    location: dict[str, object] = {"path": finding.path}
    if finding.line is not None:
        start = {"line": finding.line}
        if finding.column is not None:
            start["column"] = finding.column
        location["range"] = {"start": start}
    told = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    plain: dict[str, object] = {
        "message": escape(told),
        "location": location,
        "severity": finding.severity.upper(),
        "source": {"name": "accord"},
        "code": {"value": finding.code},
    }
    if cause is not None:
        plain["related_locations"] = [
            {"message": f"caused by {cause.code}", "location": {"path": cause.path}}
        ]
    return plain
