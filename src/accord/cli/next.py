"""accord next"""

from __future__ import annotations

import shlex

import click

from accord.cli import output
from accord.cli.actions import Desk
from accord.cli.asking import confirm, is_interactive
from accord.cli.context import Workspace, commit_options, pass_workspace, signer_options
from accord.flow.identity import Wish, find_all, find_named
from accord.flow.next_step import find_next, list_undecided
from accord.flow.publish import Saving
from accord.render.escape import escape
from accord.rules.waiting import CHECK_TO_FILL_IN


@click.command("next")
@signer_options
@commit_options
@click.pass_context
@pass_workspace
def command(
    workspace: Workspace,
    context: click.Context,
    *,
    wish: Wish,
    commit: bool,
    push: bool,
) -> None:
    """Show the one thing that waits for you, and do it.

    What needs no judgement, opening votes and writing records, is done at
    once. For the rest accord shows the command, and at a terminal runs it.

    \b
      accord next
      accord next --as implementer --commit
    """
    desk = Desk(workspace, wish, Saving(commit, push), None)
    for decision in list_undecided(desk.session):
        desk.settle(decision)
    desk.push()
    session = desk.session.renewed()
    signers = find_all(session, wish)
    if wish.member is not None:
        signers = {wish.member: find_named(session, wish.member, wish)}
    step = find_next(session, signers)
    if step is None:
        output.write("Nothing waits for you.\n")
        return
    told = (
        f"{step.title} ({step.decision})",
        f"{step.member}: {step.waiting.action}",
        f"  {step.waiting.command}",
    )
    output.write("".join(f"{escape(line)}\n" for line in told))
    if step.others:
        output.tell(f"{step.others} more of yours wait: accord status")
    if step.waiting.command.endswith(CHECK_TO_FILL_IN):
        return  # only its reader knows what belongs there
    if not is_interactive() or not confirm("Do it now?", "the command above"):
        return
    from accord.cli.main import accord

    arguments = shlex.split(step.waiting.command)[1:]
    if "--as" not in arguments:
        arguments += ["--as", step.member]
    arguments += _repeat(wish)
    if commit or push:
        arguments.append("--push" if push else "--commit")
    with accord.make_context("accord", arguments, parent=context.find_root()) as again:
        accord.invoke(again)


def _repeat(wish: Wish) -> list[str]:
    """The options that say with what to sign, for the command that is run next."""
    arguments = ["--key", str(wish.key)] if wish.key is not None else []
    if wish.keyless is not None:
        arguments.append(f"--sigstore={wish.keyless.instance}")
        arguments += ["--identity-token", wish.keyless.token] if wish.keyless.token else []
    return arguments
