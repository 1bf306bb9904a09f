"""accord rederive"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import answered_twice, ask, choose, is_interactive
from accord.cli.context import decision_argument
from accord.flow.cast import Answer
from accord.flow.drafts import DraftFile
from accord.flow.rederive import find_voted_round, rederive
from accord.rules.rederivations import find_parts


@click.command("rederive")
@decision_argument
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The filled-in second look, or a directory with one for each member.",
)
@click.option("--confirm", "word", flag_value="confirm", help="You come to the same result.")
@click.option("--contradict", "word", flag_value="contradict", help="You come to another one.")
@click.option("--rationale", help="What you looked at, and what follows from it.")
@click.option("--evidence", multiple=True, metavar="ID", help="What you looked at.")
@at_desk
def command(
    desk: Desk,
    *,
    decision: str,
    source: Path | None,
    word: str | None,
    rationale: str | None,
    evidence: Sequence[str],
) -> None:
    """Look at a decision again, from primary evidence alone.

    For members who took no part in it. Their packet holds no votes and no
    claims. One confirmation makes a provisional agreement durable; one
    contradiction contests it.

    \b
      accord packet partial-index --voter otto
      accord rederive partial-index --as otto --confirm --evidence schema \\
          --rationale "…" --commit
      accord rederive partial-index --from looks/ --commit
    """
    decision = desk.find(decision)
    desk.settle(decision)
    session = desk.session.renewed()
    rounds = find_voted_round(session, decision)
    able = [member for member in session.policy.members if not find_parts(rounds, member)]
    if source is None:
        signer = desk.actor(able, "look again")
        if word is None and is_interactive():
            output.tell(f"read first: accord packet {decision} --voter {signer.member}")
        draft = _draft(word, rationale, evidence)
        answers = [Answer(signer, draft)]
    elif word or rationale or evidence:
        raise answered_twice("--confirm, --contradict and what belongs to them")
    else:
        answers = desk.answers(source, "rederivation", able)
    desk.tell(rederive(session, decision, answers, desk.saving))
    desk.settle(decision)
    desk.tell_standing(decision)


def _draft(word: str | None, rationale: str | None, evidence: Sequence[str]) -> DraftFile:
    word = word or choose(
        "Do you come to the same result", "--confirm or --contradict", ("confirm", "contradict")
    )
    rationale = rationale or ask("What you looked at, and what follows", "--rationale or --from")
    told = list(evidence)
    if not told and is_interactive():
        told = ask("Evidence you looked at (ids, by commas)", "--evidence", "").split(",")
    plain = {
        "confirms": word == "confirm",
        "rationale": rationale,
        "evidence": [one.strip() for one in told if one.strip()],
    }
    return DraftFile("the options", json.dumps(plain).encode())
