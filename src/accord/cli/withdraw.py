"""accord withdraw"""

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
from accord.flow.close import withdraw
from accord.flow.identity import Wish, with_role
from accord.flow.publish import Saving


@click.command("withdraw")
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
    """Take a proposal back.

    The proposer or an authority may, before the decision has ended. The
    record says so, and the same text can only come back as one that
    continues this.

    \b
      accord withdraw partial-index --reason "…" --commit
    """
    desk = Desk(workspace, Wish(as_member, key), Saving(commit, push), None)
    decision = workspace.find(decision)
    desk.settle(decision)
    reason = reason or ask("Why", "--reason")
    signer = desk.actor(_find_able(desk, decision), "withdraw")
    desk.tell(withdraw(desk.session.renewed(), decision, reason, signer, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)


def _find_able(desk: Desk, decision: str) -> set[str]:
    """The proposer and the authorities."""
    drafts = [round_.draft for round_ in desk.session.judge(decision).files.rounds if round_.draft]
    return {*with_role(desk.session, "authority"), *(draft.record.proposer for draft in drafts)}
