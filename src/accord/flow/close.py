"""`close` and `withdraw`: the authority ends a round, or takes the proposal back (4 and 7)."""

from __future__ import annotations

from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.escalation import Withdrawal
from accord.model.paths import path_of
from accord.model.resolution import Close, Counted
from accord.rules.counting import affirmation_digests
from accord.signing.base import Signer


def close_round(
    session: Session, decision: str, reason: str, authority: Signer, saving: Saving
) -> Published:
    """Close the latest round as it stands. Raises UsageError when there is nothing to close."""
    with alone(session, f"close {decision}") as here:
        return publish(here, _close(here, decision, reason, authority), saving)


def _close(session: Session, decision: str, reason: str, authority: Signer) -> Change:
    round_ = session.require("close", decision).rounds[-1]
    close = Close(
        decision=decision,
        round=round_.number,
        by=authority.member,
        at=session.clock(),
        ballot=round_.ballot.digest,
        reason=reason,
        counted=Counted(
            votes={voter: vote.digest for voter, vote in sorted(round_.votes.items())},
            seals={voter: seal.digest for voter, seal in sorted(round_.seals.items())},
            affirmations=affirmation_digests(round_),
        ),
        missing=tuple(
            voter
            for voter in round_.roster
            if voter not in round_.votes and voter not in round_.seals
        ),
    )
    path = path_of("close", decision, round_number=round_.number)
    files = sign_record(close, "close", path, authority)
    return Change(decision, f"{decision}: close round {round_.number}", files)


def withdraw(
    session: Session, decision: str, reason: str, signer: Signer, saving: Saving
) -> Published:
    """Take a proposal back before its end."""
    with alone(session, f"withdraw {decision}") as here:
        return publish(here, _withdraw(here, decision, reason, signer), saving)


def _withdraw(session: Session, decision: str, reason: str, signer: Signer) -> Change:
    evaluation = session.require("withdraw", decision).evaluation
    withdrawal = Withdrawal(
        decision=decision,
        round=max(evaluation.round, 1),
        by=signer.member,
        at=session.clock(),
        ballot=evaluation.ballot,
        reason=reason,
    )
    files = sign_record(withdrawal, "withdrawal", path_of("withdrawal", decision), signer)
    return Change(decision, f"{decision}: withdraw", files)
