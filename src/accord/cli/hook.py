"""accord hook"""

from __future__ import annotations

from collections.abc import Sequence
from os.path import relpath

import click

from accord.cli import output
from accord.cli.context import Workspace, pass_workspace
from accord.errors import Exit
from accord.hooks.catalog import HOOKS
from accord.hooks.install import install_hooks
from accord.hooks.run import run_hook
from accord.render.escape import escape


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
        output.write(f"{hook.id:16} {', '.join(hook.stages)}\n    {hook.summary}\n")


@command.command("run")
@click.argument("hook", type=click.Choice(sorted(HOOKS)))
@click.argument("arguments", nargs=-1, metavar="[ARGS]…", type=click.UNPROCESSED)
@pass_workspace
def run(workspace: Workspace, *, hook: str, arguments: Sequence[str]) -> int:
    """Run a hook by its id, with what git hands to it.

    \b
      accord hook run accord-verify
    """
    return run_hook(HOOKS[hook], workspace.repository, arguments)


@command.command("install")
@pass_workspace
def install(workspace: Workspace) -> int:
    """Put the hooks in place for people without pre-commit.

    They go where git looks for hooks (core.hooksPath, worktrees). What is
    there already is never written over: accord says what to add to it.

    \b
      accord hook install
    """
    installed = install_hooks(workspace.repository)
    for path in installed.written:
        output.write(f"wrote {escape(relpath(path))}\n")
    for path in installed.there:
        output.write(f"{escape(relpath(path))} runs accord already\n")
    for path, line in installed.taken.items():
        output.tell(f"{relpath(path)} is another hook, and was left alone; add to it: {line}")
    return Exit.FINDINGS if installed.taken else Exit.OK
