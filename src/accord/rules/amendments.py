"""Minor objections, taken in word for word (section 4)."""

from __future__ import annotations

from collections.abc import Mapping

from accord.model.ballot import Ballot
from accord.model.evaluation import Outcome
from accord.model.finding import Finding
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment
from accord.model.snapshot import Authenticated
from accord.model.vote import Vote
from accord.rules.binding import check_bindings, check_officer, check_place


def check_amendment(
    amendment: Authenticated[Amendment] | None,
    ballot: Authenticated[Ballot],
    proposal: Authenticated[Proposal],
    votes: Mapping[str, Authenticated[Vote]],
    transcript: str,
    outcome: Outcome,
) -> tuple[Authenticated[Amendment] | None, tuple[Finding, ...]]:
    """The amendment if it counts, and what is wrong with it.

    It counts when an authority took in every minor objection of this transcript, byte for
    byte, and there is nothing but minor objections to take in.
    """
    if amendment is None:
        return None, ()
    findings = [
        *check_place(amendment),
        *check_officer(amendment, ballot.record, "authority", "amendment"),
        *check_bindings(
            amendment, {"ballot": ballot.digest, "transcript": transcript}, "stale-file"
        ),
    ]
    if findings:
        return None, tuple(findings)
    if outcome != "approved_with_amendments":
        return None, (
            Finding(
                code="amendment-unfounded",
                path=amendment.path,
                message=f"the votes give {outcome}: there is no minor objection to take in",
                hint="Remove the amendment; a changed text needs a new round.",
            ),
        )
    findings += _compare_alternatives(amendment, votes)
    findings += _compare_enacted(amendment, proposal)
    return (None if findings else amendment), tuple(findings)


def _compare_alternatives(
    amendment: Authenticated[Amendment], votes: Mapping[str, Authenticated[Vote]]
) -> list[Finding]:
    minor = {voter: vote for voter, vote in votes.items() if vote.record.vote == "disagree"}
    adopted = {entry.voter: entry for entry in amendment.record.amendments}
    findings = []
    for position, entry in enumerate(amendment.record.amendments):
        vote = minor.get(entry.voter)
        if vote and (entry.vote, entry.alternative) == (vote.digest, vote.record.alternative):
            continue
        findings.append(
            _differs(
                amendment,
                f"amendments[{position}]",
                f"this is not the alternative of {entry.voter}'s vote, byte for byte",
            )
        )
    findings += [
        _differs(amendment, "amendments", f"the minor objection of {voter} is not taken in")
        for voter in sorted(minor.keys() - adopted.keys())
    ]
    return findings


def _compare_enacted(
    amendment: Authenticated[Amendment], proposal: Authenticated[Proposal]
) -> list[Finding]:
    before = {entry.path for entry in proposal.record.enacts}
    after = {entry.path for entry in amendment.record.enacts}
    if before == after:
        return []
    return [
        _differs(
            amendment,
            "enacts",
            "the amendment restates `enacts` for the same paths as the proposal, and does not here",
        )
    ]


def _differs(amendment: Authenticated[Amendment], field: str, sentence: str) -> Finding:
    return Finding(
        code="amendment-differs",
        path=amendment.path,
        field=field,
        message=sentence,
        hint="Write it with accord amend, which takes the alternatives over verbatim.",
    )
