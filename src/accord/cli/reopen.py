"""accord reopen"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli.actions import Desk, at_desk_then
from accord.cli.context import decision_argument
from accord.cli.idea import (
    apart,
    bring_in,
    command_argument,
    idea_options,
    open_at_once,
    open_if_wished,
    tell_draft,
)
from accord.flow.drafts import read_draft
from accord.flow.evidence_size import Agree
from accord.flow.propose import Idea


@click.command("reopen")
@decision_argument
@click.argument("name", metavar="NAME")
@command_argument
@idea_options
@at_desk_then(open_if_wished)
def command(
    desk: Desk,
    *,
    decision: str,
    name: str,
    command_line: Sequence[str],
    title: str | None,
    source: Path | None,
    diffs: Sequence[str],
    takes_output: bool,
    agree: Agree,
    opens: bool,
) -> None:
    """Ask again about what was decided, with new evidence.

    It drafts a new decision, of the same class, that names the old one; all
    who voted on that are asked again. It must bring evidence
    that the old one lacked. The old record is never edited: until the new
    decision ends the old one stands, shown as under redecision, and then as
    reversed or upheld. What ended by a ruling is undone only by a ruling.

    \b
      accord reopen partial-index full-index --from brief.yaml
      accord reopen partial-index full-index --open --output -- make plan
    """
    if bool(command_line) != takes_output:
        raise apart()
    decision = desk.find(decision)
    older = desk.session.require("reopen", decision).evaluation
    idea = Idea(
        slug=name,
        class_=None,
        title=title or f"Again: {older.title}",
        draft=read_draft(source) if source else None,
        diffs=diffs,
        output=command_line,
        older={"reopens": decision},
        agree=agree,
    )
    (open_at_once if opens else tell_draft)(desk, bring_in(desk, idea))
