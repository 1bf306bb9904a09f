"""What several packets have in common."""

from __future__ import annotations

from typing import Literal

from accord.model.ballot import Rules
from accord.model.vote import CATEGORIES
from accord.render.packet import Named, OpenVote, describe_answer, describe_use, describe_vote
from accord.rules.counting import CountedRound

Claims = Literal["left out", "beside their primaries"]


def list_categories(rules: Rules) -> tuple[Named, ...]:
    """The categories of a ballot and their meanings, the project's own last."""
    own = ((category, "a category of this project") for category in rules.categories)
    return (*CATEGORIES.items(), *own)


def read_final_text(round_: CountedRound) -> str:
    """The text that is decided on: amended, if it was."""
    amendment = round_.amendment
    return amendment.record.text if amendment else round_.proposal.record.text


def list_votes(round_: CountedRound) -> tuple[OpenVote, ...]:
    """What everybody said who voted, and what it stands on."""
    return tuple(
        OpenVote(
            voter=name,
            answer=describe_answer(vote.record),
            texts=describe_vote(vote.record),
            evidence=tuple(describe_use(entry) for entry in vote.record.evidence),
        )
        for name, vote in sorted(round_.votes.items())
    )
