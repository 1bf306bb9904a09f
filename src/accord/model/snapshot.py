"""What the rules see: the files of one decision, each as far as it is trusted.

The ladder of trust is *signed*, *authenticated*, *counted*, *affirmed*, *recorded*
(section 2). A rule's signature cannot spell an unauthenticated vote: it takes
`Authenticated[Vote]`, which only `accord.signing.authenticate` makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.evaluation import Basis, Status
from accord.model.proposal import Proposal
from accord.model.record import DecisionRecord
from accord.model.redaction import Redaction
from accord.model.resolution import Amendment, Close, Resolution
from accord.model.vote import Seal, Vote

T_co = TypeVar("T_co", covariant=True)

Scheme = Literal["ssh", "sigstore"]


@dataclass(frozen=True, slots=True)
class Stored(Generic[T_co]):
    """A record as it stands in a tree; nobody vouches for it. Drafts and generated files."""

    record: T_co
    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class Authenticated(Generic[T_co]):
    """A record whose signature is good, by a key that is `signer`'s and valid by the policy.

    `signed_at` is the time that Sigstore's log vouches for, None where there is no log.
    """

    record: T_co
    path: str
    digest: str
    signer: str
    scheme: Scheme
    signed_at: str | None = None


@dataclass(frozen=True, slots=True)
class RoundFiles:
    """The files of one round. Affirmations are in the order of voter and number."""

    number: int
    draft: Stored[Proposal] | None = None
    proposal: Authenticated[Proposal] | None = None
    ballot: Authenticated[Ballot] | None = None
    seals: tuple[Authenticated[Seal], ...] = ()
    votes: tuple[Authenticated[Vote], ...] = ()
    amendment: Authenticated[Amendment] | None = None
    affirmations: tuple[Authenticated[Affirmation], ...] = ()
    close: Authenticated[Close] | None = None
    resolution: Authenticated[Resolution] | None = None


@dataclass(frozen=True, slots=True)
class DecisionFiles:
    """The files of one decision. The record is None inside `Stored` when it cannot be read."""

    id: str
    rounds: tuple[RoundFiles, ...] = ()
    checks: tuple[Authenticated[Check], ...] = ()
    rederivations: tuple[Authenticated[Rederivation], ...] = ()
    synthesis: Authenticated[Synthesis] | None = None
    ruling: Authenticated[Ruling] | None = None
    withdrawal: Authenticated[Withdrawal] | None = None
    redactions: tuple[Authenticated[Redaction], ...] = ()
    record: Stored[DecisionRecord | None] | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What stood before the step that is judged, and is not judged anew.

    `ballots` are the paths of the ballots that count already; `looks` the digests of the second
    looks that a record which stood there rests on, None where there was no record;
    `redactions` the paths of those that had effect.
    """

    ballots: frozenset[str] = frozenset()
    looks: frozenset[str] | None = None
    redactions: frozenset[str] = frozenset()


NOTHING_SETTLED = Settled()


@dataclass(frozen=True, slots=True)
class Predecessor:
    """What an older decision, named by `continues`, `reopens` or `supersedes`, hands down.

    `dissenters` are all who dissented, late votes too; `opposed` those of them whose votes
    counted, which nothing that comes later takes away; `voters` are those of its last round, who
    are asked again whatever they signed; `evidence` are the digests of its artifacts,
    `texts` those of the texts put to the vote; `redecided_by` are the other decisions that
    reopen or supersede it and have not ended; `continues` are those that it took up itself.
    """

    id: str
    class_: str
    status: Status
    basis: Basis | None
    verdict: str | None
    texts: frozenset[str]
    evidence_set: str | None
    evidence: frozenset[str]
    dissenters: frozenset[str]
    opposed: frozenset[str]
    voters: frozenset[str]
    redecided_by: frozenset[str] = frozenset()
    continues: frozenset[str] = frozenset()
