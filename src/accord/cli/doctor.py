"""accord doctor"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, pass_workspace
from accord.errors import Exit
from accord.flow.doctor import examine
from accord.render.page import Page, Span, Style

_STYLES: dict[str, Style] = {"ok": "good", "warn": "wait", "fail": "bad"}


@click.command("doctor")
@pass_workspace
def command(workspace: Workspace) -> int:
    """Check this machine and repository, and say what to mend.

    \b
      accord doctor
    """
    page = Page()
    failed = False
    for symptom in examine(workspace.start):
        page.prose(Span(f"{symptom.grade:4}", _STYLES[symptom.grade]), f" {symptom.text}")
        if symptom.remedy:
            page.prose(symptom.remedy, indent=5)
        failed = failed or symptom.grade == "fail"
    output.write_page(page)
    return Exit.CANNOT_JUDGE if failed else Exit.OK
