"""What a voter is given until all votes are open: the proposal, and no vote of this round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from accord.flow.packet_parts import Claims, list_categories
from accord.model.ballot import Rules
from accord.model.evidence import ManifestEntry
from accord.model.policy import VIAS
from accord.model.resolution import ObjectionAnswer
from accord.render.packet import (
    Item,
    Objection,
    VotePacket,
    describe_answer,
    describe_proposal,
    describe_vote,
    diff_text,
    item_of,
    render_vote_form,
    render_vote_packet,
)
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.shown import digest_shown, list_claims


class WrittenVote(NamedTuple):
    """A packet, the vote to fill in, and the digest of what the packet shows."""

    text: str
    form: str
    digest: str


def write_vote_packet(
    judgement: Judgement,
    voter: str,
    claims: Claims,
    continued: Sequence[Judgement],
    enacted: str,
) -> WrittenVote:
    """The packet of a voter of the last round, and the vote to fill in.

    `enacted` is the section on what would come into force.
    It shows what was objected before: to what this decision takes up, and in earlier rounds.
    """
    rounds = judgement.rounds
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
        enacted=enacted,
        objections=(
            *(found for older in reversed(continued) for found in _find_inherited(older)),
            *_find_objections(rounds[:-1]),
        ),
        changes=diff_text(before, proposal.text),
        evidence=tuple(
            replace(item_of(entry, judgement.redacted), claims=shown.pop(entry.id, ()))
            for entry in proposal.evidence
            if entry.kind == "primary"
        ),
        other_claims=tuple(item for group in shown.values() for item in group),
        assessment=ballot.rules.require.assessment,
        challenger="challenger" in seat.roles,
        agent=seat.kind == "agent",
        vias=", ".join((*VIAS, *ballot.rules.vias)),
        categories=list_categories(ballot.rules),
    )
    named = list_claims(proposal) if claims != "left out" else ()
    digest = digest_shown(round_.ballot, round_.proposal, named)
    return WrittenVote(render_vote_packet(packet), render_vote_form(packet, digest, named), digest)


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


def _find_inherited(older: Judgement) -> Iterator[Objection]:
    for objection in _find_objections(older.rounds):
        yield replace(objection, decision=older.evaluation.decision)


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
