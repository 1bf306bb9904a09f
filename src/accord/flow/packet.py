"""`packet`: what a voter needs for its next step, for one voter or for all (section 10).

Until all votes are open a packet holds the proposal and the primary evidence, and never a vote
of this round: votes are independent first. After that it holds all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from accord.errors import UsageError
from accord.flow.packet_affirmation import write_affirmation_packet
from accord.flow.packet_outsiders import write_rederivation_packet, write_ruling_packet
from accord.flow.packet_parts import Claims
from accord.flow.packet_vote import write_vote_packet
from accord.model.evaluation import IN_FORCE
from accord.model.snapshot import DecisionFiles
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.rederivations import find_parts
from accord.rules.waiting import find_waiting
from accord.store.files import cannot_write, write_files
from accord.store.schema import json_schema

Phase = Literal["vote", "affirmation", "rederivation", "ruling"]
_AFFIRMING = frozenset({"amending", "unconverged", "conditional"})
# Where a member that took no part may look again: when votes have agreed, however that ends.
_LOOKED_AT_AGAIN = frozenset({"provisional", "escalated", *IN_FORCE})


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
) -> Packet:
    """The packet of one voter, or of a member that looks again or rules.

    `continued` are the older decisions that this one takes up: voters see what was said to them.

    Raises UsageError when the member has nothing to do.
    """
    if judgement.rounds and voter not in judgement.rounds[-1].roster:
        return _build_for_outsider(judgement, voter)
    round_ = _find_round(judgement)
    if judgement.evaluation.status in _AFFIRMING:
        return Packet(voter, "affirmation", *write_affirmation_packet(judgement, voter))
    if voter not in _find_pending(round_):
        raise UsageError(
            f"{voter} has voted, and the other votes are not open yet",
            f"`accord show {decision.id}` says who is missing",
        )
    written = write_vote_packet(judgement, voter, claims, continued)
    return Packet(voter, "vote", *written)


def _build_for_outsider(judgement: Judgement, member: str) -> Packet:
    """For a ruling where the synthesis is there, else for a second look at what was voted."""
    round_ = judgement.rounds[-1]
    synthesis = judgement.ways.synthesis
    evaluation = judgement.evaluation
    if synthesis is not None and member in round_.ballot.record.officers_with("decider"):
        text = write_ruling_packet(judgement, synthesis, member)
        return Packet(member, "ruling", text, "")
    parts = find_parts(judgement.rounds, member)
    if evaluation.status not in _LOOKED_AT_AGAIN or parts:
        _find_round(judgement)
        raise UsageError(
            f"{member} is not on the roster of round {round_.number}",
            f"the voters are {', '.join(round_.roster)}",
        )
    return Packet(member, "rederivation", *write_rederivation_packet(judgement, member))


def build_packets(
    decision: DecisionFiles,
    judgement: Judgement,
    claims: Claims = "left out",
    continued: Sequence[Judgement] = (),
) -> tuple[Packet, ...]:
    """The packets of all voters that have something to do now, in the order of their ids.

    Raises UsageError when nobody has.
    """
    round_ = _find_round(judgement)
    if judgement.evaluation.status in _AFFIRMING:
        waiting = {wait.member for wait in find_waiting(decision, judgement)}
        voters = [voter for voter in round_.roster if voter in waiting]
    else:
        voters = _find_pending(round_)
    if not voters:
        raise UsageError(
            f"no voter of round {round_.number} has anything to do now:"
            f" {judgement.evaluation.directive.sentence}",
            f"`accord show {decision.id}` says what it waits for",
        )
    return tuple(build_packet(decision, judgement, voter, claims, continued) for voter in voters)


def write_packets(directory: Path, packets: Iterable[Packet]) -> tuple[Path, ...]:
    """Write DIR/<voter>/packet.md, the file to fill in, and its schema for editors.

    What was filled in is never lost: raises UsageError when other bytes are in the way.
    """
    files: dict[str, bytes] = {}
    for packet in packets:
        schema = json.dumps(json_schema(packet.phase), indent=2)
        files[f"{packet.voter}/packet.md"] = packet.text.encode()
        if packet.form:
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


def _find_round(judgement: Judgement) -> CountedRound:
    evaluation = judgement.evaluation
    if evaluation.status == "draft" or not judgement.rounds:
        raise UsageError(
            f"{evaluation.decision} has no open round: {evaluation.directive.sentence}",
            f"`accord open {evaluation.decision}` opens one",
        )
    if evaluation.status == "amending" and judgement.rounds[-1].amendment is None:
        raise UsageError(
            f"{evaluation.decision} waits for its amendment",
            f"`accord amend {evaluation.decision}` takes in the minor objections",
        )
    if evaluation.status != "open" and evaluation.status not in _AFFIRMING:
        raise UsageError(
            f"no voter of {evaluation.decision} has anything to do now:"
            f" {evaluation.directive.sentence}",
            f"`accord show {evaluation.decision}` says what it waits for",
        )
    return judgement.rounds[-1]


def _find_pending(round_: CountedRound) -> list[str]:
    """Who has neither voted nor sealed a vote."""
    return [
        voter for voter in round_.roster if voter not in round_.seals and voter not in round_.votes
    ]
