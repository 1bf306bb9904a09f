"""`amend`: minor objections are taken in word for word, and the text is written anew (4)."""

from __future__ import annotations

from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.paths import path_of
from accord.model.resolution import Adopted, Amendment
from accord.rules.counting import CountedRound
from accord.signing.base import Signer


def find_amendable_round(session: Session, decision: str) -> CountedRound:
    """The round with minor objections to take in. Raises UsageError when there is none."""
    return session.require("amend", decision).rounds[-1]


def draft_text(round_: CountedRound) -> str:
    """The text with every alternative below it: what `--edit` starts from."""
    minor = {
        voter: vote.record.alternative
        for voter, vote in sorted(round_.votes.items())
        if vote.record.vote == "disagree"
    }
    amendments = "".join(
        f"\nAmendment of {voter}:\n{(alternative or '').rstrip()}\n"
        for voter, alternative in minor.items()
    )
    return round_.proposal.record.text.rstrip("\n") + "\n" + amendments


def amend(
    session: Session, decision: str, text: str, authority: Signer, saving: Saving
) -> Published:
    """Write the amendment with `text` as the whole new text."""
    with alone(session, f"amend {decision}") as here:
        return publish(here, _amend(here, decision, text, authority), saving)


def _amend(session: Session, decision: str, text: str, authority: Signer) -> Change:
    round_ = find_amendable_round(session, decision)
    amendment = Amendment(
        decision=decision,
        round=round_.number,
        by=authority.member,
        at=session.clock(),
        ballot=round_.ballot.digest,
        transcript=round_.transcript,
        amendments=tuple(
            Adopted(voter=voter, vote=vote.digest, alternative=vote.record.alternative or "")
            for voter, vote in sorted(round_.votes.items())
            if vote.record.vote == "disagree"
        ),
        text=text,
        enacts=round_.proposal.record.enacts,
    )
    path = path_of("amendment", decision, round_number=round_.number)
    files = sign_record(amendment, "amendment", path, authority)
    return Change(decision, f"{decision}: take in the minor objections", files)
