"""accord check"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.context import Workspace, decision_argument, format_option, pass_workspace
from accord.errors import Exit
from accord.flow.check import Replayed, Trial, prepare_check, replay_checks, run_check
from accord.flow.session import open_session
from accord.render.check import render_output, render_replay, replay_to_plain
from accord.render.json import render_json
from accord.rules.checks import find_parts


@click.group("check")
def command() -> None:
    """Run a deterministic check, and sign what came out.

    When votes stand on one source, more voters do not help; a command that
    reads the artifacts themselves does. `accord verify` never runs one.
    """


@command.command("run")
@decision_argument
@click.argument("name", metavar="NAME")
@click.argument("command_line", nargs=-1, metavar="[-- CMD…]", type=click.UNPROCESSED)
@click.option("--input", "inputs", multiple=True, metavar="PATH", help="A file that CMD reads.")
@click.option("--expect", default=0, metavar="N", help="The exit code that passes. Default: 0.")
@click.option("--tool", "tools", multiple=True, metavar="TOOL", help="Note TOOL --version too.")
@at_desk
def run(
    desk: Desk,
    *,
    decision: str,
    name: str,
    command_line: Sequence[str],
    inputs: Sequence[str],
    expect: int,
    tools: Sequence[str],
) -> None:
    """Run the check NAME and sign its result.

    A check counts when the proposal declares it, or when a decider signs it.
    It is signed by somebody who did not agree, propose or open. It reads the
    load-bearing artifacts, unless --input names others. An input whose digest
    was voted on must be here as it was; any other is pinned as it is found.
    What else the command reads is not pinned: the commit and whether the tree
    differs from it are noted. Run again it gets the next number; the last
    counts.

    The command line and what TOOL --version says are kept for good, the output
    only as a digest: put no secret into the ones, and keep the other free of
    times and random numbers.

    \b
      accord check run partial-index plan
      accord check run partial-index plan --as dana -- python plan.py db.sql
    """
    decision = desk.find(decision)
    desk.settle(decision)
    session = desk.session.renewed()
    judgement = session.judge(decision).judgement
    able = [
        member
        for member in session.policy.members
        if judgement.rounds and not find_parts(judgement.rounds[-1], member)
    ]
    signer = desk.actor(able, "run a check")
    trial = Trial(name, command_line, inputs, expect, tools)
    prepared = prepare_check(session, decision, trial, signer.member)
    output.tell(f"$ {shlex.join(prepared.plan.argv)}")
    ran, published = run_check(session, prepared, signer, desk.saving)
    output.write(render_output(ran.output))
    word = "passes" if ran.exit_code == prepared.plan.expected_exit else "FAILS"
    output.write(f"check {name} {word}: exit code {ran.exit_code}\n")
    desk.tell(published)
    desk.settle(decision)
    desk.tell_standing(decision)


@command.command("replay")
@decision_argument
@click.argument("name", required=False, metavar="[NAME]")
@format_option("text", "json")
@pass_workspace
def replay(workspace: Workspace, *, decision: str, name: str | None, output_format: str) -> int:
    """Run the recorded checks again, and compare.

    It runs the commands that are recorded: read them first (accord show, or
    the files in checks/). Exit code 1 when a result differs.

    \b
      accord check replay partial-index
    """
    decision = workspace.find(decision)
    session = open_session(workspace.repository)
    replayed: list[Replayed] = []
    for one in replay_checks(session, decision, name):
        replayed.append(one)
        if output_format == "text":
            output.write_page(
                render_replay(one.check, one.differences, one.environment, one.output)
            )
    if output_format == "json":
        output.write(
            render_json(
                [replay_to_plain(one.check, one.differences, one.environment) for one in replayed]
            )
        )
    return Exit.FINDINGS if any(one.differences for one in replayed) else Exit.OK
