"""How often what a challenger objects to is taken in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from accord.analytics.objections import Objection, list_objections
from accord.model.statistics import Hits, How
from accord.rules.evaluate import Judgement


def count_hits(judgements: Iterable[Judgement]) -> tuple[Hits, ...]:
    """Each challenger that objected, the most objections taken in first.

    Who is a challenger says the ballot of the round.
    """
    settled: Counter[str] = Counter()
    pending: Counter[str] = Counter()
    taken: Counter[tuple[str, How]] = Counter()
    for judgement in judgements:
        for objection in filter(_is_by_challenger, list_objections(judgement)):
            if not judgement.evaluation.ended:
                pending[objection.voter] += 1
                continue
            settled[objection.voter] += 1
            if how := find_how(objection):
                taken[objection.voter, how] += 1
    hits = []
    for voter in settled.keys() | pending.keys():
        hows = {how: taken[voter, how] for how in get_args(How)}
        hits.append(
            Hits(
                voter=voter,
                count=sum(hows.values()),
                of=settled[voter],
                how=hows,
                pending=pending[voter],
            )
        )
    return tuple(sorted(hits, key=lambda one: one.voter))


def _is_by_challenger(objection: Objection) -> bool:
    seat = objection.round_.ballot.record.voters[objection.voter]
    return "challenger" in seat.roles


def find_how(objection: Objection) -> How | None:
    """How an objection was taken in, by the strongest of three reasons; None if it was not.

    1. *amendment*: its text became an amendment, and its voter affirmed the amended text;
    2. *agreement*: a later round put another text to the vote, and its voter agreed to it;
    3. *answer*: the authority called it addressed, and the next round was opened upon that.
    """
    voter, round_ = objection.voter, objection.round_
    if round_.objects(voter) and voter in round_.assenting:
        return "amendment"
    text = round_.proposal.record.text
    for later in objection.later:
        if later.cast.get(voter) == "agree" and later.proposal.record.text != text:
            return "agreement"
    return "answer" if objection.addressed else None
