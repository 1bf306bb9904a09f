"""accord packet"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli import output
from accord.cli.completion import complete_member
from accord.cli.context import Workspace, decision_argument, pass_workspace
from accord.cli.looking import look
from accord.errors import UsageError
from accord.flow.packet import FORMS, Claims, Packet, build_packet, build_packets
from accord.render.escape import escape_lines
from accord.store.files import write_files


@click.command("packet")
@decision_argument
@click.option("--voter", metavar="MEMBER", shell_complete=complete_member, help="For one voter.")
@click.option("--all", "everybody", is_flag=True, help="For all who have something to do now.")
@click.option(
    "-o",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write DIR/VOTER/packet.md and the file to fill in.",
)
@click.option("--with-claims", is_flag=True, help="Show claims too, each beside its primary.")
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str,
    voter: str | None,
    everybody: bool,
    directory: Path | None,
    with_claims: bool,
) -> None:
    """Print what a voter needs for its next step.

    Until all votes are open: the proposal, the primary evidence and how to
    open it, the questions, an empty vote. Never another vote of the round.
    After that: all votes with their reasons, what this voter has not read,
    and an affirmation to fill in.

    \b
      accord packet partial-index --voter implementer
      accord packet partial-index --all -o packets/
    """
    if (voter is None) == (not everybody):
        raise UsageError("say for whom: --voter MEMBER, or --all with -o DIR")
    if everybody and directory is None:
        raise UsageError("--all writes files: say where with -o DIR")
    judged = look(workspace, workspace.find(decision))
    claims: Claims = "beside their primaries" if with_claims else "left out"
    if voter is not None:
        packets: tuple[Packet, ...] = (build_packet(judged.files, judged.judgement, voter, claims),)
    else:
        packets = build_packets(judged.files, judged.judgement, claims)
    if directory is None:
        for packet in packets:
            output.write(escape_lines(packet.text) + "\n")
        return
    directory.mkdir(parents=True, exist_ok=True)
    files: dict[str, bytes] = {}
    for packet in packets:
        files[f"{packet.voter}/packet.md"] = packet.text.encode()
        files[f"{packet.voter}/{FORMS[packet.phase]}"] = packet.form.encode()
    write_files(directory, files)
    for name in files:
        output.write(f"wrote {directory / name}\n")
