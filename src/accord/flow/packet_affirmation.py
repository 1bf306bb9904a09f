"""What a voter is given when all votes are open: what everybody said, and stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from accord.flow.packet_parts import list_categories, list_votes, read_final_text
from accord.render.packet import (
    AffirmationPacket,
    Item,
    diff_text,
    item_of,
    render_affirmation_form,
    render_affirmation_packet,
)
from accord.rules.consensus import RoundEvidence, find_common, read_evidence
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.evidence import key_of


def write_affirmation_packet(judgement: Judgement, voter: str, enacted: str) -> tuple[str, str]:
    """The packet of a voter of the last round, and the affirmation to fill in.

    `enacted` is the section on what would come into force.
    """
    round_ = judgement.rounds[-1]
    proposal = round_.proposal.record
    amendment = round_.amendment.record if round_.amendment else None
    text = read_final_text(round_)
    # Only the last affirmation counts: what the one before listed is not to be lost with it.
    earlier = round_.affirmed.get(voter)
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
        enacted=enacted,
        votes=list_votes(round_),
        evidence=tuple(
            replace(item, redacted=item.artifact in judgement.redacted)
            for item in _list_evidence(round_, read_evidence(round_), voter)
        ),
        listed=tuple(item_of(entry) for entry in earlier.record.evidence) if earlier else (),
        categories=list_categories(round_.ballot.record.rules),
    )
    return render_affirmation_packet(packet), render_affirmation_form(packet)


def _list_evidence(round_: CountedRound, evidence: RoundEvidence, voter: str) -> Iterator[Item]:
    """The primary evidence that everybody must have read; what the voter has not is not `read`."""
    found = {
        entry.digest: item_of(entry)
        for vote in round_.votes.values()
        for entry in vote.record.evidence
        if entry.digest and entry.artifact
    }
    listed = {key_of(entry): item_of(entry) for entry in round_.proposal.record.evidence}
    everything = find_common(evidence) | find_common(evidence.plain)
    read = everything - evidence.find_unread(voter) - evidence.plain.find_unread(voter)
    for key in sorted(everything, key=lambda key: (key in read, evidence.manifest.name_of(key))):
        item = listed.get(key) or found.get(key) or Item(id="", artifact=key)
        heavy = key in evidence.manifest.load_bearing
        yield replace(item, load_bearing=heavy, read=key in read)
