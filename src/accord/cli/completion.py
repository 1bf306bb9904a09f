"""`accord completion`: the script of a shell, and what may stand at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from accord.cli import output
from accord.errors import AccordError

if TYPE_CHECKING:
    from accord.cli.context import Workspace

COMPLETE_VAR = "_ACCORD_COMPLETE"
SHELLS: dict[str, type[ShellComplete]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}


@click.command(
    epilog="""\b
Examples:
  eval "$(accord completion bash)"       in ~/.bashrc
  eval "$(accord completion zsh)"        in ~/.zshrc
  accord completion fish > ~/.config/fish/completions/accord.fish
"""
)
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
def command(shell: str) -> None:
    """Print the script that lets your shell complete verbs, options, ids and members."""
    from accord.cli.main import accord

    output.write_rendered(
        SHELLS[shell](accord, {}, "accord", COMPLETE_VAR).source().rstrip() + "\n"
    )


def complete_decision(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The ids of the decisions here that contain what was typed."""
    del param
    return _offer(ctx, _decisions, lambda id_: incomplete in id_)


def complete_member(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The members of the policy that start with what was typed."""
    del param
    return _offer(ctx, _members, lambda member: member.startswith(incomplete))


def _offer(
    ctx: click.Context,
    find: Callable[[Workspace], Iterable[str]],
    fits: Callable[[str], bool],
) -> list[CompletionItem[str]]:
    """What fits; nothing where there is no repository or no policy: a TAB never complains."""
    from accord.cli.context import Workspace

    here = ctx.ensure_object(Workspace)
    try:
        return [CompletionItem(word) for word in find(here) if fits(word)]
    except AccordError:
        return []


def _decisions(here: Workspace) -> Iterable[str]:
    from accord.cli.decisions import list_decisions

    return list_decisions(here.tree)


def _members(here: Workspace) -> Iterable[str]:
    return sorted(here.policy.members)
