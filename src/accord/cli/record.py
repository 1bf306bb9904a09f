"""accord record"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import (
    Workspace,
    decision_argument,
    format_option,
    pass_workspace,
)
from accord.cli.keeping import Keeping, keeping_options, tell_kept
from accord.cli.looking import look
from accord.errors import Refused, UsageError
from accord.flow.session import open_session
from accord.flow.settle import write_record
from accord.model.paths import path_of
from accord.render.escape import escape_lines
from accord.render.json import record_to_plain, render_json
from accord.rules.record import build_record
from accord.verify import Judged


@click.command("record")
@decision_argument
@format_option("text", "json")
@keeping_options(
    check="Only say whether the record is the right one.",
    write="Write the record that the files give.",
)
@pass_workspace
def command(workspace: Workspace, *, decision: str, output_format: str, keeping: Keeping) -> None:
    """Print the record of a decision, or check it.

    The record follows from the signed files, byte for byte; nobody writes
    "accepted" by hand. It exists exactly when the decision has ended.

    \b
      accord record partial-index
      accord record partial-index --check
    """
    judged = look(workspace, workspace.find(decision))
    decision = judged.loaded.id
    path = path_of("record", decision)
    if keeping.verb == "check":
        _check(judged, path)
        return
    if judged.record is None:
        status = judged.judgement.evaluation.status
        raise UsageError(
            f"{decision} has no record: it is {status}",
            f"`accord show {decision}` says what it waits for",
        )
    if keeping.verb == "write":
        session = open_session(workspace.repository)
        published = write_record(session, decision, keeping.saving)
        tell_kept(session, published.paths, published.commit, keeping.saving)
    elif output_format == "json":
        record = build_record(judged.files, judged.judgement)
        output.write_rendered(render_json(record_to_plain(record)))
    else:
        output.write(escape_lines(judged.record.decode()))


def _check(judged: Judged, path: str) -> None:
    """Say that the record is right. Raises Refused when it is not, or not there and due."""
    wrong = [finding for finding in judged.findings if finding.path == path]
    if wrong:
        raise Refused("the record is not right", wrong)
    output.write(f"{path}: {'right' if judged.files.record else 'not there, and not due'}\n")
