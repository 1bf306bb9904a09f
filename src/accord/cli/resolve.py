"""accord resolve"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli.actions import Desk, at_desk
from accord.cli.context import decision_argument
from accord.cli.objections import gather_answers
from accord.flow.identity import with_role
from accord.flow.revise import resolve


@click.command("resolve")
@decision_argument
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A file with the answers.",
)
@click.option(
    "--addressed",
    multiple=True,
    metavar="VOTER:CATEGORY=NOTE",
    help="An objection that the next text meets, and how. Without category: an abstention.",
)
@click.option(
    "--rebutted",
    multiple=True,
    metavar="VOTER:CATEGORY=NOTE",
    help="An objection that is not followed, and why.",
)
@at_desk
def command(
    desk: Desk,
    *,
    decision: str,
    source: Path | None,
    addressed: Sequence[str],
    rebutted: Sequence[str],
) -> None:
    """Answer the objections of a failed round.

    Every objection, each voter and category, is addressed or rebutted before
    the next round may open. `accord revise` does this and drafts the round.

    \b
      accord resolve partial-index --addressed "challenger:YAGNI=removed it"
      accord resolve partial-index --from answers.yaml
    """
    decision = desk.find(decision)
    round_ = desk.session.require("resolve", decision).rounds[-1]
    authority = desk.actor(with_role(desk.session, "authority"), "resolve")
    answers = gather_answers(round_, source, addressed, rebutted)
    desk.tell(resolve(desk.session, decision, answers, authority, desk.saving))
    desk.tell_standing(decision)
