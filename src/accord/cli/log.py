"""accord log"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, decision_argument, format_option, pass_workspace
from accord.cli.looking import look
from accord.render.json import render_json
from accord.render.log import list_events, render_log


@click.command("log")
@decision_argument
@format_option("text", "json")
@pass_workspace
def command(workspace: Workspace, *, decision: str, output_format: str) -> None:
    """What happened to one decision, in order.

    Every signed file by the time that it claims. What is in nobody's name, a
    draft or a record, is not listed.

    \b
      accord log partial-index
      accord log partial-index --format json
    """
    judged = look(workspace, workspace.find(decision))
    events = list_events(judged.files, judged.judgement.counted)
    if output_format == "json":
        output.write_rendered(render_json([event._asdict() for event in events]))
    else:
        title = judged.judgement.evaluation.title
        output.write_page(render_log(judged.loaded.id, title, events))
