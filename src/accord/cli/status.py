"""accord status"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.looking import find_successions_of, look_at_all
from accord.flow.reveal import tell_damaged
from accord.render.json import render_json, status_to_plain
from accord.render.status import render_status
from accord.rules.waiting import find_waiting
from accord.store.state import State
from accord.verify import Judged


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
    for line in _tell_damaged(workspace, judged):
        output.tell(line)
    if output_format == "json":
        plain = [status_to_plain(*line, successions.get(line[0].decision)) for line in lines]
        output.write_rendered(render_json(plain))
    else:
        output.write_page(render_status(lines, successions))


def _tell_damaged(workspace: Workspace, judged: Sequence[Judged]) -> Iterator[str]:
    """The sealed votes that this user keeps and cannot open, of decisions that wait for them."""
    waiting = [one for one in judged if one.judgement.rounds and not one.judgement.evaluation.ended]
    state = State.find_of_project(workspace.policy.project) if waiting else None
    if state is not None:
        for one in waiting:
            yield from tell_damaged(state, one.judgement.rounds[-1])
