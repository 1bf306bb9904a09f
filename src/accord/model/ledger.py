"""The ledger: one JSON object a line, the same for everybody who has the same tree (section 11).

No line holds free text: ids, digests, times and words of the protocol, and nothing else.
"""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.evaluation import Outcome
from accord.model.ids import DecisionId, Digest, Line, MemberId, Time

FileEventKind = Literal[
    "proposal",
    "round_opened",
    "amendment",
    "resolution",
    "check",
    "rederivation",
    "ruling",
    "withdrawal",
    "record",
    "redaction",
]


class FileEvent(Record, frozen=True, kw_only=True):
    """What happened by one file that counts.

    `prev` is the digest of the decision's line before. On the first line of a decision it is that
    of record.yaml, and left out while there is none.
    """

    event: FileEventKind
    decision: DecisionId
    digest: Digest
    prev: Digest | None = None


class VoteRound(Record, frozen=True, kw_only=True):
    """The votes of one round that count. Its digest is the transcript that affirmations name."""

    event: Literal["vote_round"]
    decision: DecisionId
    digest: Digest
    proposal: Line
    voters: tuple[MemberId, ...]
    result: Outcome
    timestamp: Time
    prev: Digest | None = None


LedgerEvent = FileEvent | VoteRound
