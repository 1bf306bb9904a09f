"""Who held what against a text, in their own words, and how it was answered (section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from accord.model.adr import Dissent, Reply
from accord.model.evaluation import VoterResult
from accord.model.resolution import ObjectionAnswer
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement


def find_dissent(judgement: Judgement) -> tuple[Dissent, ...]:
    """Every dissent of every round that counts, in the order of rounds and names.

    A late vote that objects is one too: it changed nothing, and nobody hides it.
    """
    return tuple(
        _describe(round_, voter, judgement)
        for round_, result in zip(judgement.rounds, judgement.evaluation.rounds, strict=True)
        for voter in result.voters
        if voter.voter in round_.dissenters
    )


def _describe(round_: CountedRound, result: VoterResult, judgement: Judgement) -> Dissent:
    late = {vote.signer: vote.record for vote in round_.late}.get(result.voter)
    retraction = round_.retracted.get(result.voter)
    counted = round_.votes.get(result.voter)
    vote = late or (counted.record if counted else None)
    return Dissent(
        voter=result.voter,
        round=round_.number,
        stance="late" if late else result.stance,
        severity=late.severity if late else result.severity,
        categories=late.categories if late else result.categories,
        rationale=retraction.record.reason if retraction else vote.rationale if vote else None,
        alternative=vote.alternative if vote else None,
        replies=tuple(_find_replies(round_, result.voter, judgement)),
    )


def _find_replies(round_: CountedRound, voter: str, judgement: Judgement) -> Iterator[Reply]:
    amendment = round_.amendment.record.amendments if round_.amendment else ()
    if any(adopted.voter == voter for adopted in amendment):
        yield Reply(disposition="taken_in")
    for answer in _find_answers(round_, judgement):
        if answer.voter == voter:
            yield Reply(category=answer.category, disposition=answer.disposition, note=answer.note)


def _find_answers(round_: CountedRound, judgement: Judgement) -> tuple[ObjectionAnswer, ...]:
    resolution = round_.files.resolution
    if resolution is None or resolution.path not in judgement.counted:
        return ()
    return resolution.record.answers
