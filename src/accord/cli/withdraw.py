"""accord withdraw"""

from __future__ import annotations

import click

from accord.cli.actions import Desk, at_desk
from accord.cli.asking import ask
from accord.cli.context import decision_argument
from accord.flow.close import withdraw
from accord.rules.withdrawals import find_able


@click.command("withdraw")
@decision_argument
@click.option("--reason", help="Why.")
@at_desk
def command(desk: Desk, *, decision: str, reason: str | None) -> None:
    """Take a proposal back.

    The proposer or an authority may, before the decision has ended; before
    a round is open only the proposer, and a draft can simply be deleted.
    The record says so, and the same text can only come back as one that
    continues this.

    \b
      accord withdraw partial-index --reason "…" --commit
    """
    decision = desk.find(decision)
    desk.settle(decision)
    reason = reason or ask("Why", "--reason")
    signer = desk.actor(_find_able(desk, decision), "withdraw")
    desk.tell(withdraw(desk.session.renewed(), decision, reason, signer, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)


def _find_able(desk: Desk, decision: str) -> set[str]:
    """The proposer, and the authorities of the open round."""
    judged = desk.session.judge(decision)
    latest = judged.judgement.rounds[-1] if judged.judgement.rounds else None
    return set(find_able(judged.files, latest))
