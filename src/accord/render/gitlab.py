"""GitLab's code quality report."""

from __future__ import annotations

import json
from collections import Counter

from accord.model.causes import trace
from accord.model.finding import Finding, FindingSeverity
from accord.model.ids import digest_bytes
from accord.render.escape import escape
from accord.render.json import cause_to_plain, render_json
from accord.render.report import Report

SEVERITIES: dict[FindingSeverity, str] = {"error": "major", "warning": "minor"}


def render_gitlab(report: Report) -> str:
    """One entry a finding. Fingerprints stay when lines move, and differ for equal findings."""
    seen: Counter[tuple[str, str, str]] = Counter()
    entries = []
    for finding, cause in trace(report.findings):
        same = (finding.code, finding.path, finding.message)
        seen[same] += 1
        entries.append(
            _entry(finding, cause, digest_bytes(json.dumps([*same, seen[same]]).encode()))
        )
    return render_json(entries)


def _entry(finding: Finding, cause: Finding | None, fingerprint: str) -> dict[str, object]:
    entry: dict[str, object] = {
        "description": escape(finding.message),
        "check_name": finding.code,
        "fingerprint": fingerprint.removeprefix("sha256:"),
        "severity": SEVERITIES[finding.severity],
        "location": {"path": finding.path, "lines": {"begin": finding.line or 1}},
    }
    return entry if cause is None else entry | {"caused_by": cause_to_plain(cause)}
