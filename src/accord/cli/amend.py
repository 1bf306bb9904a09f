"""accord amend"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli.actions import Desk, at_desk
from accord.cli.context import decision_argument
from accord.errors import UsageError
from accord.flow.amend import amend, draft_text, find_amendable_round
from accord.flow.drafts import read_text
from accord.flow.identity import with_role


@click.command("amend")
@decision_argument
@click.option("--edit", is_flag=True, help="Merge the amendments into the text in your editor.")
@click.option(
    "--text",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A file with the whole new text.",
)
@at_desk
def command(
    desk: Desk,
    *,
    decision: str,
    edit: bool,
    source: Path | None,
) -> None:
    """Take minor objections into the text.

    The alternatives of the minor objections are taken over word for word; the
    new text is the old one with them below it, unless you merge them in with
    --edit or give it with --text. Every voter then affirms the new text.

    \b
      accord amend partial-index --commit
      accord amend partial-index --edit
    """
    if edit and source is not None:
        raise UsageError("--edit and --text exclude each other")
    decision = desk.find(decision)
    desk.settle(decision)
    session = desk.session.renewed()
    text = draft_text(find_amendable_round(session, decision))
    if source is not None:
        text = read_text(source)
    elif edit:
        text = click.edit(text) or ""
    if not text.strip():
        raise UsageError("the amended text is empty; nothing was written")
    authority = desk.actor(with_role(session, "authority"), "amend")
    desk.tell(amend(session, decision, text, authority, desk.saving))
    desk.tell_standing(decision)
