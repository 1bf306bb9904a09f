"""accord synthesize"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import is_interactive
from accord.cli.context import decision_argument
from accord.errors import UsageError
from accord.flow.dispute import outline_dispute
from accord.flow.drafts import read_text
from accord.flow.identity import with_role
from accord.flow.rule import find_dispute, synthesize
from accord.render.escape import escape_lines


@click.command("synthesize")
@decision_argument
@click.option(
    "--text",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A file with the text; - is standard input.",
)
@click.option("--outline", is_flag=True, help="Print an outline from the votes, to write from.")
@at_desk
def command(desk: Desk, *, decision: str, source: Path | None, outline: bool) -> None:
    """Write for the decider what is disputed.

    When voting has failed, an authority says what each side holds, what it
    stands on, and what the decider is asked. The decider then rules on
    exactly this text. At a terminal it opens in your editor with an outline.

    \b
      accord synthesize partial-index --outline > synthesis.txt
      accord synthesize partial-index --text synthesis.txt --commit
    """
    if outline and source is not None:
        raise UsageError("--outline and --text exclude each other")
    decision = desk.find(decision)
    desk.settle(decision)
    session = desk.session.renewed()
    draft = outline_dispute(find_dispute(session, decision).rounds[-1])
    if outline:
        output.write(escape_lines(draft))
        return
    if source is not None:
        text = read_text(source)
    elif is_interactive():
        text = click.edit(draft) or ""
    else:
        raise UsageError("nobody is here to write the synthesis", "hand it in with --text FILE")
    if not text.strip():
        raise UsageError("the synthesis is empty; nothing was written")
    authority = desk.actor(with_role(session, "authority"), "write a synthesis")
    desk.tell(synthesize(session, decision, text, authority, desk.saving))
    desk.tell_standing(decision)
