"""accord hook"""

from __future__ import annotations

import click

from accord.cli.context import Workspace, pass_workspace
from accord.hooks.catalog import HOOKS
from accord.hooks.run import run_hook


@click.group("hook")
def command() -> None:
    """Run one of the pre-commit hooks.

    Hooks are a courtesy to the developer: git runs none for a rebase, a clean
    merge or with --no-verify. `accord verify` in CI is the gate.
    """


@command.command("list")
def list_hooks() -> None:
    """Show the hooks and what they do."""
    for hook in HOOKS.values():
        click.echo(f"{hook.id:16} {hook.stage:12} {hook.summary}")


@command.command("run")
@click.argument("hook", type=click.Choice(sorted(HOOKS)))
@pass_workspace
def run(workspace: Workspace, *, hook: str) -> int:
    """Run a hook by its id.

    \b
      accord hook run accord-verify
    """
    return run_hook(HOOKS[hook], workspace.repository)
