"""accord vote"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import answered_twice, is_interactive
from accord.cli.context import decision_argument
from accord.cli.short_vote import ShortVote, draft_of
from accord.flow.cast import Answer, cast_votes, describe_progress, find_open_round
from accord.model.vote import CATEGORIES


@click.command("vote")
@decision_argument
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The filled-in vote, or a directory with one for each voter.",
)
@click.option("--agree", "answer", flag_value="agree", help="Agree.")
@click.option("--disagree", "answer", flag_value="disagree", help="Disagree.")
@click.option("--abstain", "answer", flag_value="abstain", help="Abstain, and say why.")
@click.option("--rationale", help="Why.")
@click.option("--severity", type=click.Choice(["minor", "major"]), help="Of a disagreement.")
@click.option(
    "--category",
    "categories",
    multiple=True,
    metavar="CATEGORY",
    help=f"Of a disagreement: {', '.join(CATEGORIES)}.",
)
@click.option("--alternative", help="What a disagreement would have instead.")
@click.option("--concern", "concerns", multiple=True, help="A concern that does not block.")
@click.option("--evidence", "evidence", multiple=True, metavar="ID", help="What you have read.")
@click.option("--rate", help="One rating for the three questions: strong, adequate or weak.")
@click.option("--keep", type=click.Path(path_type=Path), help="Where the sealed vote is kept.")
@at_desk
def command(
    desk: Desk,
    *,
    decision: str,
    source: Path | None,
    answer: str | None,
    rationale: str | None,
    severity: str | None,
    categories: Sequence[str],
    alternative: str | None,
    concerns: Sequence[str],
    evidence: Sequence[str],
    rate: str | None,
) -> None:
    """Cast a vote, or the votes of many at once.

    In a sealed round the vote stays with you and only its seal is committed;
    it is opened when all seals are in. The packet has a vote file to fill in;
    with a directory all votes are judged first, and nothing is written unless
    all hold.

    \b
      accord vote partial-index --from vote.yaml --as implementer
      accord vote partial-index --from votes/ --commit
      accord vote partial-index --agree --rationale "…" --evidence schema \\
          --concern "no rollback plan" --rate adequate
    """
    decision = desk.find(decision)
    desk.settle(decision)
    round_ = find_open_round(desk.session, decision)
    pending = [voter for voter in round_.roster if voter not in {*round_.votes, *round_.seals}]
    short = ShortVote(
        answer, rationale, severity, categories, alternative, concerns, evidence, rate
    )
    if source is None:
        signer = desk.actor(pending, "vote")
        if answer is None and is_interactive():
            output.tell(f"read first: accord packet {decision} --voter {signer.member}")
        answers = [Answer(signer, draft_of(short, round_, signer.member))]
    elif short != ShortVote():
        raise answered_twice("--agree, --disagree, --abstain and what belongs to them")
    else:
        answers = desk.answers(source, "vote", pending)
    cast = cast_votes(desk.session, decision, answers, desk.saving)
    for voter in cast.ungrounded:
        output.tell(f"{voter} agrees and lists nothing of what the decision rests on")
    desk.tell(cast.published)
    output.write(describe_progress(cast.published.judged.judgement.rounds[-1]) + "\n")
    desk.settle(decision)
    desk.tell_standing(decision)
