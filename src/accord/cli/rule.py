"""accord rule"""

from __future__ import annotations

from typing import Literal, cast

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import ask, choose, is_interactive
from accord.cli.context import decision_argument
from accord.flow.identity import with_role
from accord.flow.rule import find_ruled, rule


@click.command("rule")
@decision_argument
@click.option("--accept", "word", flag_value="accept", help="The text holds.")
@click.option("--reject", "word", flag_value="reject", help="The text does not hold.")
@click.option("--reason", help="Why, for those who are overruled and those who come later.")
@at_desk
def command(desk: Desk, *, decision: str, word: str | None, reason: str | None) -> None:
    """Decide what voting could not, as its human decider.

    Possible when voting has failed and an authority has written the
    synthesis. The record names who was overruled and who never voted.

    \b
      accord packet partial-index --voter dana
      accord rule partial-index --accept --reason "…" --commit
    """
    decision = desk.find(decision)
    desk.settle(decision)
    session = desk.session.renewed()
    find_ruled(session, decision)
    decider = desk.actor(with_role(session, "decider"), "rule")
    if word is None and is_interactive():
        output.tell(f"read first: accord packet {decision} --voter {decider.member}")
    word = word or choose("Your ruling", "--accept or --reject", ("accept", "reject"))
    reason = reason or ask("Why", "--reason")
    told = cast("Literal['accept', 'reject']", word)
    desk.tell(rule(session, decision, told, reason, decider, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)
