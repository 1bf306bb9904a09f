"""accord revise"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk_then
from accord.cli.context import decision_argument
from accord.cli.objections import gather_answers
from accord.flow.identity import find_named, with_role
from accord.flow.revise import draft_next, find_failed_round, resolve, write_brief
from accord.render.escape import escape_lines


def _draft_if_due(desk: Desk, decision: str, _options: Mapping[str, object]) -> None:
    """Draft the next round, if git refused what came before it."""
    if desk.session.renewed().judge(decision).files.rounds[-1].ballot is not None:
        _draft(desk, decision)


@click.command("revise")
@decision_argument
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A file with the answers to the objections.",
)
@click.option("--addressed", multiple=True, metavar="VOTER:CATEGORY=NOTE", help="See resolve.")
@click.option("--rebutted", multiple=True, metavar="VOTER:CATEGORY=NOTE", help="See resolve.")
@click.option("--brief", is_flag=True, help="Only print what was objected, and what to do.")
@at_desk_then(_draft_if_due)
def command(
    desk: Desk,
    *,
    decision: str,
    source: Path | None,
    addressed: Sequence[str],
    rebutted: Sequence[str],
    brief: bool,
) -> None:
    """Answer the objections and draft the next round.

    The draft carries a brief made from the rejections: what was objected, by
    whom, and what to do about it. Edit the text, then open the round.

    \b
      accord revise partial-index --brief
      accord revise partial-index --addressed "pm:DRY_VIOLATION=reuses the pool"
    """
    decision = desk.find(decision)
    session = desk.session
    round_ = find_failed_round(session, decision)
    if brief:
        output.write(escape_lines(write_brief(round_)) + "\n")
        return
    if round_.files.resolution is None:
        authority = desk.actor(with_role(session, "authority"), "revise")
        answers = gather_answers(round_, source, addressed, rebutted)
        desk.tell(resolve(session, decision, answers, authority, desk.saving))
    _draft(desk, decision)


def _draft(desk: Desk, decision: str) -> None:
    session = desk.session.renewed()
    round_ = find_failed_round(session, decision)
    proposer = find_named(session, round_.proposal.record.proposer, desk.wish)
    published = draft_next(session, decision, proposer, desk.saving)
    desk.tell(published)
    output.write(f"edit the text, then: accord open {decision}\n")
