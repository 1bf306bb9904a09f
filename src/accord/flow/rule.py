"""`synthesize` and `rule`: voting has failed, and the decider is asked (section 7)."""

from __future__ import annotations

from typing import Literal, cast

from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.escalation import Ruling, Synthesis
from accord.model.paths import path_of
from accord.model.snapshot import Authenticated
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.signing.base import Signer


def find_dispute(session: Session, decision: str) -> Judgement:
    """A decision whose last round a synthesis is about.

    Raises UsageError while voting can still decide, after the end, and when it has one.
    """
    return session.require("synthesize", decision)


def synthesize(
    session: Session, decision: str, text: str, authority: Signer, saving: Saving
) -> Published:
    """Write what was disputed, for the decider. It is written once: the ruling rests on it."""
    with alone(session, f"synthesize {decision}") as here:
        return publish(here, _synthesize(here, decision, text, authority), saving)


def _synthesize(session: Session, decision: str, text: str, authority: Signer) -> Change:
    round_ = find_dispute(session, decision).rounds[-1]
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


def find_ruled(session: Session, decision: str) -> tuple[CountedRound, Authenticated[Synthesis]]:
    """What a decider rules on: the last round, and the synthesis of it.

    Raises UsageError while a ruling would have no effect.
    """
    judgement = session.require("rule", decision)
    # Without a synthesis a ruling is refused.
    return judgement.rounds[-1], cast("Authenticated[Synthesis]", judgement.ways.synthesis)


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
    round_, synthesis = find_ruled(session, decision)
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
