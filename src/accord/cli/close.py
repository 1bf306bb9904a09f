"""accord close"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli.actions import Desk
from accord.cli.asking import ask
from accord.cli.context import (
    Workspace,
    commit_options,
    decision_argument,
    pass_workspace,
    signer_options,
)
from accord.flow.close import close_round
from accord.flow.identity import Wish, with_role
from accord.flow.publish import Saving


@click.command("close")
@decision_argument
@click.option("--reason", help="Why.")
@signer_options
@commit_options
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str,
    reason: str | None,
    as_member: str | None,
    key: Path | None,
    commit: bool,
    push: bool,
) -> None:
    """End a round that will not complete.

    What is not in when a round is closed is late, and never counts. Close a
    round when its outcome cannot change any more, or when waiting is
    pointless, and say why.

    \b
      accord close partial-index --reason "…" --commit
    """
    desk = Desk(workspace, Wish(as_member, key), Saving(commit, push), None)
    decision = workspace.find(decision)
    desk.settle(decision)
    reason = reason or ask("Why", "--reason")
    signer = desk.actor(with_role(desk.session, "authority"), "close a round")
    desk.tell(close_round(desk.session.renewed(), decision, reason, signer, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)
