"""accord close"""

from __future__ import annotations

import click

from accord.cli.actions import Desk, at_desk
from accord.cli.asking import ask
from accord.cli.context import decision_argument
from accord.flow.close import close_round
from accord.flow.identity import with_role


@click.command("close")
@decision_argument
@click.option("--reason", help="Why.")
@at_desk
def command(desk: Desk, *, decision: str, reason: str | None) -> None:
    """End a round that will not complete.

    What is not in when a round is closed is late, and never counts. Close a
    round when its outcome cannot change any more, or when waiting is
    pointless, and say why.

    \b
      accord close partial-index --reason "…" --commit
    """
    decision = desk.find(decision)
    desk.settle(decision)
    reason = reason or ask("Why", "--reason")
    signer = desk.actor(with_role(desk.session, "authority"), "close a round")
    desk.tell(close_round(desk.session.renewed(), decision, reason, signer, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)
