"""accord ledger"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.keeping import Keeping, keeping_options, tell_kept, tell_where_it_belongs
from accord.errors import Refused
from accord.flow.ledger import keep_ledger
from accord.flow.publish import Saving
from accord.flow.session import open_session
from accord.model.paths import LEDGER
from accord.render.ledger import render_ledger, render_ledger_page
from accord.verify.ledger import check_tree_ledger, list_tree_events


@click.command("ledger")
@format_option("json", "text")
@keeping_options(
    check="Only say whether the ledger is the right one.", write=f"Keep it at {LEDGER}."
)
@pass_workspace
def command(workspace: Workspace, *, output_format: str, keeping: Keeping) -> None:
    """Print what happened in all decisions, one JSON object a line.

    The ledger follows from the files that count: the same bytes for everybody
    who has the same tree. The lines of a decision are chained by digests. It
    is kept on the protected branch, where CI or a person refreshes it;
    decisions are taken on branches that leave it alone.

    \b
      accord ledger
      accord ledger --format text
      accord ledger --check
      accord ledger --write --commit
    """
    if keeping.verb == "check":
        _check(workspace)
    elif keeping.verb == "write":
        _write(workspace, keeping.saving)
    elif output_format == "json":
        output.write_rendered(render_ledger(list_tree_events(workspace.tree)).decode("ascii"))
    else:
        output.write_page(render_ledger_page(list_tree_events(workspace.tree)))


def _check(workspace: Workspace) -> None:
    """Say that the ledger is right. Raises Refused when it is not, or not there and due."""
    wrong = check_tree_ledger(workspace.tree)
    if wrong:
        raise Refused("the ledger is not right", wrong)
    there = workspace.tree.find(LEDGER) is not None
    output.write(f"{LEDGER}: {'right' if there else 'not there, and not due'}\n")


def _write(workspace: Workspace, saving: Saving) -> None:
    session = open_session(workspace.repository)
    tell_where_it_belongs(session, "the ledger")
    kept = keep_ledger(session, saving)
    if kept.path is None:
        output.write(f"{LEDGER}: nothing to write\n")
    tell_kept(session, (kept.path,) if kept.path else (), kept.commit, saving)
