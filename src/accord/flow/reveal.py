"""`reveal`: sealed votes are opened, and signed, when all seals are in (section 4)."""

from __future__ import annotations

from collections.abc import Mapping

from accord.errors import UsageError
from accord.flow.publish import Change, Once, Published, Saving, alone, publish, sign_bytes
from accord.flow.session import Session
from accord.model.paths import path_of
from accord.rules.counting import CountedRound
from accord.signing.base import Signer
from accord.store.state import Slot, State


def may_open(round_: CountedRound) -> bool:
    """Whether sealed votes may be opened: every voter has sealed, or the round is closed."""
    sealed = round_.ballot.record.rules.ballots == "sealed"
    return sealed and (round_.close is not None or set(round_.roster) == round_.seals.keys())


def find_openable(
    session: Session, round_: CountedRound, signers: Mapping[str, Signer]
) -> dict[str, Signer]:
    """The voters whose vote can be opened here: sealed, unopened, kept here, key at hand."""
    if not may_open(round_):
        return {}
    decision = round_.ballot.record.decision
    return {
        voter: signers[voter]
        for voter, seal in sorted(round_.seals.items())
        if voter not in round_.votes
        and voter in signers
        and session.state.find_vote(Slot(decision, round_.number, voter), seal.record.vote)
    }


def tell_damaged(state: State, round_: CountedRound) -> tuple[str, ...]:
    """The kept votes that cannot be opened any more, in sentences with what to do."""
    decision = round_.ballot.record.decision
    told = []
    for voter, seal in sorted(round_.seals.items()):
        slot = Slot(decision, round_.number, voter)
        path = state.find_damaged(slot, seal.record.vote)
        if path is not None and voter not in round_.votes:
            told.append(
                f"the sealed vote {slot} is damaged, so it cannot be opened: {path}. Restore this"
                " file from a backup; if there is none, an authority ends the round without it:"
                f" accord close {decision}"
            )
    return tuple(told)


def open_votes(
    session: Session, decision: str, voters: Mapping[str, Signer], saving: Saving
) -> Published:
    """Open the votes of some voters of the latest round.

    Raises UsageError while a seal is missing, AccordError when a kept vote is lost.
    """
    with alone(session, f"open votes of {decision}") as here:
        round_ = here.judge(decision).judgement.rounds[-1]
        if not may_open(round_):
            missing = ", ".join(sorted(set(round_.roster) - round_.seals.keys()))
            raise UsageError(
                f"votes are opened when all seals are in; they lack from {missing}",
                f"`accord status` says who is awaited; an authority can `accord close {decision}`",
            )
        return publish(here, _open(here, round_, voters), saving)


def _open(session: Session, round_: CountedRound, voters: Mapping[str, Signer]) -> Change:
    decision = round_.ballot.record.decision
    seen = {voter: seal.digest for voter, seal in round_.seals.items()}
    files: dict[str, bytes] = {}
    once = []
    for voter, signer in voters.items():
        slot = Slot(decision, round_.number, voter)
        digest = round_.seals[voter].record.vote
        data = session.state.load_vote(slot, digest)
        session.state.remember_seals(slot, seen)
        once.append(Once("vote", slot, digest))
        path = path_of("vote", decision, round_number=round_.number, name=voter)
        if voter not in round_.votes:  # another accord may have opened it meanwhile
            files |= sign_bytes(data, path, signer)
    message = f"{decision}: open the votes of {', '.join(voters)}"
    return Change(decision, message, files, tuple(once))
