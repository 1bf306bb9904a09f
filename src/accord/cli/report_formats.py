"""The formats of a report, and the exit code that it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import click

from accord.cli import output
from accord.cli.context import Callback
from accord.errors import Exit
from accord.model.finding import find_errors
from accord.render.findings import Extent, render_report
from accord.render.github import render_github
from accord.render.gitlab import render_gitlab
from accord.render.json import render_json, report_to_plain
from accord.render.rdjsonl import render_rdjsonl
from accord.render.report import say_nothing
from accord.render.sarif import render_sarif
from accord.verify.report import Report

_RENDERERS: dict[str, Callable[[Report], str]] = {
    "json": lambda report: render_json(report_to_plain(report)),
    "github": render_github,
    "sarif": render_sarif,
    "gitlab": render_gitlab,
    "rdjsonl": render_rdjsonl,
}
FORMATS = ("text", *_RENDERERS)
# What holds findings and nothing else: that there was nothing to judge is told beside it.
_BARE = ("gitlab", "rdjsonl")


def all_option(function: Callback) -> Callback:
    """`--all`, as `extent`: also what follows from what is shown."""
    return click.option(
        "--all",
        "extent",
        flag_value="all",
        default="causes",
        help="In text, also show the findings that only follow from others.",
    )(function)


def write_report(report: Report, output_format: str, extent: Extent) -> None:
    """Print a report on stdout."""
    if output_format == "text":
        output.write_page(render_report(report, extent))
    else:
        output.write_rendered(render(report, output_format))
        nothing = say_nothing(report)
        if nothing is not None and output_format in _BARE:
            output.tell(f"{nothing}.")


def render(report: Report, output_format: str) -> str:
    """A report in any format, without colour."""
    if output_format == "text":
        return render_report(report).text()
    return _RENDERERS[output_format](report)


def exit_code(report: Report, demand: Literal["with order", "tree alone"]) -> Exit:
    """1 for errors, 3 when something was not measured and had to be, else 0."""
    if find_errors(report.findings):
        return Exit.FINDINGS
    if report.not_measured and demand == "with order":
        return Exit.CANNOT_JUDGE
    return Exit.OK
