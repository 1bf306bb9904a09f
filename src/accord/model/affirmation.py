"""An affirmation: after all votes are open, it still stands, or it is taken back (section 3.6)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Record
from accord.model.evidence import UsedEvidence
from accord.model.ids import Category, DecisionId, Digest, MemberId, Number, Text, Time

Stance = Literal["affirm", "retract"]
COMMITMENT: Literal["no_reversal_without_redecision"] = "no_reversal_without_redecision"


class Affirmation(Record, frozen=True, kw_only=True):
    """One voter's second signature, over everybody's votes and the final text.

    `transcript` is the digest of `{voter: digest of the vote file}`; `seals` likewise of the
    seals as this voter saw them before its own vote was opened; `text_digest` that of the
    amendment, or of the proposal where there is none.
    """

    decision: DecisionId
    round: Number
    voter: MemberId
    ballot: Digest
    transcript: Digest
    text_digest: Digest
    seals: Digest | None = None
    stance: Stance
    reason: Text
    categories: tuple[Category, ...] = ()
    severity: Literal["major"] | None = None
    evidence: tuple[UsedEvidence, ...] = ()
    asymmetry_acknowledged: bool = False
    commitment: Literal["no_reversal_without_redecision"] | None = None
    affirmed_at: Time
