"""accord close"""

from __future__ import annotations

from dataclasses import replace

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
    closed = close_round(desk.session.renewed(), decision, reason, signer, desk.saving)
    desk.tell(replace(closed, warnings=()))
    desk.settle(decision)
    # A seal that was not opened when the round was closed may have been opened since.
    there = {(one.code, one.path) for one in desk.session.renewed().judge(decision).findings}
    desk.warn(one for one in closed.warnings if (one.code, one.path) in there)
    desk.tell_standing(decision)
