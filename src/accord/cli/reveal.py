"""accord reveal"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.context import decision_argument
from accord.errors import UsageError
from accord.flow.cast import describe_progress
from accord.flow.identity import find_all
from accord.flow.reveal import find_openable, open_votes


@click.command("reveal")
@decision_argument
@click.option("--keep", type=click.Path(path_type=Path), help="Where the sealed vote is kept.")
@at_desk
def command(desk: Desk, *, decision: str) -> None:
    """Open sealed votes, when all seals are in.

    Every writing command does this by itself. Use it where a vote was sealed
    on another machine, or after a round was closed.

    \b
      accord reveal partial-index --as implementer --commit
    """
    decision = desk.find(decision)
    rounds = desk.session.judge(decision).judgement.rounds
    signers = find_all(desk.session, desk.wish)
    if desk.wish.member is not None:
        signers = {desk.wish.member: desk.actor((), "open a vote")}
    waiting = {
        voter: signer
        for voter, signer in signers.items()
        if rounds and voter in rounds[-1].seals and voter not in rounds[-1].votes
    }
    if not waiting:
        raise UsageError(
            f"no sealed vote of {decision} waits for a member whose key is at hand",
            f"`accord show {decision}` says who is awaited",
        )
    # What is kept elsewhere is opened there; where nothing is kept, that is told.
    here = find_openable(desk.session, rounds[-1], waiting)
    published = open_votes(desk.session, decision, here or waiting, desk.saving)
    desk.tell(published)
    output.write(describe_progress(published.judged.judgement.rounds[-1]) + "\n")
    desk.tell_standing(decision)
