"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from urllib.parse import quote

from accord import __version__
from accord.model.causes import trace
from accord.model.finding import CODES, Finding
from accord.render.escape import escape
from accord.render.json import cause_to_plain, render_json
from accord.render.report import Report, say_nothing

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(report: Report) -> str:
    """One run, with the rules that were broken and every place where they were."""
    findings = trace(report.findings)
    rules = sorted({finding.code for finding, _ in findings})
    run = {
        "tool": {
            "driver": {
                "name": "accord",
                "version": __version__,
                "rules": [_describe(code) for code in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_describe_run(report)],
        "results": [_result(*one, rules.index(one.finding.code)) for one in findings],
    }
    return render_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _describe_run(report: Report) -> dict[str, object]:
    nothing = say_nothing(report)
    said = {"level": "note", "message": {"text": nothing}}
    notifications = {} if nothing is None else {"toolExecutionNotifications": [said]}
    return {"executionSuccessful": True, **notifications}


def _describe(code: str) -> dict[str, object]:
    return {
        "id": code,
        "shortDescription": {"text": CODES[code].title},
        "defaultConfiguration": {"level": CODES[code].severity},
        "properties": {"tags": [CODES[code].about]},
    }


def _result(finding: Finding, cause: Finding | None, rule: int) -> dict[str, object]:
    told = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    place: dict[str, object] = {
        "artifactLocation": {
            "uri": quote(finding.path, errors="backslashreplace"),
            "uriBaseId": "%SRCROOT%",
        }
    }
    if finding.line is not None:
        region = {"startLine": finding.line}
        if finding.column is not None:
            region["startColumn"] = finding.column
        place["region"] = region
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": escape(told)},
        "locations": [{"physicalLocation": place}],
    }
    return (
        result if cause is None else result | {"properties": {"caused_by": cause_to_plain(cause)}}
    )
