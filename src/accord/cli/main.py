"""The command `accord` (also `git accord`): the table of its verbs, and the one way out.

A verb is imported when it is run, so `accord --help` and the hooks stay quick. Each verb is
a module `accord.cli.<module>` with a `command`, whose callback returns an exit code or None.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click

from accord import __version__
from accord.errors import AccordError, Exit
from accord.render.sink import guarded_streams

if TYPE_CHECKING:
    from accord.cli.output import ColourChoice

GROUPS = ("Deciding", "Looking", "Checking", "Output", "Set-up")


class Verb(NamedTuple):
    """One line of `accord --help`, and where the verb is written."""

    name: str
    module: str
    group: str
    summary: str


VERBS: tuple[Verb, ...] = (
    Verb("next", "next", "Deciding", "Show the one thing that waits for you, and do it."),
    Verb("propose", "propose", "Deciding", "Draft a proposal and gather its evidence."),
    Verb("open", "open", "Deciding", "Freeze the proposal and put it to the vote."),
    Verb("packet", "packet", "Deciding", "Print what a voter needs for its next step."),
    Verb("vote", "vote", "Deciding", "Cast a vote, or the votes of many at once."),
    Verb("reveal", "reveal", "Deciding", "Open sealed votes, when all seals are in."),
    Verb("affirm", "affirm", "Deciding", "Say that your vote still stands, or take it back."),
    Verb("amend", "amend", "Deciding", "Take minor objections into the text."),
    Verb("revise", "revise", "Deciding", "Answer the objections and draft the next round."),
    Verb("resolve", "resolve", "Deciding", "Answer the objections of a failed round."),
    Verb("close", "close", "Deciding", "End a round that will not complete."),
    Verb("check", "check", "Deciding", "Run a deterministic check, and sign what came out."),
    Verb("rederive", "rederive", "Deciding", "Look again, from primary evidence alone."),
    Verb("synthesize", "synthesize", "Deciding", "Write for the decider what is disputed."),
    Verb("rule", "rule", "Deciding", "Decide what voting could not, as its human decider."),
    Verb("withdraw", "withdraw", "Deciding", "Take a proposal back."),
    Verb("redact", "redact", "Deciding", "Take a secret out of evidence, and keep its digest."),
    Verb("reopen", "reopen", "Deciding", "Ask again about what was decided, with new evidence."),
    Verb("status", "status", "Looking", "What is open, who must do what, and how."),
    Verb("show", "show", "Looking", "Explain one decision, gate by gate."),
    Verb("log", "log", "Looking", "What happened to one decision, in order."),
    Verb("replay", "replay", "Looking", "Ask what would have been, after the fact."),
    Verb("stats", "stats", "Looking", "What the decisions here teach, in numbers."),
    Verb("verify", "verify", "Checking", "Judge a tree: every file, signature and rule."),
    Verb("ci", "ci", "Checking", "Judge what a pull request or a push brings, in CI."),
    Verb("simulate", "simulate", "Checking", "Try rules on worked cases, without git or keys."),
    Verb(
        "doctor", "doctor", "Checking", "Check this machine and repository, and say what to mend."
    ),
    Verb("hook", "hook", "Checking", "Run one of the pre-commit hooks."),
    Verb("record", "record", "Output", "Print the record of a decision, or check it."),
    Verb("ledger", "ledger", "Output", "Print the ledger of all decisions, keep or check it."),
    Verb("adr", "adr", "Output", "Print or write the pages of decisions, or check them."),
    Verb("schema", "schema", "Output", "Print the JSON Schema of a file kind."),
    Verb("init", "init", "Set-up", "Write a policy that works and prepare the repository."),
    Verb("member", "member", "Set-up", "Add, list and retire members; rotate their keys."),
    Verb("completion", "completion", "Set-up", "Print the completion script of your shell."),
    Verb("demo", "demo", "Set-up", "Take a decision in a scratch repository, to watch."),
)


class Verbs(click.Group):
    """The group: verbs come from the table, grouped in help, imported when run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The verbs in the order of the table."""
        return [verb.name for verb in VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one verb."""
        for verb in VERBS:
            if verb.name == cmd_name:
                command: click.Command = import_module(f"accord.cli.{verb.module}").command
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; for an unknown one, name the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as unknown:
            raise click.exceptions.NoSuchCommand(
                unknown.command_name,
                message=f"there is no verb {unknown.command_name!r}.",
                possibilities=self.list_commands(ctx),
                ctx=ctx,
            ) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table, without importing anything."""
        width = max(len(verb.name) for verb in VERBS)
        for group in GROUPS:
            with formatter.section(group):
                formatter.write_dl(
                    [
                        (verb.name.ljust(width), verb.summary)
                        for verb in VERBS
                        if verb.group == group
                    ]
                )


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Start with `accord demo` to watch, or with `accord init`.
`accord VERB --help` explains a verb.

\b
Exit codes: 0 nothing is wrong, 1 findings, 2 usage, 3 cannot judge,
4 a fault of accord, 130 interrupted.
""",
)
@click.version_option(__version__, message="accord %(version)s")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour the output. By default only at a terminal, and not with NO_COLOR.",
)
def accord(color: ColourChoice) -> None:
    """Several people and agents agree, and git can check that they did.

    accord keeps proposals, votes and decision records as signed files in the
    repository. From those files alone it works out whether the agreement is
    robust: whether all looked at the same evidence, independently first, and
    whether it still stands now that everybody has read everybody.
    """
    from accord.cli import output

    output.choose_colour(color)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run `accord` and return its exit code; no exception leaves here.

    `arguments` are those after the command's name, by default those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal cannot show is shown as its number.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with guarded_streams() as streams:
        return streams.settle(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = accord.main(
            args=None if arguments is None else list(arguments),
            prog_name="accord",
            standalone_mode=False,
        )
    except (AccordError, click.ClickException, click.Abort, KeyboardInterrupt) as stop:
        return _tell(stop)
    except Exception as bug:
        return _tell_bug(bug)
    return result if isinstance(result, int) else Exit.OK


def _tell(stop: BaseException) -> int:
    """Say on stderr what stopped the command, and how to go on."""
    from accord.cli import output

    match stop:
        case AccordError():
            output.complain_of(stop)
            return stop.exit
        case click.exceptions.NoArgsIsHelpError():
            output.tell(stop.format_message())
            return Exit.USAGE
        case click.UsageError(ctx=context):
            path = context.command_path if context else "accord"
            output.complain(stop.format_message(), f"{path} --help")
            return Exit.USAGE
        case click.ClickException():
            output.complain(stop.format_message())
            return Exit.USAGE
        case _:
            output.complain("interrupted")
            return Exit.INTERRUPTED


def _tell_bug(bug: Exception) -> int:
    """Say that this is accord's fault, and ask for a report."""
    from accord.cli import output

    if os.environ.get("ACCORD_DEBUG") == "1":
        import traceback

        traceback.print_exception(bug)
    output.complain(
        f"accord failed in a way it should not: {type(bug).__name__}: {bug}",
        "this is a bug in accord, nothing was judged. Please report it, with the output of"
        " the same command under ACCORD_DEBUG=1",
    )
    return Exit.INTERNAL
