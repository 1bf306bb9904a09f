"""accord show"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, decision_argument, format_option, pass_workspace
from accord.cli.looking import find_succession, judge, show_enacted
from accord.render.decision import render_decision
from accord.render.json import decision_to_plain, render_json
from accord.rules.waiting import find_waiting


@click.command("show")
@decision_argument
@format_option("text", "json")
@pass_workspace
def command(workspace: Workspace, *, decision: str, output_format: str) -> None:
    """Explain one decision, gate by gate.

    Who agrees and who does not, who is missing, which evidence is not shared,
    which votes stand on the same source, and what it waits for.

    \b
      accord show partial-index
    """
    decision = workspace.find(decision)
    judged = judge(workspace, decision)
    succession = find_succession(workspace, decision)
    evaluation = judged.judgement.evaluation
    waiting = find_waiting(judged.files, judged.judgement)
    # What has ended is in force, or never will be: a comparison with now says nothing of it.
    enacted = () if evaluation.ended else show_enacted(workspace, judged)
    if output_format == "json":
        plain = decision_to_plain(evaluation, waiting, succession)
        output.write_rendered(render_json(plain | {"enacts": [one.to_plain() for one in enacted]}))
    else:
        output.write_page(
            render_decision(evaluation, waiting, judged.files, judged.findings, succession, enacted)
        )
