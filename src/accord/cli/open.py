"""accord open"""

from __future__ import annotations

from collections.abc import Sequence

import click

from accord.cli.actions import Desk, at_desk
from accord.cli.context import decision_argument
from accord.flow.identity import with_role
from accord.flow.open_round import open_round


@click.command("open")
@decision_argument
@click.option("--voter", "voters", multiple=True, metavar="MEMBER", help="Who votes; repeatable.")
@at_desk
def command(desk: Desk, *, decision: str, voters: Sequence[str]) -> None:
    """Freeze the proposal and put it to the vote.

    The ballot copies the rules, the voters and the officers of the policy, so
    that the decision stays what it was whatever happens to the policy later.
    Without --voter all who are eligible vote, as many as the class allows,
    the challenger and earlier dissenters first.

    \b
      accord open partial-index --commit
      accord open partial-index --voter implementer --voter challenger
    """
    decision = desk.find(decision)
    opener = desk.actor(with_role(desk.session, "authority"), "open a round")
    desk.tell(open_round(desk.session, decision, opener, voters, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)
