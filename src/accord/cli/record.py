"""accord record"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, commit_options, decision_argument, pass_workspace
from accord.cli.looking import look
from accord.errors import Refused, UsageError
from accord.flow.publish import Change, Saving, publish
from accord.flow.session import open_session
from accord.model.paths import path_of
from accord.render.escape import escape_lines


@click.command("record")
@decision_argument
@click.option("--check", is_flag=True, help="Only say whether the record is the right one.")
@click.option("--write", "writes", is_flag=True, help="Write the record that the files give.")
@commit_options
@pass_workspace
def command(
    workspace: Workspace, *, decision: str, check: bool, writes: bool, commit: bool, push: bool
) -> None:
    """Print the record of a decision, or check it.

    The record follows from the signed files, byte for byte; nobody writes
    "accepted" by hand. It exists exactly when the decision has ended.

    \b
      accord record partial-index
      accord record partial-index --check
    """
    decision = workspace.find(decision)
    judged = look(workspace, decision)
    evaluation = judged.judgement.evaluation
    path = path_of("record", decision)
    if check:
        wrong = [finding for finding in judged.findings if finding.path == path]
        if wrong:
            raise Refused("the record is not right", wrong)
        output.write(f"{path}: {'right' if judged.record else 'not there, and not due'}\n")
        return
    if judged.record is None:
        raise UsageError(
            f"{decision} has no record: it is {evaluation.status}",
            f"`accord show {decision}` says what it waits for",
        )
    if not writes:
        output.write(escape_lines(judged.record.decode()) + "\n")
        return
    session = open_session(workspace.repository)
    change = Change(decision, f"{decision}: record", {path: judged.record})
    published = publish(session, change, Saving(commit, push))
    output.write(f"wrote {', '.join(published.paths)}\n")
