"""Reviewdog's diagnostic format, one JSON object a line."""

from __future__ import annotations

from accord.model.finding import Finding
from accord.render.escape import escape
from accord.render.json import render_json_line
from accord.render.report import Report, in_order


def render_rdjsonl(report: Report) -> str:
    """One line a finding."""
    return "".join(render_json_line(_diagnostic(finding)) for finding in in_order(report.findings))


def _diagnostic(finding: Finding) -> dict[str, object]:
    location: dict[str, object] = {"path": finding.path}
    if finding.line is not None:
        start = {"line": finding.line}
        if finding.column is not None:
            start["column"] = finding.column
        location["range"] = {"start": start}
    told = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    return {
        "message": escape(told),
        "location": location,
        "severity": finding.severity.upper(),
        "source": {"name": "accord"},
        "code": {"value": finding.code},
    }
