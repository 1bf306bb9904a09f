"""Who answered what in which round: the unit of most counts (section 4).

An answer is one voter in one round, however many files it signed there: who voted, or took a
vote back. What does not count for the rules does not count here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.tally import Cast

Said = Literal["agree", "reject", "abstain"]

_SAID: dict[Cast, Said] = {
    "agree": "agree",
    "minor": "reject",
    "major": "reject",
    "retracted": "reject",
    "abstain": "abstain",
}
_MONTH = len("YYYY-MM")


class Answer(NamedTuple):
    """What one voter said in one round, in the end; `categories` are those it rejects for."""

    voter: str
    said: Said
    categories: frozenset[str]
    class_: str
    proposer: str
    month: str


def list_answers(judgements: Iterable[Judgement]) -> tuple[Answer, ...]:
    """Every answer of every round."""
    return tuple(
        Answer(
            voter=voter,
            said=said,
            categories=find_categories(round_, voter),
            class_=round_.ballot.record.class_,
            proposer=round_.proposal.record.proposer,
            month=_said_at(round_, voter)[:_MONTH],
        )
        for judgement in judgements
        for round_ in judgement.rounds
        for voter, said in read_answers(round_).items()
    )


def read_answers(round_: CountedRound) -> dict[str, Said]:
    """Voter → what it said in the end. Who has not answered is not there."""
    return {voter: _SAID[cast] for voter, cast in round_.cast.items() if cast in _SAID}


def find_categories(round_: CountedRound, voter: str) -> frozenset[str]:
    """What a voter that answered objects to: by its vote, by a retraction, or by both."""
    voted = round_.votes[voter].record.categories if round_.objects(voter) else ()
    taken_back = round_.retracted.get(voter)
    return frozenset((*voted, *(taken_back.record.categories if taken_back else ())))


def _said_at(round_: CountedRound, voter: str) -> str:
    """When the vote says that it was cast; who only took it back said so then."""
    vote = round_.votes.get(voter)
    return vote.record.cast_at if vote else round_.retracted[voter].record.affirmed_at
