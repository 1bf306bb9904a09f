"""`packet`: what a voter needs for its next step, for one voter or for all (section 10).

Until all votes are open a packet holds the proposal and the primary evidence, and never a vote
of this round: votes are independent first. After that it holds all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from accord.errors import UsageError
from accord.model.ballot import Rules
from accord.model.evidence import ManifestEntry
from accord.model.ids import digest_bytes
from accord.model.policy import VIAS
from accord.model.resolution import ObjectionAnswer
from accord.model.snapshot import DecisionFiles
from accord.model.vote import CATEGORIES
from accord.render.packet import (
    AffirmationPacket,
    Item,
    Named,
    Objection,
    OpenVote,
    VotePacket,
    describe_answer,
    describe_proposal,
    describe_use,
    describe_vote,
    diff_text,
    item_of,
    render_affirmation_form,
    render_affirmation_packet,
    render_vote_form,
    render_vote_packet,
)
from accord.rules.consensus import RoundEvidence, read_evidence
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.evidence import key_of, primaries
from accord.rules.waiting import find_waiting
from accord.store.files import cannot_write, write_files
from accord.store.schema import json_schema

Claims = Literal["left out", "beside their primaries"]
Phase = Literal["vote", "affirmation"]
_AFFIRMING = frozenset({"amending", "unconverged", "conditional"})


@dataclass(frozen=True, slots=True)
class Packet:
    """One voter's packet: the text, and the file to fill in. `digest` is that of the text."""

    voter: str
    phase: Phase
    text: str
    form: str

    @property
    def digest(self) -> str:
        """What `context.packet` of the vote names."""
        return digest_bytes(self.text.encode())

    @property
    def file(self) -> str:
        """The name of the file to fill in."""
        return f"{self.phase}.yaml"

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
    decision: DecisionFiles, judgement: Judgement, voter: str, claims: Claims = "left out"
) -> Packet:
    """The packet of one voter.

    Raises UsageError when the voter is not on the roster or has nothing to do.
    """
    round_ = _find_round(judgement)
    if voter not in round_.roster:
        raise UsageError(
            f"{voter} is not on the roster of round {round_.number}",
            f"the voters are {', '.join(round_.roster)}",
        )
    if judgement.evaluation.status in _AFFIRMING:
        return _build_affirmation(round_, voter)
    if voter not in _find_pending(round_):
        raise UsageError(
            f"{voter} has voted, and the other votes are not open yet",
            f"`accord show {decision.id}` says who is missing",
        )
    return _build_vote(judgement.rounds, voter, claims)


