"""The JSON that other programs rely on: its keys do not change."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from accord.model.base import Record
from accord.model.causes import trace
from accord.model.evaluation import Evaluation, Waiting
from accord.model.finding import Finding
from accord.model.succession import Succession
from accord.render.escape import disarm_json
from accord.render.report import Report, say_nothing


def render_json(value: object) -> str:
    """Plain data as indented JSON that is safe to look at, with a line feed at the end."""
    return _show(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def render_json_line(value: object) -> str:
    """The same on one line."""
    return _show(json.dumps(value, ensure_ascii=False)) + "\n"


def report_to_plain(report: Report) -> dict[str, object]:
    """A verification: what was checked, what was found, where the decisions stand."""
    return {
        "checked": {
            "tree": report.tree,
            "base": report.base,
            "files": report.files,
            "decisions": len(report.decisions),
            "guarded": report.guarded,
            "why_nothing": None if say_nothing(report) is None else report.why,
        },
        "findings": findings_to_plain(report.findings),
        "decisions": [
            {"id": line.id, "status": line.status, "verdict": line.verdict}
            for line in report.decisions
        ],
        "not_measured": list(report.not_measured),
        "notes": list(report.notes),
    }


def findings_to_plain(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """All findings, causes first; `caused_by` names the one that a finding follows from."""
    return [_finding_to_plain(*one) for one in trace(findings)]


def cause_to_plain(cause: Finding) -> dict[str, str]:
    """The code and the file of a cause."""
    return {"code": cause.code, "path": cause.path}


def _finding_to_plain(finding: Finding, cause: Finding | None) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
        "caused_by": None if cause is None else cause_to_plain(cause),
    }


def evaluation_to_plain(evaluation: Evaluation) -> dict[str, object]:
    """A whole evaluation, every key there, `null` where there is nothing."""
    plain: dict[str, object] = msgspec.to_builtins(evaluation)
    return plain


def decision_to_plain(
    evaluation: Evaluation, waiting: Sequence[Waiting], succession: Succession | None = None
) -> dict[str, object]:
    """`show`: the evaluation, who must do what, and what newer decisions make of it."""
    return evaluation_to_plain(evaluation) | {
        "waiting_for": waiting_to_plain(waiting),
        "succession": succession_to_plain(succession),
    }


def succession_to_plain(succession: Succession | None) -> dict[str, str] | None:
    """What newer decisions make of an older one."""
    return None if succession is None else {"view": succession.view, "by": succession.by}


def status_to_plain(
    evaluation: Evaluation, waiting: Sequence[Waiting], succession: Succession | None = None
) -> dict[str, object]:
    """One decision of `status`."""
    return {
        "id": evaluation.decision,
        "title": evaluation.title,
        "class": evaluation.class_,
        "round": evaluation.round,
        "status": evaluation.status,
        "verdict": evaluation.verdict,
        "ruled_over": evaluation.ruled_over,
        "waiting_for": waiting_to_plain(waiting),
        "succession": succession_to_plain(succession),
    }


def waiting_to_plain(waiting: Sequence[Waiting]) -> list[dict[str, str]]:
    """Who must do what, with the command that does it."""
    return [
        {"member": wait.member, "action": wait.action, "command": wait.command} for wait in waiting
    ]


def record_to_plain(record: Record) -> dict[str, object]:
    """Any record, with the keys of its file."""
    plain: dict[str, object] = msgspec.to_builtins(record)
    return plain


def _show(text: str) -> str:
    """Escape what a terminal or a CI job would obey.

    It stands in strings only, so the value is the same.
    """
    if not all(line.isprintable() for line in text.split("\n")):
        text = "".join(
            char if char == "\n" or char.isprintable() else json.dumps(char)[1:-1] for char in text
        )
    return disarm_json(text)
