"""Agreement and evidence consensus: the first two robustness gates (section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.model.evaluation import Gate, Lack, Verdict
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
from accord.rules.gates import grade, skip_gate
from accord.rules.tally import fault_tolerance


@dataclass(frozen=True, slots=True)
class Reading:
    """What the voters of a round stand on: by their votes alone, and with what they read since."""

    manifest: Manifest
    voted: Mapping[str, frozenset[Use]]
    affirmed: Mapping[str, frozenset[Use]]

    def find_unread(self, voter: str) -> frozenset[str]:
        """What a voter has not read of all that everybody must have read."""
        return find_common(self) - primaries(self.affirmed.get(voter, frozenset()))


@dataclass(frozen=True, slots=True)
class RoundEvidence(Reading):
    """The evidence with the marks of voters taken in. `plain` is without: marks only tighten."""

    plain: Reading


def read_evidence(round_: CountedRound) -> RoundEvidence:
    """The evidence of a round, with the marks of its voters taken in."""
    rules = round_.ballot.record.rules
    votes = {voter: vote.record for voter, vote in round_.votes.items()}
    # One voter's mark holds; in a quorum f voters may be wrong, so it takes f+1.
    tolerance = fault_tolerance(rules, len(round_.roster)) if rules.rule == "bft_quorum" else 0
    plain = read_manifest(round_.proposal.record.evidence)
    marked = _read(round_, mark_manifest(plain, votes.values(), tolerance + 1))
    return RoundEvidence(marked.manifest, marked.voted, marked.affirmed, _read(round_, plain))


def _read(round_: CountedRound, manifest: Manifest) -> Reading:
    voted = {voter: find_vote_uses(manifest, vote.record) for voter, vote in round_.votes.items()}
    return Reading(
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
    fault: Verdict = "NO_QUORUM" if quorum else "NOT_UNANIMOUS"
    verdict = None if assenting >= needed else fault
    return Gate(
        gate="agreement",
        result=grade(round_, verdict),
        verdict=verdict,
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
        return skip_gate("evidence_consensus")
    everything = find_common(evidence)
    lacks = tuple(
        Lack(who=voter, what=tuple(sorted(evidence.manifest.name_of(key) for key in unread)))
        for voter in round_.roster
        if (unread := evidence.find_unread(voter) | evidence.plain.find_unread(voter))
        or (everything and voter not in round_.votes)
    )
    if not everything and not lacks:
        return Gate(
            gate="evidence_consensus",
            result="not_measured",
            detail="neither the proposal nor any vote names primary evidence",
        )
    verdict: Verdict | None = "EVIDENCE_ASYMMETRY" if lacks else None
    return Gate(
        gate="evidence_consensus",
        result=grade(round_, verdict),
        verdict=verdict,
        detail=f"{len(round_.roster) - len(lacks)} of {len(round_.roster)} voters declare having"
        f" read {_count_artifacts(len(everything))} that the votes stand on",
        lacks=lacks,
    )


def find_common(reading: Reading) -> frozenset[str]:
    """What everybody must have read: the primary evidence of all votes.

    Where no vote cites any, it is what the proposal rests on, else all that the proposal lists.
    """
    cited = frozenset().union(*(primaries(uses) for uses in reading.voted.values()))
    listed = reading.manifest.primaries
    return cited or listed & reading.manifest.load_bearing or listed


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
