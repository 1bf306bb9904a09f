"""What `propose` and `reopen` have in common: their options, and a draft put to the vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click

from accord.cli import output
from accord.cli.actions import Desk
from accord.cli.asking import confirm
from accord.errors import UsageError
from accord.flow.evidence_size import no_doubt
from accord.flow.identity import find_all
from accord.flow.propose import Idea, propose
from accord.flow.publish import Published

Callback = TypeVar("Callback", bound=Callable[..., object])
_VOTING = frozenset({"voter", "challenger"})


def _ask_about(question: str) -> bool:
    """Whether evidence that is large is wanted; on a pipe the option says so."""
    return confirm(question, "--large")


_OPTIONS: tuple[Callable[[Callable[..., object]], Callable[..., object]], ...] = (
    click.option("--title", help="One line that names the decision."),
    click.option(
        "--from",
        "source",
        type=click.Path(path_type=Path, allow_dash=True),
        help="A draft in YAML or JSON; what accord knows may be left out.",
    ),
    click.option("--diff", "diffs", multiple=True, metavar="A..B", help="Add a diff as evidence."),
    click.option("--output", "takes_output", is_flag=True, help="Add what CMD prints as evidence."),
    click.option(
        "--large",
        "agree",
        is_flag=True,
        callback=lambda _context, _option, given: no_doubt if given else _ask_about,
        help="Keep evidence of 1 to 10 MiB without asking.",
    ),
    click.option("--open", "opens", is_flag=True, help="Open the round at once."),
)
command_argument = click.argument(
    "command_line", nargs=-1, metavar="[-- CMD…]", type=click.UNPROCESSED
)


def idea_options(function: Callback) -> Callback:
    """`--title`, `--from`, `--diff`, `--output`, `--large` and `--open`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def apart() -> click.UsageError:
    """--output without a command, or a command without --output."""
    return click.UsageError("--output and `-- CMD…` go together")


def bring_in(desk: Desk, idea: Idea) -> Published:
    """Write the draft of an idea, signed by whoever proposes here."""
    proposer = desk.actor(_find_proposers(desk), "propose")
    return propose(desk.session, idea, proposer, desk.saving)


def tell_draft(desk: Desk, published: Published) -> None:
    """Say what was written, and what comes next."""
    desk.tell(published)
    output.write(f"edit the draft, then: accord open {published.judged.loaded.id}\n")


def open_at_once(desk: Desk, published: Published) -> None:
    """Say what was written, and open the round."""
    decision = published.judged.loaded.id
    desk.tell(published)
    desk.open(decision)
    desk.settle(decision)
    desk.tell_standing(decision)


def open_if_wished(desk: Desk, decision: str, options: Mapping[str, object]) -> None:
    """Open the round of a draft that was there already, if the command says so."""
    rounds = desk.session.renewed().judge(decision).files.rounds
    if options["opens"] and rounds[-1].ballot is None:
        desk.open(decision)


def _find_proposers(desk: Desk) -> Sequence[str]:
    """Who proposes by default: those who do not vote, so that nobody loses a vote by accident."""
    members = desk.session.policy.members
    idle = [name for name, one in members.items() if not _VOTING.intersection(one.roles)]
    here = [name for name in find_all(desk.session, desk.wish) if name in members]
    able = [name for name in here if name in idle]
    if here and not able and desk.wish.member is None:
        raise UsageError(
            f"{', '.join(sorted(here))} may vote, and who proposes does not vote on it",
            "say --as MEMBER to propose all the same",
        )
    return [name for name in able if "authority" in members[name].roles] or able or idle
