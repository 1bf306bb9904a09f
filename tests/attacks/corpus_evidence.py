"""Attacks on what votes say they stand on: names, lines, packets and traces that nothing shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accord.model.evidence import UsedEvidence
from accord.model.ids import digest_bytes
from accord.model.vote import Assessment, Concern, Context, Rated, Seal, Vote
from accord.rules.shown import digest_shown
from accord.store.writer import dump
from tests.attacks.attack import Attack
from tests.attacks.forge import R1, commit, latest, put
from tests.e2e.team import VOTERS, Team
from tests.support.keys import FixedKey

AT = "2026-12-24T09:00:00Z"
RATED = Rated(rating="adequate")
SOURCE = UsedEvidence(id="source")


def cast(**fields: Any) -> Callable[[Team], None]:
    """All agree, sealed and opened by hand; the vote of the reviewer says what it likes."""

    def act(team: Team) -> None:
        ballot = latest(team).ballot
        votes = {
            voter: Vote(
                decision=ballot.record.decision,
                round=1,
                voter=voter,
                ballot=ballot.digest,
                nonce="ab" * 32,
                vote="agree",
                rationale="The source says so.",
                concerns=(Concern(text="it may be slow"),),
                assessment=Assessment(
                    testability=RATED, workflow_integration=RATED, incremental_verifiability=RATED
                ),
                cast_at=AT,
                **({"evidence": (SOURCE,)} | (fields if voter == "reviewer" else {})),
            )
            for voter in VOTERS
        }
        for voter, vote in votes.items():
            seal = Seal(
                decision=vote.decision,
                round=1,
                voter=voter,
                ballot=vote.ballot,
                vote=digest_bytes(dump(vote, "vote")),
                at=AT,
            )
            put(team, f"{R1}/seals/{voter}.yaml", seal, "seal", voter)
        commit(team)
        for voter, vote in votes.items():
            put(team, f"{R1}/votes/{voter}.yaml", vote, "vote", voter)
        commit(team)

    return act


def cite(**entry: Any) -> Callable[[Team], None]:
    return cast(evidence=(SOURCE, UsedEvidence(**entry)))


def cite_a_withheld_claim(team: Team) -> None:
    round_ = latest(team)
    packet = digest_shown(round_.ballot, round_.proposal, ())
    used = (SOURCE, UsedEvidence(id="summary"))
    cast(context=Context(packet=packet), evidence=used)(team)


def cite_other_bytes(team: Team) -> None:
    revision = team.repo.git("rev-parse", "HEAD")
    digest = digest_bytes(FixedKey("stranger").line.encode())
    cite(artifact="source.txt", revision=revision, digest=digest)(team)


EVIDENCE: dict[str, Attack] = {
    "a vote that cites a file of somebody's machine": Attack(
        "an open round", cite(artifact="/home/alice/x"), "path-invalid"
    ),
    "a vote that cites a file with its line numbers": Attack(
        "an open round", cite(artifact="source.txt:1-2"), "path-invalid"
    ),
    "a vote that cites a file that is nowhere": Attack(
        "an open round", cite(artifact="src/lost.py"), "evidence-missing"
    ),
    "a vote that cites lines after the end of a file": Attack(
        "an open round", cite(id="source", lines="900-990"), "evidence-missing"
    ),
    "a vote that cites other bytes than a commit has": Attack(
        "an open round", cite_other_bytes, "evidence-digest-mismatch"
    ),
    "a vote that calls its evidence traced": Attack(
        "an open round", cite(id="source", source="trace"), "trace-unproven"
    ),
    "a vote upon a packet that nobody was given": Attack(
        "an open round",
        cast(context=Context(packet=f"sha256:{'0' * 64}")),
        "packet-mismatch",
    ),
    "a vote that cites a claim which its packet withheld": Attack(
        "an open round with a claim", cite_a_withheld_claim, "claim-not-shown"
    ),
}
