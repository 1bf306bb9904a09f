"""What several packets have in common."""

from __future__ import annotations

from typing import Literal

from accord.model.ballot import Rules
from accord.model.vote import CATEGORIES
from accord.render.packet import (
    Item,
    Named,
    OpenVote,
    describe_answer,
    describe_use,
    describe_vote,
    item_of,
)
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement

Claims = Literal["left out", "beside their primaries"]


def list_categories(rules: Rules) -> tuple[Named, ...]:
    """The categories of a ballot and their meanings, the project's own last."""
    own = ((category, "a category of this project") for category in rules.categories)
    return (*CATEGORIES.items(), *own)


def read_final_text(round_: CountedRound) -> str:
    """The text that is decided on: amended, if it was."""
    amendment = round_.amendment
    return amendment.record.text if amendment else round_.proposal.record.text


def list_primary(judgement: Judgement) -> tuple[Item, ...]:
    """The primary evidence that the proposal of the last round lists."""
    evidence = judgement.rounds[-1].proposal.record.evidence
    return tuple(
        item_of(entry, judgement.redacted) for entry in evidence if entry.kind == "primary"
    )


def list_votes(round_: CountedRound) -> tuple[OpenVote, ...]:
    """What everybody said who voted, what it stands on, and who took it back."""
    return tuple(
        OpenVote(
            voter=name,
            answer=describe_answer(vote.record) + _tell_retraction(round_, name),
            texts=(*describe_vote(vote.record), *_list_retraction(round_, name)),
            evidence=tuple(describe_use(entry) for entry in vote.record.evidence),
        )
        for name, vote in sorted(round_.votes.items())
    )


def _tell_retraction(round_: CountedRound, voter: str) -> str:
    retraction = round_.retracted.get(voter)
    return f"; retracted: {', '.join(retraction.record.categories)}" if retraction else ""


def _list_retraction(round_: CountedRound, voter: str) -> tuple[Named, ...]:
    retraction = round_.retracted.get(voter)
    return (("Taken back, because", retraction.record.reason),) if retraction else ()
