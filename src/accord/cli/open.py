"""accord open"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli.actions import Desk
from accord.cli.context import (
    Workspace,
    commit_options,
    decision_argument,
    pass_workspace,
    signer_options,
)
from accord.flow.identity import Wish, with_role
from accord.flow.open_round import open_round
from accord.flow.publish import Saving


@click.command("open")
@decision_argument
@click.option("--voter", "voters", multiple=True, metavar="MEMBER", help="Who votes; repeatable.")
@signer_options
@commit_options
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str,
    voters: Sequence[str],
    as_member: str | None,
    key: Path | None,
    commit: bool,
    push: bool,
) -> None:
    """Freeze the proposal and put it to the vote.

    The ballot copies the rules, the voters and the officers of the policy, so
    that the decision stays what it was whatever happens to the policy later.
    Without --voter all who are eligible vote, as many as the class allows,
    the challenger and earlier dissenters first.

    \b
      accord open partial-index --commit
      accord open partial-index --voter implementer --voter challenger
    """
    desk = Desk(workspace, Wish(as_member, key), Saving(commit, push), None)
    decision = workspace.find(decision)
    opener = desk.actor(with_role(desk.session, "authority"), "open a round")
    desk.tell(open_round(desk.session, decision, opener, voters, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)
