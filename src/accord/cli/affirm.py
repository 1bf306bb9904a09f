"""accord affirm"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import answered_twice, is_interactive
from accord.cli.context import decision_argument
from accord.cli.short_affirmation import ShortAffirmation, draft_of
from accord.flow.affirm import affirm_votes, find_affirmable_round
from accord.flow.cast import Answer


@click.command("affirm")
@decision_argument
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The filled-in affirmation, or a directory with one for each voter.",
)
@click.option("--reason", help="What the others' votes brought, and why it stands.")
@click.option("--retract", is_flag=True, help="Take the vote back.")
@click.option("--category", "categories", multiple=True, help="Of a retraction.")
@click.option("--evidence", multiple=True, metavar="ID", help="What you have read since voting.")
@click.option(
    "--acknowledge-asymmetry",
    is_flag=True,
    help="Sign that you know that not all have read the same evidence.",
)
@at_desk
def command(
    desk: Desk,
    *,
    decision: str,
    source: Path | None,
    reason: str | None,
    retract: bool,
    categories: Sequence[str],
    evidence: Sequence[str],
    acknowledge_asymmetry: bool,
) -> None:
    """Say that your vote still stands, or take it back.

    After all votes are open, read them (accord packet), and the evidence that
    others read. An affirmation covers exactly these votes and this text, and
    commits you: no reversal without deciding anew.

    \b
      accord affirm partial-index --reason "…" --evidence benchmark --commit
      accord affirm partial-index --from affirmations/ --commit
      accord affirm partial-index --retract --category SECURITY_RISK --reason "…"
    """
    decision = desk.find(decision)
    desk.settle(decision)
    # What a file says is known when it is read.
    stance: Literal["affirm", "retract"] = "retract" if retract or source else "affirm"
    round_ = find_affirmable_round(desk.session.renewed(), decision, stance)
    silent = [voter for voter in round_.roster if voter not in round_.affirmed]
    given = ShortAffirmation(
        stance="retract" if retract else "affirm",
        reason=reason,
        categories=categories,
        evidence=evidence,
        asymmetry="acknowledged" if acknowledge_asymmetry else "not acknowledged",
    )
    if source is None:
        signer = desk.actor(silent or round_.roster, "affirm")
        if reason is None and is_interactive():
            output.tell(f"read first: accord packet {decision} --voter {signer.member}")
        answers = [Answer(signer, draft_of(given, round_))]
    elif given != ShortAffirmation():
        raise answered_twice("--reason, --retract and what belongs to them")
    else:
        answers = desk.answers(source, "affirmation", silent or round_.roster)
    published = affirm_votes(desk.session.renewed(), decision, answers, desk.saving)
    desk.tell(published)
    desk.settle(decision)
    desk.tell_standing(decision)
