"""Which affirmations of a round count: of exactly this transcript and text (section 4).

A retraction by a voter of the round is never late and never stale.
"""

from __future__ import annotations

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.finding import Finding
from accord.model.paths import find_location
from accord.model.proposal import Proposal
from accord.model.resolution import Close
from accord.model.snapshot import Authenticated, RoundFiles
from accord.rules.binding import check_bindings, check_late, check_voter
from accord.rules.completeness import check_affirmation


def ends_voting_only(close: Authenticated[Close]) -> bool:
    """Whether a close came before all votes were open: what follows from them can still come."""
    counted = close.record.counted
    return bool(counted.seals.keys() - counted.votes.keys())


def count_affirmations(
    files: RoundFiles,
    ballot: Authenticated[Ballot],
    proposal: Authenticated[Proposal],
    close: Authenticated[Close] | None,
    transcript: str,
    text_digest: str,
) -> tuple[
    dict[str, Authenticated[Affirmation]],
    dict[str, Authenticated[Affirmation]],
    list[Authenticated[Affirmation]],
    tuple[Finding, ...],
]:
    """The last counted answer of each voter, all that count, and what is wrong with the rest."""
    last: dict[str, Authenticated[Affirmation]] = {}
    standing: list[Authenticated[Affirmation]] = []
    stale: list[tuple[str, tuple[Finding, ...]]] = []
    findings: list[Finding] = []
    for file in sorted(files.affirmations, key=_number):
        faults = (
            *check_voter(file, ballot),
            *check_affirmation(file.record, ballot.record, proposal.record, file.path),
        )
        if faults:
            findings += faults
            continue
        if file.record.stance == "affirm":
            faults = check_bindings(
                file, {"transcript": transcript, "text_digest": text_digest}, "stale-file"
            )
            if not faults and close is not None and not ends_voting_only(close):
                faults = check_late(file, close.record.counted.affirmations.get(stem(file)))
            if faults:
                stale.append((file.signer, faults))
                continue
        last[file.signer] = file
        standing.append(file)
    # Who has answered the final text is not told about answers to an earlier one.
    findings += [fault for voter, faults in stale if voter not in last for fault in faults]
    affirmed = {voter: file for voter, file in last.items() if file.record.stance == "affirm"}
    retracted = {voter: file for voter, file in last.items() if file.record.stance == "retract"}
    return affirmed, retracted, standing, tuple(findings)


def _number(file: Authenticated[Affirmation]) -> tuple[str, int]:
    location = find_location(file.path)
    return file.signer, location.number if location else 0


def stem(file: Authenticated[Affirmation]) -> str:
    """`<voter>.<n>`, as close.yaml and `previous` name an affirmation."""
    voter, number = _number(file)
    return f"{voter}.{number}"
