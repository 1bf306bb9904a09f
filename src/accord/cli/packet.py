"""accord packet"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.completion import complete_member
from accord.cli.context import Workspace, decision_argument, format_option, pass_workspace
from accord.cli.looking import look, show_enacted
from accord.errors import UsageError
from accord.flow.packet import Packet, build_packet, build_packets, write_packets
from accord.flow.packet_parts import Claims
from accord.render.enacted import EnactedFile
from accord.render.json import render_json
from accord.render.packet import print_packet
from accord.verify import Judged


@click.command("packet")
@decision_argument
@click.option("--voter", metavar="MEMBER", shell_complete=complete_member, help="For one voter.")
@click.option("--all", "everybody", is_flag=True, help="For all who have something to do now.")
@click.option(
    "-o",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write DIR/VOTER/packet.md and, beside it, the file to fill in.",
)
@click.option("--with-claims", is_flag=True, help="Show claims too, each beside its primary.")
@format_option("text", "json")
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str,
    voter: str | None,
    everybody: bool,
    directory: Path | None,
    with_claims: bool,
    output_format: str,
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
        raise UsageError("say for whom: --voter MEMBER, or --all")
    if everybody and directory is None and output_format == "text":
        raise UsageError("packets are for one voter each: say with -o DIR where they go")
    if voter is not None and voter not in workspace.policy.members:
        raise UsageError(
            f"{voter} is no member of this project",
            f"the members are {', '.join(sorted(workspace.policy.members))}",
        )
    judged = look(workspace, workspace.find(decision))
    enacted = show_enacted(workspace, judged)
    claims: Claims = "beside their primaries" if with_claims else "left out"
    packets = _build(judged, voter, claims, enacted)
    if directory is not None:
        for path in write_packets(directory, packets):
            output.write(f"wrote {path}\n")
    elif output_format == "json":
        output.write_rendered(render_json([packet.to_plain() for packet in packets]))
    else:
        for packet in packets:
            output.write(print_packet(packet.text, packet.file, packet.form))


def _build(
    judged: Judged, voter: str | None, claims: Claims, enacted: Sequence[EnactedFile]
) -> tuple[Packet, ...]:
    files, judgement, continued = judged.files, judged.judgement, judged.continued
    if voter is None:
        return build_packets(files, judgement, claims, continued, enacted)
    return (build_packet(files, judgement, voter, claims, continued, enacted),)
