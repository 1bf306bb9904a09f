"""accord init"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.asking import ask, confirm, is_interactive
from accord.cli.context import Workspace, pass_workspace
from accord.errors import UsageError
from accord.flow.init import GATE, Founding, found
from accord.render.escape import escape


@click.command("init")
@click.option("--agents", metavar="A,B,C", help="The voters, separated by commas.")
@click.option("--authority", metavar="MEMBER", help="Who opens rounds.")
@click.option("--decider", metavar="MEMBER", help="The human who rules when voting has failed.")
@click.option("--challenger", metavar="MEMBER", help="Who opposes; by default the last voter.")
@click.option(
    "--protected",
    metavar="BRANCH",
    help="The protected branch; by default the one that git calls the default here.",
)
@click.option(
    "--guard/--no-guard",
    default=None,
    help="Let only governance decisions change CI workflows and hook files.",
)
@click.option("--generate-keys", is_flag=True, help="Make a key for every member without one.")
@click.option(
    "--key-dir",
    type=click.Path(path_type=Path),
    help="Where keys are made. By default a folder in ~/.config/accord/keys.",
)
@click.option(
    "--member-key",
    "keys",
    multiple=True,
    metavar="MEMBER=FILE.pub",
    help="The public key of a member; repeatable.",
)
@pass_workspace
def command(
    workspace: Workspace,
    *,
    agents: str | None,
    authority: str | None,
    decider: str | None,
    challenger: str | None,
    protected: str | None,
    guard: bool | None,
    generate_keys: bool,
    key_dir: Path | None,
    keys: Sequence[str],
) -> None:
    """Write a policy that works and prepare the repository.

    Writes decisions/policy.yaml, and tells git and formatters to leave signed
    files alone. Nothing that is there is overwritten; read the policy, change
    what you like, and commit it on the protected branch.

    \b
      accord init --agents implementer,reviewer,challenger \\
          --authority orchestrator --decider dana --generate-keys
    """
    if is_interactive():
        agents = agents or ask("Voters, separated by commas", "--agents")
        authority = authority or ask("Who opens rounds", "--authority")
        if guard is None:
            guard = confirm("Guard CI workflows and hook files by governance decisions?", "--guard")
    if not agents or not authority:
        raise UsageError(
            "say who takes part",
            "accord init --agents a,b,c --authority o --decider d --generate-keys",
        )
    directory = key_dir or (_own_keys(workspace) if generate_keys else None)
    founding = Founding(
        agents=[name.strip() for name in agents.split(",") if name.strip()],
        authority=authority,
        decider=decider,
        challenger=challenger,
        protected=protected,
        guarded=GATE if guard else (),
        keys=[_split(key) for key in keys],
    )
    founded = found(workspace.repository, founding, directory)
    for path in founded.paths:
        output.write(f"wrote {escape(path)}\n")
    for member, file in founded.keys.items():
        output.write(f"made a key for {member}: {escape(str(file))}\n")
    for advice in founded.advice:
        output.tell(advice)


def _own_keys(workspace: Workspace) -> Path:
    """A folder of the user's own, named like the repository."""
    name = (workspace.repository.root or workspace.repository.git_dir).name
    return Path.home() / ".config" / "accord" / "keys" / name


def _split(key: str) -> tuple[str, str]:
    member, equals, file = key.partition("=")
    if not equals:
        raise UsageError(f"{key!r} names no member", "write MEMBER=FILE.pub")
    return member, file
