"""accord status"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.looking import look
from accord.render.json import render_json, status_to_plain
from accord.render.status import render_status
from accord.rules.waiting import find_waiting
from accord.store.load import list_decisions


@click.command("status")
@format_option("text", "json")
@pass_workspace
def command(workspace: Workspace, *, output_format: str) -> None:
    """What is open, who must do what, and how.

    \b
      accord status
      accord status --format json
    """
    names = list_decisions(workspace.tree)
    judged = [look(workspace, name) for name in names]
    lines = [(one.judgement.evaluation, find_waiting(one.files, one.judgement)) for one in judged]
    if output_format == "json":
        output.write(render_json([status_to_plain(*line) for line in lines]))
    else:
        output.write_page(render_status(lines))
