"""`packet`: what a voter needs for its next step, for one voter or for all (section 10).

Until all votes are open a packet holds the proposal and the primary evidence, and never a vote
of this round: votes are independent first. After that it holds all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.flow.packet_affirmation import write_affirmation_packet
from accord.flow.packet_authority import write_authority_packet
from accord.flow.packet_outsiders import write_rederivation_packet, write_ruling_packet
from accord.flow.packet_parts import Claims
from accord.flow.packet_turn import AFFIRMING, Phase, find_pending, find_phase, require_voting
from accord.flow.packet_vote import write_vote_packet
from accord.model.snapshot import DecisionFiles
from accord.render.enacted import EnactedFile, render_enacted
from accord.rules.evaluate import Judgement
from accord.rules.waiting import find_waiting
from accord.store.files import cannot_write, write_files
from accord.store.schema import json_schema


@dataclass(frozen=True, slots=True)
class Packet:
    """One member's packet: the text, and the file to fill in ("" when there is none).

    `digest` is that of what it shows, which `context.packet` of the vote names; "" where no
    answer names one.
    """

    voter: str
    phase: Phase
    text: str
    form: str
    digest: str = ""

    @property
    def file(self) -> str:
        """The name of the file to fill in, "" when there is none."""
        return f"{self.phase}.yaml" if self.form else ""

    def to_plain(self) -> dict[str, str]:
        """The packet as plain data."""
        return {
            "voter": self.voter,
            "phase": self.phase,
            "digest": self.digest,
            "packet": self.text,
            "file": self.file,
            "form": self.form,
        }


def build_packet(
    decision: DecisionFiles,
    judgement: Judgement,
    voter: str,
    claims: Claims = "left out",
    continued: Sequence[Judgement] = (),
    enacted: Sequence[EnactedFile] = (),
) -> Packet:
    """The packet of one voter, or of a member that looks again, rules, or acts as authority.

    `continued` are the older decisions that this one takes up: voters see what was said to them.
    `enacted` are the files that would come into force.

    Raises UsageError when the member has nothing to do.
    """
    phase = find_phase(decision, judgement, voter)
    section = render_enacted(enacted)
    match phase:
        case "vote":
            written = write_vote_packet(judgement, voter, claims, continued, section)
            return Packet(voter, phase, *written)
        case "affirmation":
            return Packet(voter, phase, *write_affirmation_packet(judgement, voter, section))
        case "rederivation":
            look = write_rederivation_packet(judgement, voter, section)
            return Packet(voter, phase, *look)
        case "ruling":
            synthesis = judgement.ways.synthesis
            text = write_ruling_packet(judgement, synthesis, voter, section)
            return Packet(voter, phase, text, "")
        case "authority":
            text = write_authority_packet(judgement, voter, section)
            return Packet(voter, phase, text, "")


def build_packets(
    decision: DecisionFiles,
    judgement: Judgement,
    claims: Claims = "left out",
    continued: Sequence[Judgement] = (),
    enacted: Sequence[EnactedFile] = (),
) -> tuple[Packet, ...]:
    """The packets of all voters that have something to do now, in the order of their ids.

    Raises UsageError when nobody has.
    """
    round_ = require_voting(judgement)
    if judgement.evaluation.status in AFFIRMING:
        waiting = {wait.member for wait in find_waiting(decision, judgement)}
        voters = [voter for voter in round_.roster if voter in waiting]
    else:
        voters = find_pending(round_)
    if not voters:
        raise UsageError(
            f"no voter of round {round_.number} has anything to do now:"
            f" {judgement.evaluation.directive.sentence}",
            f"`accord show {decision.id}` says what it waits for",
        )
    return tuple(
        build_packet(decision, judgement, voter, claims, continued, enacted) for voter in voters
    )


def write_packets(directory: Path, packets: Iterable[Packet]) -> tuple[Path, ...]:
    """Write DIR/<voter>/packet.md, the file to fill in, and its schema for editors.

    What was filled in is never lost: raises UsageError when other bytes are in the way.
    """
    files: dict[str, bytes] = {}
    for packet in packets:
        files[f"{packet.voter}/packet.md"] = packet.text.encode()
        if packet.form:
            schema = json.dumps(json_schema(packet.phase), indent=2)
            files[f"{packet.voter}/{packet.file}"] = packet.form.encode()
            files[f"{packet.voter}/{packet.phase}.schema.json"] = f"{schema}\n".encode()
    taken = [
        name
        for name, data in files.items()
        if (directory / name).is_file() and (directory / name).read_bytes() != data
    ]
    if taken:
        raise UsageError(
            f"{directory} holds other packets, or filled-in files: {', '.join(taken)}",
            "name another directory with -o, or remove them",
        )
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(directory, error) from error
    write_files(directory, files)
    return tuple(directory / name for name in files if not name.endswith(".json"))
