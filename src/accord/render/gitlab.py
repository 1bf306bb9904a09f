"""GitLab's code quality report."""

from __future__ import annotations

import json
from collections import Counter

from accord.model.finding import Finding, FindingSeverity
from accord.model.ids import digest_bytes
from accord.render.escape import escape
from accord.render.json import render_json
from accord.render.report import Report, in_order

SEVERITIES: dict[FindingSeverity, str] = {"error": "major", "warning": "minor"}


def render_gitlab(report: Report) -> str:
    """One entry a finding. Fingerprints stay when lines move, and differ for equal findings."""
    seen: Counter[tuple[str, str, str]] = Counter()
    entries = []
    for finding in in_order(report.findings):
        same = (finding.code, finding.path, finding.message)
        seen[same] += 1
        entries.append(_entry(finding, digest_bytes(json.dumps([*same, seen[same]]).encode())))
    return render_json(entries)


def _entry(finding: Finding, fingerprint: str) -> dict[str, object]:
    return {
        "description": escape(finding.message),
        "check_name": finding.code,
        "fingerprint": fingerprint.removeprefix("sha256:"),
        "severity": SEVERITIES[finding.severity],
        "location": {"path": finding.path, "lines": {"begin": finding.line or 1}},
    }
