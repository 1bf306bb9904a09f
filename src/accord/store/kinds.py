"""The kinds of files: the record that each holds, and whether somebody signs it (section 3.7)."""

from __future__ import annotations

from typing import NamedTuple

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.base import Record
from accord.model.case import Case
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.policy import Policy
from accord.model.proposal import Proposal
from accord.model.record import DecisionRecord
from accord.model.redaction import Redaction
from accord.model.resolution import Amendment, Close, Resolution
from accord.model.vote import Seal, Vote

MAJOR = 1


class Kind(NamedTuple):
    """One kind of file. `signed`: a detached signature stands beside it."""

    name: str
    record_type: type[Record]
    signed: bool = True

    @property
    def format(self) -> str:
        """The value of the first key of such a file."""
        return f"accord/{self.name}/{MAJOR}"


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("policy", Policy, signed=False),
        Kind("proposal", Proposal),
        Kind("round", Ballot),
        Kind("seal", Seal),
        Kind("vote", Vote),
        Kind("affirmation", Affirmation),
        Kind("amendment", Amendment),
        Kind("close", Close),
        Kind("resolution", Resolution),
        Kind("check", Check),
        Kind("rederivation", Rederivation),
        Kind("synthesis", Synthesis),
        Kind("ruling", Ruling),
        Kind("withdrawal", Withdrawal),
        Kind("redaction", Redaction),
        Kind("record", DecisionRecord, signed=False),
        Kind("case", Case, signed=False),
    )
}
