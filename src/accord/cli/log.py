"""accord log"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, decision_argument, pass_workspace
from accord.cli.looking import look
from accord.render.log import list_events, render_log


@click.command("log")
@decision_argument
@pass_workspace
def command(workspace: Workspace, *, decision: str) -> None:
    """What happened to one decision, in order.

    \b
      accord log partial-index
    """
    judged = look(workspace, workspace.find(decision))
    title = judged.judgement.evaluation.title
    output.write_page(render_log(judged.loaded.id, title, list_events(judged.files)))
