"""What the authority writes about a round: amendment, close, resolution (section 3.7)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.ids import (
    AffirmationName,
    Category,
    DecisionId,
    Digest,
    MemberId,
    Number,
    Text,
    Time,
)
from accord.model.proposal import Enacted

Disposition = Literal["addressed", "rebutted"]


class Adopted(Record, frozen=True, kw_only=True):
    """A minor objection that was taken in: the voter's `alternative`, byte for byte."""

    voter: MemberId
    vote: Digest
    alternative: Text


class Amendment(Record, frozen=True, kw_only=True):
    """The amended text, whole, and the objections that it takes in."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    transcript: Digest
    amendments: tuple[Adopted, ...]
    text: Text
    enacts: tuple[Enacted, ...] = ()


class Counted(Record, frozen=True, kw_only=True):
    """What was in when the round was closed; what is not listed is late."""

    votes: dict[MemberId, Digest] = {}
    seals: dict[MemberId, Digest] = {}
    affirmations: dict[AffirmationName, Digest] = {}


class Close(Record, frozen=True, kw_only=True):
    """The authority ends a round that will not complete."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    reason: Text
    counted: Counted
    missing: tuple[MemberId, ...] = ()


class ObjectionAnswer(Record, frozen=True, kw_only=True):
    """How one objection (a voter and one category) was answered. Abstentions carry no category."""

    voter: MemberId
    category: Category | None = None
    disposition: Disposition
    note: Text


class Resolution(Record, frozen=True, kw_only=True):
    """How the objections of a failed round were answered; it opens the way to the next."""

    decision: DecisionId
    round: Number
    by: MemberId
    at: Time
    ballot: Digest
    transcript: Digest
    answers: tuple[ObjectionAnswer, ...]
