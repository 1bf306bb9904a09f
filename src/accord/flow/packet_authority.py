"""What an authority is given when its word is needed: to amend, to revise, to synthesise (7)."""

from __future__ import annotations

from accord.flow.packet_parts import list_primary, list_votes, read_final_text
from accord.flow.revise import write_brief
from accord.render.packet_authority import AuthorityPacket, render_authority_packet
from accord.rules.evaluate import Judgement

_AMEND = (
    "Read the alternative of each minor objection. Each is taken in word for word.",
    "Write the whole text anew, so that they stand in it: `accord amend {id} --edit`, or"
    " `accord amend {id} --text FILE`.",
    "All voters then affirm the new text.",
)
_REVISE = (
    "Answer each objection: `addressed` says what changes, `rebutted` says why nothing does.",
    "Draft the next round: `accord revise {id} --addressed 'VOTER:CATEGORY=how'"
    " --rebutted 'VOTER:CATEGORY=why'`.",
    "Edit the text of the draft, then `accord open {id}`. Or take it back: `accord withdraw {id}`.",
)
_SYNTHESIZE = (
    "Say what each side holds, what it stands on, and what the decider is asked. Take no side.",
    "Begin with an outline: `accord synthesize {id} --outline`.",
    "Hand it in: `accord synthesize {id} --text FILE`. The decider rules on exactly this text.",
)
# What is asked, in which case, and the steps.
_ASKED = {
    "amending": ("the minor objections are to be taken in", _AMEND),
    "contested": ("the objections are to be answered", _REVISE),
}
_DISPUTED = ("a synthesis is to be written", _SYNTHESIZE)


def write_authority_packet(judgement: Judgement, member: str, enacted: str) -> str:
    """What an authority reads before it acts; `enacted` is what would come into force."""
    round_, evaluation = judgement.rounds[-1], judgement.evaluation
    asked, steps = _ASKED.get(evaluation.status, _DISPUTED)
    return render_authority_packet(
        AuthorityPacket(
            decision=evaluation.decision,
            round=round_.number,
            member=member,
            asked=asked,
            title=round_.proposal.record.title,
            text=read_final_text(round_),
            votes=list_votes(round_),
            silent=", ".join(f"`{one}`" for one in round_.roster if one not in round_.votes),
            directive=evaluation.directive.sentence,
            brief=write_brief(round_) if evaluation.status == "contested" else "",
            enacted=enacted,
            evidence=list_primary(judgement),
            steps=tuple(step.format(id=evaluation.decision) for step in steps),
        )
    )
