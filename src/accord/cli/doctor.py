"""accord doctor"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.errors import Exit
from accord.flow.doctor import Grade, examine
from accord.render.json import render_json
from accord.render.page import Page, Span, Style

_STYLES: dict[Grade, Style] = {"ok": "good", "warn": "warn", "fail": "bad"}


@click.command("doctor")
@format_option("text", "json")
@pass_workspace
def command(workspace: Workspace, *, output_format: str) -> int:
    """Check this machine and repository, and say what to mend.

    The programs, the reader, the policy, the keys that are at hand, git's
    attributes and hooks, and sealed votes that were never opened. The exit
    code is 3 when something keeps accord from working.

    \b
      accord doctor
    """
    symptoms = tuple(examine(workspace.start))
    if output_format == "json":
        output.write_rendered(render_json([symptom._asdict() for symptom in symptoms]))
    else:
        page = Page()
        for symptom in symptoms:
            grade = Span(f"{symptom.grade:4}", _STYLES[symptom.grade])
            page.table([(grade, symptom.text)])
            if symptom.remedy:
                page.prose(Span("mend:", "wait"), " ", symptom.remedy, indent=6, hanging=12)
        output.write_page(page)
    failed = any(symptom.grade == "fail" for symptom in symptoms)
    return Exit.CANNOT_JUDGE if failed else Exit.OK
