"""accord ledger"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.context import Workspace, commit_options, format_option, pass_workspace
from accord.errors import Refused, UsageError
from accord.flow.ledger import keep_ledger
from accord.flow.publish import Saving
from accord.flow.session import Session, open_session
from accord.model.paths import LEDGER
from accord.render.escape import escape
from accord.render.ledger import render_ledger, render_ledger_page
from accord.verify.ledger import check_tree_ledger, list_tree_events


@click.command("ledger")
@click.option("--check", is_flag=True, help="Only say whether the ledger is the right one.")
@click.option("--write", "writes", is_flag=True, help=f"Keep it at {LEDGER}.")
@format_option("json", "text")
@commit_options
@pass_workspace
def command(
    workspace: Workspace,
    *,
    check: bool,
    writes: bool,
    output_format: str,
    commit: bool,
    push: bool,
) -> None:
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
    if check and writes:
        raise UsageError("--check and --write exclude each other")
    if (commit or push) and not writes:
        raise UsageError("--commit and --push go with --write")
    if check:
        _check(workspace)
    elif writes:
        _write(workspace, Saving(commit, push))
    elif output_format == "json":
        output.write(render_ledger(list_tree_events(workspace.tree)).decode("ascii"))
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
    _tell_where_it_belongs(session)
    kept = keep_ledger(session, saving)
    if kept.path is None:
        output.write(f"{LEDGER}: nothing to write\n")
    else:
        output.write(f"wrote {kept.path}\n")
    if kept.commit is not None:
        output.write(f"committed {kept.commit[:12]}\n")
    if saving.push:
        output.write(f"pushed to {escape(workspace.repository.push())}\n")


def _tell_where_it_belongs(session: Session) -> None:
    branch, protected = session.repository.branch(), session.policy.protected
    if branch is not None and branch not in protected:
        output.tell(
            f"note: the ledger belongs on {' or '.join(protected)}, and this is {branch}: two"
            " branches that touch it conflict"
        )
