"""Agreement and evidence consensus: the first two robustness gates (section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.model.evaluation import Gate, Lack
from accord.rules.counting import CountedRound
from accord.rules.evidence import (
    Manifest,
    Use,
    find_uses,
    find_vote_uses,
    mark_manifest,
    primaries,
    read_manifest,
)
from accord.rules.tally import fault_tolerance


@dataclass(frozen=True, slots=True)
class RoundEvidence:
    """What the voters of a round stand on: by their votes alone, and with what they read since."""

    manifest: Manifest
    voted: Mapping[str, frozenset[Use]]
    affirmed: Mapping[str, frozenset[Use]]


def read_evidence(round_: CountedRound) -> RoundEvidence:
    """The evidence of a round, with the marks of its voters taken in."""
    rules = round_.ballot.record.rules
    votes = {voter: vote.record for voter, vote in round_.votes.items()}
    # One voter's mark holds; in a quorum f voters may be wrong, so it takes f+1.
    tolerance = fault_tolerance(rules, len(round_.roster)) if rules.rule == "bft_quorum" else 0
    manifest = mark_manifest(
        read_manifest(round_.proposal.record.evidence), votes.values(), tolerance + 1
    )
    voted = {voter: find_vote_uses(manifest, vote) for voter, vote in votes.items()}
    return RoundEvidence(
        manifest=manifest,
        voted=voted,
        affirmed={
            voter: uses | find_uses(manifest, round_.affirmed[voter].record.evidence)
            if voter in round_.affirmed
            else uses
            for voter, uses in voted.items()
        },
    )


def judge_agreement(round_: CountedRound) -> Gate:
    """Unanimity or quorum: enough of the roster assents. No votes is never unanimity."""
    rules = round_.ballot.record.rules
    roster = len(round_.roster)
    assenting = len(round_.assenting)
    quorum = rules.rule == "bft_quorum"
    needed = 2 * fault_tolerance(rules, roster) + 1 if quorum else max(roster, 1)
    return Gate(
        gate="agreement",
        result="passed" if assenting >= needed else "failed",
        verdict=None if assenting >= needed else "NO_QUORUM" if quorum else "NOT_UNANIMOUS",
        detail=f"{assenting} of {roster} voters assent, {needed} are needed",
        lacks=tuple(
            Lack(who=voter, what=(_why_not(round_, voter),))
            for voter in round_.roster
            if voter not in round_.assenting
        ),
    )


def _why_not(round_: CountedRound, voter: str) -> str:
    cast = round_.cast[voter]
    if cast in ("agree", "minor") and round_.amendment is not None:
        return "the amended text is not affirmed"
    if cast == "minor" and round_.voted == "approved_with_amendments":
        return "objects to the text as it is (minor)"
    if cast in ("minor", "major"):
        return f"{cast} objection"
    if cast in ("pending", "missing"):
        return "has sealed and not opened" if voter in round_.seals else "has not voted"
    return {"abstain": "abstains", "retracted": "took the vote back"}.get(cast, cast)


def judge_consensus(round_: CountedRound, evidence: RoundEvidence) -> Gate:
    """Every voter has read the primary evidence of all votes, when voting or before affirming.

    What an affirmation brings beyond that enlarges nothing.
    """
    if not round_.ballot.record.rules.require.evidence_consensus:
        return Gate(
            gate="evidence_consensus",
            result="not_required",
            detail="the class does not ask for it",
        )
    everything = frozenset().union(*(primaries(uses) for uses in evidence.voted.values()))
    lacks = tuple(
        Lack(who=voter, what=tuple(sorted(evidence.manifest.name_of(key) for key in unread)))
        for voter in round_.roster
        if (unread := everything - primaries(evidence.affirmed.get(voter, frozenset())))
        or voter not in round_.votes
    )
    return Gate(
        gate="evidence_consensus",
        result="failed" if lacks else "passed",
        verdict="EVIDENCE_ASYMMETRY" if lacks else None,
        detail=f"{len(round_.roster) - len(lacks)} of {len(round_.roster)} voters declare having"
        f" read {_count_artifacts(len(everything))} that the votes stand on",
        lacks=lacks,
    )


def _count_artifacts(number: int) -> str:
    return "the one primary artifact" if number == 1 else f"all {number} primary artifacts"


def find_asymmetry_acknowledged(round_: CountedRound) -> tuple[str, ...]:
    """Who signed that the asymmetry of evidence is known."""
    return tuple(
        voter
        for voter in round_.roster
        if voter in round_.affirmed and round_.affirmed[voter].record.asymmetry_acknowledged
    )


def all_acknowledged(round_: CountedRound) -> bool:
    """Whether every voter signed that the asymmetry is known. An empty roster never did."""
    return bool(round_.roster) and len(find_asymmetry_acknowledged(round_)) == len(round_.roster)
