"""Workflow commands that GitHub shows as annotations on the lines of a pull request."""

from __future__ import annotations

from collections import Counter

from accord.model.causes import trace
from accord.model.finding import Finding
from accord.render.escape import disarm, escape_lines
from accord.render.findings import count_findings
from accord.render.report import Report, count_judged, say_nothing

# GitHub shows ten a level and step and drops the rest without a word.
SHOWN = 10


def render_github(report: Report) -> str:
    """At most ten annotations a level; what is left is counted, and so is everything."""
    seen: Counter[str] = Counter()
    lines = []
    told = [(one.finding.severity, _annotate(*one)) for one in trace(report.findings)]
    told += [("warning", _annotate_unmeasured(sentence)) for sentence in report.not_measured]
    for severity, line in told:
        seen[severity] += 1
        if seen[severity] <= SHOWN:
            lines.append(line)
    left = sum(max(0, number - SHOWN) for number in seen.values())
    sum_ = say_nothing(report) or (
        f"{count_judged(report)} checked: {count_findings(report.findings)}"
    )
    if report.not_measured:
        sum_ += f", {len(report.not_measured)} not judged"
    if left:
        sum_ += f"; {left} of them are not shown here, run `accord verify` to see all"
    lines.append(f"::notice title=accord verify::{_escape_data(sum_)}")
    return "".join(line + "\n" for line in lines)


def render_github_trouble(message: str, hint: str) -> str:
    """That nothing was judged, and what mends it."""
    told = f"{message}\n{hint}" if hint else message
    return f"::error title=accord cannot judge::{_escape_data(told)}\n"


def _annotate_unmeasured(sentence: str) -> str:
    return f"::warning title=accord could not judge::{_escape_data(sentence)}"


def _annotate(finding: Finding, cause: Finding | None) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column,
        "title": f"accord {finding.code}",
    }
    told = ",".join(
        f"{name}={_escape_property(str(value))}"
        for name, value in properties.items()
        if value is not None
    )
    # Doing what the hint of a consequence says would do harm.
    more = finding.hint if cause is None else f"follows from {cause.code} in {cause.path}"
    message = f"{finding.message}\n{more}" if more else finding.message
    return f"::{finding.severity} {told}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    """Text of a command: nothing in it ends the line, so nothing in it is a command."""
    return disarm(escape_lines(text)).replace("%", "%25").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    """A property ends at a comma, the properties at two colons."""
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
