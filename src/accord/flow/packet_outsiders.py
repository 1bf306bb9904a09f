"""What members who do not vote are given: for a second look, and for a ruling (section 7)."""

from __future__ import annotations

from accord.flow.packet_parts import list_votes, read_final_text
from accord.model.escalation import Synthesis
from accord.model.policy import VIAS
from accord.model.snapshot import Authenticated
from accord.render.packet import (
    Item,
    RederivationPacket,
    RulingPacket,
    describe_proposal,
    item_of,
    render_rederivation_form,
    render_rederivation_packet,
    render_ruling_packet,
)
from accord.rules.evaluate import Judgement


def write_rederivation_packet(judgement: Judgement, member: str) -> tuple[str, str]:
    """The packet of a member that looks again, and the second look to fill in."""
    round_ = judgement.rounds[-1]
    proposal, ballot = round_.proposal.record, round_.ballot.record
    officer = ballot.officers.get(member)
    packet = RederivationPacket(
        decision=ballot.decision,
        round=round_.number,
        member=member,
        ballot=round_.ballot.digest,
        text_digest=round_.text_digest,
        title=proposal.title,
        context=proposal.context,
        text=read_final_text(round_),
        details=describe_proposal(proposal),
        evidence=_list_primary(judgement),
        vias=", ".join((*VIAS, *ballot.rules.vias)),
        agent=officer is None or officer.kind == "agent",
    )
    return render_rederivation_packet(packet), render_rederivation_form(packet)


def write_ruling_packet(
    judgement: Judgement, synthesis: Authenticated[Synthesis], member: str
) -> str:
    """What a decider reads before ruling."""
    round_, evaluation = judgement.rounds[-1], judgement.evaluation
    proposal = round_.proposal.record
    return render_ruling_packet(
        RulingPacket(
            decision=round_.ballot.record.decision,
            round=round_.number,
            member=member,
            author=synthesis.signer,
            synthesis=synthesis.record.text,
            title=proposal.title,
            context=proposal.context,
            text=read_final_text(round_),
            votes=list_votes(round_),
            silent=", ".join(f"`{one}`" for one in round_.roster if one not in round_.votes),
            directive=evaluation.directive.sentence,
            evidence=_list_primary(judgement),
        )
    )


def _list_primary(judgement: Judgement) -> tuple[Item, ...]:
    evidence = judgement.rounds[-1].proposal.record.evidence
    return tuple(
        item_of(entry, judgement.redacted) for entry in evidence if entry.kind == "primary"
    )
