"""accord propose"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk_then
from accord.cli.asking import ask, choose, is_interactive
from accord.cli.completion import complete_decision
from accord.cli.idea import (
    apart,
    bring_in,
    command_argument,
    idea_options,
    open_at_once,
    open_if_wished,
    tell_draft,
)
from accord.errors import UsageError
from accord.flow.drafts import read_draft
from accord.flow.evidence_size import Agree
from accord.flow.propose import Idea, describe_classes, find_draft, sign_again
from accord.store.load import list_decisions


@click.command("propose")
@click.argument("name", metavar="NAME")
@command_argument
@click.option("--class", "class_", metavar="CLASS", help="The class that says how it is decided.")
@idea_options
@click.option(
    "--continues",
    metavar="ID",
    shell_complete=complete_decision,
    help="The failed decision that this one takes up again.",
)
@click.option(
    "--supersedes",
    metavar="ID",
    shell_complete=complete_decision,
    help="The decision that this one takes the place of.",
)
@at_desk_then(open_if_wished)
def command(
    desk: Desk,
    *,
    name: str,
    command_line: Sequence[str],
    class_: str | None,
    title: str | None,
    source: Path | None,
    diffs: Sequence[str],
    takes_output: bool,
    agree: Agree,
    opens: bool,
    continues: str | None,
    supersedes: str | None,
) -> None:
    """Draft a proposal and gather its evidence.

    NAME becomes the end of the decision's id, after today's date. The draft
    is free to edit until its round is opened. With the id of a draft that is
    there, accord signs it again as it now stands.

    \b
      accord propose use-partial-index --class architecture --from brief.yaml
      accord propose use-partial-index --diff main..feature --open --commit
      accord propose faster-tests --class architecture --output -- make bench
      accord propose smaller-index --continues partial-index --from brief.yaml
    """
    if bool(command_line) != takes_output:
        raise apart()
    session = desk.session
    older: dict[str, str] = {}
    if continues:
        older["continues"] = desk.find(continues)
    if supersedes:
        older["supersedes"] = desk.find(supersedes)
    if name in list_decisions(session.tree):
        if class_ or title or source or diffs or command_line or older:
            raise UsageError(
                f"{name} is a draft already, and its file says all",
                "edit the draft, put evidence below its evidence/, and propose it again",
            )
        draft = find_draft(session, name)
        proposer = desk.actor([draft.proposal.proposer], "sign this draft")
        published = sign_again(session, name, proposer, desk.saving, agree)
        (open_at_once if opens else tell_draft)(desk, published)
        return
    if class_ is None and source is None and not older and is_interactive():
        output.tell(describe_classes(session))
        class_ = choose("Class", "--class", sorted(session.policy.classes))
        title = title or ask("Title", "--title", name.replace("-", " ").capitalize())
    idea = Idea(
        slug=name,
        class_=class_,
        title=title,
        draft=read_draft(source) if source else None,
        diffs=diffs,
        output=command_line,
        older=older,
        agree=agree,
    )
    (open_at_once if opens else tell_draft)(desk, bring_in(desk, idea))
