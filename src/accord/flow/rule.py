"""`synthesize` and `rule`: voting has failed, and the decider is asked (section 7)."""

from __future__ import annotations

from typing import Literal

from accord.errors import UsageError
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.escalation import Ruling, Synthesis
from accord.model.paths import path_of
from accord.model.snapshot import Authenticated
from accord.rules.evaluate import Judgement
from accord.signing.base import Signer


def find_dispute(session: Session, decision: str) -> Judgement:
    """A decision whose last round a synthesis or a ruling is about.

    Raises UsageError while voting can still decide, and after the end.
    """
    judgement = session.judge(decision).judgement
    evaluation = judgement.evaluation
    if not evaluation.ended and judgement.ways.ready == "ready":
        return judgement
    if evaluation.ended:
        raise UsageError(
            f"{decision} has ended: it is {evaluation.status}",
            f"what ended is decided anew: accord reopen {decision}",
        )
    raise UsageError(
        f"voting on {decision} has not failed: it is {evaluation.status}",
        f"`accord show {decision}` says what it waits for",
    )


def synthesize(
    session: Session, decision: str, text: str, authority: Signer, saving: Saving
) -> Published:
    """Write what was disputed, for the decider. It is written once: the ruling rests on it."""
    with alone(session, f"synthesize {decision}") as here:
        return publish(here, _synthesize(here, decision, text, authority), saving)


def _synthesize(session: Session, decision: str, text: str, authority: Signer) -> Change:
    judgement = find_dispute(session, decision)
    if judgement.ways.synthesis is not None:
        raise UsageError(
            f"{decision} has its synthesis already, by {judgement.ways.synthesis.signer}",
            f"a decider rules on it: accord rule {decision}",
        )
    if not any(one.votes for one in judgement.rounds):
        raise UsageError(
            f"nobody voted on {decision}, so there is nothing to rule on",
            f"`accord withdraw {decision}` takes it back",
        )
    round_ = judgement.rounds[-1]
    synthesis = Synthesis(
        decision=decision,
        round=round_.number,
        by=authority.member,
        at=session.clock(),
        ballot=round_.ballot.digest,
        transcript=round_.transcript,
        text=text,
    )
    files = sign_record(synthesis, "synthesis", path_of("synthesis", decision), authority)
    return Change(decision, f"{decision}: what the decider is asked", files)


def require_synthesis(judgement: Judgement) -> Authenticated[Synthesis]:
    """What the decider rules on. Raises UsageError when there is none that counts."""
    if judgement.ways.synthesis is None:
        decision = judgement.evaluation.decision
        raise UsageError(
            f"{decision} has no synthesis to rule on",
            f"an authority writes it: accord synthesize {decision}",
        )
    return judgement.ways.synthesis


def rule(
    session: Session,
    decision: str,
    word: Literal["accept", "reject"],
    reason: str,
    decider: Signer,
    saving: Saving,
) -> Published:
    """Write the decider's word."""
    with alone(session, f"rule {decision}") as here:
        return publish(here, _rule(here, decision, word, reason, decider), saving)


def _rule(
    session: Session,
    decision: str,
    word: Literal["accept", "reject"],
    reason: str,
    decider: Signer,
) -> Change:
    judgement = find_dispute(session, decision)
    round_, synthesis = judgement.rounds[-1], require_synthesis(judgement)
    ruling = Ruling(
        decision=decision,
        round=round_.number,
        by=decider.member,
        at=session.clock(),
        ballot=round_.ballot.digest,
        transcript=round_.transcript,
        synthesis=synthesis.digest,
        text_digest=round_.text_digest,
        ruling=word,
        reason=reason,
    )
    files = sign_record(ruling, "ruling", path_of("ruling", decision), decider)
    return Change(decision, f"{decision}: ruled to {word}", files)