def build_packets(
    decision: DecisionFiles, judgement: Judgement, claims: Claims = "left out"
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
    return tuple(build_packet(decision, judgement, voter, claims) for voter in voters)


def write_packets(directory: Path, packets: Iterable[Packet]) -> tuple[Path, ...]:
    """Write DIR/<voter>/packet.md, the file to fill in, and its schema for editors.

    What was filled in is never lost: raises UsageError when other bytes are in the way.
    """
    files: dict[str, bytes] = {}
    for packet in packets:
        schema = json.dumps(json_schema(packet.phase), indent=2)
        files[f"{packet.voter}/packet.md"] = packet.text.encode()
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


def _build_vote(rounds: tuple[CountedRound, ...], voter: str, claims: Claims) -> Packet:
    round_ = rounds[-1]
    proposal, ballot = round_.proposal.record, round_.ballot.record
    before = rounds[-2].proposal.record.text if len(rounds) > 1 else proposal.text
    shown = _group_claims(proposal.evidence) if claims != "left out" else {}
    seat = ballot.voters[voter]
    packet = VotePacket(
        decision=ballot.decision,
        round=round_.number,
        voter=voter,
        ballot=round_.ballot.digest,
        proposer=proposal.proposer,
        class_name=ballot.class_,
        rule=_describe_rule(ballot.rules),
        reversibility=proposal.reversibility,
        roster=", ".join(f"`{member}`" for member in round_.roster),
        title=proposal.title,
        context=proposal.context,
        text=proposal.text,
        details=describe_proposal(proposal),
        objections=tuple(_find_objections(rounds[:-1])),
        changes=diff_text(before, proposal.text),
        evidence=tuple(
            item_of(entry, claims=shown.pop(entry.id, ()))
            for entry in proposal.evidence
            if entry.kind == "primary"
        ),
        other_claims=tuple(item for group in shown.values() for item in group),
        assessment=ballot.rules.require.assessment,
        challenger="challenger" in seat.roles,
        agent=seat.kind == "agent",
        vias=", ".join((*VIAS, *ballot.rules.vias)),
        categories=_list_categories(ballot.rules),
    )
    text = render_vote_packet(packet)
    ids = tuple(entry.id for entry in proposal.evidence if entry.kind == "claim")
    named = ids if claims != "left out" else ()
    return Packet(voter, "vote", text, render_vote_form(packet, digest_bytes(text.encode()), named))


def _group_claims(evidence: tuple[ManifestEntry, ...]) -> dict[str, tuple[Item, ...]]:
    """The claims about each primary, by its id; those about nothing that is listed under ""."""
    listed = {entry.id for entry in evidence if entry.kind == "primary"}
    groups: dict[str, tuple[Item, ...]] = {}
    for entry in evidence:
        if entry.kind == "claim":
            about = entry.summarizes if entry.summarizes in listed else None
            groups[about or ""] = (*groups.get(about or "", ()), item_of(entry))
    return groups


def _describe_rule(rules: Rules) -> str:
    if rules.rule == "bft_quorum":
        return "A quorum of them decides."
    return "All of them must agree; one objection stops it."


def _list_categories(rules: Rules) -> tuple[Named, ...]:
    own = ((category, "a category of this project") for category in rules.categories)
    return (*CATEGORIES.items(), *own)


def _find_objections(earlier: tuple[CountedRound, ...]) -> Iterator[Objection]:
    """What stood against the earlier rounds, and the answers of their resolutions."""
    for round_ in earlier:
        resolution = round_.files.resolution
        answers = resolution.record.answers if resolution else ()
        for vote in (*round_.votes.values(), *round_.late):
            if vote.record.vote != "agree":
                yield Objection(
                    voter=vote.record.voter,
                    round=round_.number,
                    answer=describe_answer(vote.record),
                    texts=describe_vote(vote.record),
                    answers=_answers_to(vote.record.voter, answers),
                )
        for voter, retraction in sorted(round_.retracted.items()):
            yield Objection(
                voter=voter,
                round=round_.number,
                answer=f"retracted: {', '.join(retraction.record.categories)}",
                texts=(("Reason", retraction.record.reason),),
                answers=_answers_to(voter, answers),
            )


def _answers_to(voter: str, answers: tuple[ObjectionAnswer, ...]) -> tuple[ObjectionAnswer, ...]:
    return tuple(answer for answer in answers if answer.voter == voter)


def _build_affirmation(round_: CountedRound, voter: str) -> Packet:
    proposal = round_.proposal.record
    amendment = round_.amendment.record if round_.amendment else None
    text = amendment.text if amendment else proposal.text
    packet = AffirmationPacket(
        decision=round_.ballot.record.decision,
        round=round_.number,
        voter=voter,
        ballot=round_.ballot.digest,
        transcript=round_.transcript,
        text_digest=round_.text_digest,
        title=proposal.title,
        text=text,
        amended_by=", ".join(f"`{taken.voter}`" for taken in amendment.amendments)
        if amendment
        else "",
        changes=diff_text(proposal.text, text),
        votes=tuple(
            OpenVote(
                voter=name,
                answer=describe_answer(vote.record),
                texts=describe_vote(vote.record),
                evidence=tuple(describe_use(entry) for entry in vote.record.evidence),
            )
            for name, vote in sorted(round_.votes.items())
        ),
        evidence=tuple(_list_evidence(round_, read_evidence(round_), voter)),
        categories=_list_categories(round_.ballot.record.rules),
    )
    return Packet(
        voter, "affirmation", render_affirmation_packet(packet), render_affirmation_form(packet)
    )


def _list_evidence(round_: CountedRound, evidence: RoundEvidence, voter: str) -> Iterator[Item]:
    """The primary evidence of all votes; what the voter has not used is not `read`."""
    found = {
        entry.digest: item_of(entry)
        for vote in round_.votes.values()
        for entry in vote.record.evidence
        if entry.digest and entry.artifact
    }
    listed = {key_of(entry): item_of(entry) for entry in round_.proposal.record.evidence}
    read = primaries(evidence.affirmed.get(voter, frozenset()))
    everything = frozenset().union(*(primaries(uses) for uses in evidence.voted.values()))
    for key in sorted(everything, key=lambda key: (key in read, evidence.manifest.name_of(key))):
        item = listed.get(key) or found.get(key) or Item(id="", artifact=key)
        yield Item(
            id=item.id,
            artifact=item.artifact,
            revision=item.revision,
            digest=item.digest,
            load_bearing=key in evidence.manifest.load_bearing,
            read=key in read,
        )
