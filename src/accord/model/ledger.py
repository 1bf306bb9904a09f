"""The ledger: one JSON object a line, the same for everybody who has the same tree (section 11)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.evaluation import Outcome
from accord.model.ids import DecisionId, Digest, Line, MemberId, Time

EventKind = Literal[
    "proposal",
    "round_opened",
    "vote_round",
    "amendment",
    "resolution",
    "check",
    "rederivation",
    "ruling",
    "withdrawal",
    "record",
]


class LedgerEvent(Record, frozen=True, kw_only=True):
    """One line. `prev` is the digest of the decision's line before, absent on its first."""

    event: EventKind
    decision: DecisionId
    digest: Digest
    proposal: Line | None = None
    voters: tuple[MemberId, ...] = ()
    result: Outcome | None = None
    timestamp: Time | None = None
    prev: Digest | None = None
