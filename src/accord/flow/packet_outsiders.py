"""What members who do not vote are given: for a second look, and for a ruling (section 7)."""

from __future__ import annotations

from accord.flow.packet_parts import list_primary, list_votes, read_final_text
from accord.model.escalation import Synthesis
from accord.model.policy import VIAS
from accord.model.snapshot import Authenticated
from accord.render.packet import (
    RederivationPacket,
    RulingPacket,
    describe_proposal,
    render_rederivation_form,
    render_rederivation_packet,
    render_ruling_packet,
)
from accord.rules.evaluate import Judgement

_TAKEN = (
    "A decision was taken, and it may stand on something that misled everybody alike. Its record"
    " does not change; another result is told beside it, and is a reason to decide anew."
)
_AGREED = "Votes have agreed, and that may stand on something that misled everybody alike."
# Why another look is asked for, and why voting alone decides nothing.
_LOOKED_AT: dict[str, str] = {
    "accepted": _TAKEN,
    "approved_with_amendments": _TAKEN,
    "provisional": f"{_AGREED} The decision waits for a second look.",
}
_DISPUTED: dict[str, str] = {
    "provisional": "Votes have agreed, and the agreement is in doubt.",
    "conditional": "Votes have agreed, and not everybody has read what the others have.",
}


def write_rederivation_packet(judgement: Judgement, member: str, enacted: str) -> tuple[str, str]:
    """The packet of a member that looks again, and the second look to fill in.

    `enacted` is the section on what would come into force, here and below.
    """
    round_, evaluation = judgement.rounds[-1], judgement.evaluation
    proposal, ballot = round_.proposal.record, round_.ballot.record
    officer = ballot.officers.get(member)
    packet = RederivationPacket(
        decision=ballot.decision,
        round=round_.number,
        member=member,
        situation=_LOOKED_AT.get(evaluation.status, _AGREED),
        ballot=round_.ballot.digest,
        text_digest=round_.text_digest,
        title=proposal.title,
        context=proposal.context,
        text=read_final_text(round_),
        details=describe_proposal(proposal),
        enacted=enacted,
        evidence=list_primary(judgement),
        vias=", ".join((*VIAS, *ballot.rules.vias)),
        agent=officer is None or officer.kind == "agent",
    )
    return render_rederivation_packet(packet), render_rederivation_form(packet)


def write_ruling_packet(
    judgement: Judgement,
    synthesis: Authenticated[Synthesis] | None,
    member: str,
    enacted: str,
) -> str:
    """What a decider reads before ruling, or before there is a synthesis to rule on."""
    round_, evaluation = judgement.rounds[-1], judgement.evaluation
    proposal = round_.proposal.record
    return render_ruling_packet(
        RulingPacket(
            decision=round_.ballot.record.decision,
            round=round_.number,
            member=member,
            situation=_DISPUTED.get(evaluation.status, "Voting has not decided this."),
            authorities=" or ".join(
                f"`{one}`" for one in round_.ballot.record.officers_with("authority")
            ),
            author=synthesis.signer if synthesis else "",
            synthesis=synthesis.record.text if synthesis else "",
            title=proposal.title,
            context=proposal.context,
            text=read_final_text(round_),
            votes=list_votes(round_),
            silent=", ".join(f"`{one}`" for one in round_.roster if one not in round_.votes),
            directive=evaluation.directive.sentence,
            enacted=enacted,
            evidence=list_primary(judgement),
        )
    )
