"""accord status"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.looking import find_successions_of, look_at_all
from accord.render.json import render_json, status_to_plain
from accord.render.status import render_status
from accord.rules.waiting import find_waiting


@click.command("status")
@format_option("text", "json")
@pass_workspace
def command(workspace: Workspace, *, output_format: str) -> None:
    """What is open, who must do what, and how.

    What is staged counts: a draft that is only in the working directory is
    nobody's business yet. Decisions that have ended are summed up.

    \b
      accord status
      accord status --format json
    """
    judged = look_at_all(workspace)
    lines = [(one.judgement.evaluation, find_waiting(one.files, one.judgement)) for one in judged]
    successions = find_successions_of(judged)
    if output_format == "json":
        plain = [status_to_plain(*line, successions.get(line[0].decision)) for line in lines]
        output.write_rendered(render_json(plain))
    else:
        output.write_page(render_status(lines, successions))
