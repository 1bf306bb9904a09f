"""accord propose"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import ask, choose, is_interactive
from accord.errors import UsageError
from accord.flow.drafts import read_draft
from accord.flow.identity import find_all, with_role
from accord.flow.open_round import open_round
from accord.flow.propose import Idea, describe_classes, find_draft, propose, sign_again
from accord.store.load import list_decisions

_VOTING = frozenset({"voter", "challenger"})


@click.command("propose")
@click.argument("name", metavar="NAME")
@click.argument("command_line", nargs=-1, metavar="[-- CMD…]", type=click.UNPROCESSED)
@click.option("--class", "class_", metavar="CLASS", help="The class that says how it is decided.")
@click.option("--title", help="One line that names the decision.")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, allow_dash=True),
    help="A draft in YAML or JSON; what accord knows may be left out.",
)
@click.option("--diff", "diffs", multiple=True, metavar="A..B", help="Add a diff as evidence.")
@click.option("--output", "takes_output", is_flag=True, help="Add what CMD prints as evidence.")
@click.option("--open", "opens", is_flag=True, help="Open the round at once.")
@at_desk
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
    opens: bool,
) -> None:
    """Draft a proposal and gather its evidence.

    NAME becomes the end of the decision's id, after today's date. The draft
    is free to edit until its round is opened. With the id of a draft that is
    there, accord signs it again as it now stands.

    \b
      accord propose use-partial-index --class architecture --from brief.yaml
      accord propose use-partial-index --diff main..feature --open --commit
      accord propose faster-tests --class architecture --output -- make bench
    """
    if bool(command_line) != takes_output:
        raise click.UsageError("--output and `-- CMD…` go together")
    session = desk.session
    if name in list_decisions(session.tree):
        if class_ or title or source or diffs or command_line:
            raise UsageError(
                f"{name} is a draft already, and its file says all",
                "edit the draft, put evidence below its evidence/, and propose it again",
            )
        draft = find_draft(session, name)
        proposer = desk.actor([draft.proposal.proposer], "sign this draft")
        published = sign_again(session, name, proposer, desk.saving)
    else:
        if class_ is None and source is None and is_interactive():
            output.tell(describe_classes(session))
            class_ = choose("Class", "--class", sorted(session.policy.classes))
            title = title or ask("Title", "--title", name.replace("-", " ").capitalize())
        proposer = desk.actor(_proposers(desk), "propose")
        idea = Idea(
            slug=name,
            class_=class_,
            title=title,
            draft=read_draft(source) if source else None,
            diffs=diffs,
            output=command_line,
        )
        published = propose(session, idea, proposer, desk.saving)
    decision = published.judged.loaded.id
    desk.tell(published)
    if opens:
        session = session.renewed()
        opener = desk.actor(with_role(session, "authority"), "open")
        desk.tell(open_round(session, decision, opener, (), desk.saving))
        desk.settle(decision)
        desk.tell_standing(decision)
    else:
        output.write(f"edit the draft, then: accord open {decision}\n")


def _proposers(desk: Desk) -> Sequence[str]:
    """Who proposes by default: those who do not vote, so that nobody loses a vote by accident."""
    members = desk.session.policy.members
    idle = [name for name, one in members.items() if not _VOTING.intersection(one.roles)]
    here = [name for name in find_all(desk.session, desk.wish.key) if name in members]
    able = [name for name in here if name in idle]
    if here and not able and desk.wish.member is None:
        raise UsageError(
            f"{', '.join(sorted(here))} may vote, and who proposes does not vote on it",
            "say --as MEMBER to propose all the same",
        )
    return [name for name in able if "authority" in members[name].roles] or able or idle
