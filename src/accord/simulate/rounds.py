"""The files of one round of a case. What makes votes complete is filled in."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

from accord.model.affirmation import COMMITMENT, Affirmation
from accord.model.ballot import PROTOCOL, Ballot, Participant, Previous, Rules
from accord.model.case import Case, CaseAffirmation, CaseRound, CaseVote
from accord.model.evidence import ManifestEntry
from accord.model.ids import digest_map
from accord.model.policy import DecisionClass, Seats
from accord.model.proposal import CheckPlan, Proposal, Waiver
from accord.model.resolution import (
    Adopted,
    Amendment,
    Close,
    Counted,
    ObjectionAnswer,
    Resolution,
)
from accord.model.snapshot import Authenticated, RoundFiles
from accord.model.vote import Assessment, Concern, Rated, Vote
from accord.rules.evidence import digest_manifest
from accord.rules.roster import fill_rules
from accord.simulate.files import (
    AT,
    DECIDER,
    DECISION,
    OPENER,
    PROPOSER,
    STALE,
    artifact_digest,
    file_of,
    inputs,
    used,
)

RATED = Rated(rating="adequate")


class BuiltRound(NamedTuple):
    """A round that was built, with the digests that later files bind to."""

    files: RoundFiles
    ballot: str
    transcript: str
    text_digest: str


def build_proposal(case: Case, number: int) -> Proposal:
    waiver = case.waiver
    if waiver is not None and waiver.kind == "path_independent" and waiver.check is None:
        named = case.checks[0].name if case.checks else None
        waiver = Waiver(kind=waiver.kind, check=named)
    return Proposal(
        decision=DECISION,
        round=number,
        title=case.title.splitlines()[0],
        class_="case",
        proposer=PROPOSER,
        context="(case)",
        text=f"(case, round {number})",
        evidence=tuple(
            ManifestEntry(
                id=entry.id,
                kind=entry.kind,
                artifact=entry.id,
                digest=artifact_digest(entry.id),
                summarizes=entry.summarizes,
                load_bearing=entry.load_bearing,
            )
            for entry in case.evidence
        ),
        reversibility=case.reversibility,
        checks=tuple(
            CheckPlan(name=check.name, argv=(check.name,), inputs=inputs(check))
            for check in case.checks
            if check.declared
        ),
        waiver=waiver,
    )


def _build_rules(case: Case, voters: Mapping[str, Participant]) -> Rules:
    return fill_rules(
        DecisionClass(
            rule=case.class_.rule,
            voters=Seats(min=len(voters), max=len(voters), eligible=tuple(case.voters)),
            ballots="open",
            max_rounds=case.class_.max_rounds,
            require=case.class_.require,
            waivers=case.class_.waivers,
            vias=case.class_.vias,
            independence=case.class_.independence,
        ),
        _find_own_categories(case),
    )


def _find_own_categories(case: Case) -> tuple[str, ...]:
    """A case has no policy: the project's own categories are those that it uses."""
    used = {
        category
        for round_ in case.rounds
        for vote in round_.votes.values()
        for category in vote.categories
        if category.startswith("X_")
    }
    return tuple(sorted(used))


def build_round(
    case: Case, round_: CaseRound, number: int, before: BuiltRound | None
) -> BuiltRound:
    voters = {
        name: seat
        for name, seat in case.voters.items()
        if not round_.voters or name in round_.voters
    }
    proposal = file_of("proposal", build_proposal(case, number), PROPOSER, round_number=number)
    ballot = _build_ballot(case, voters, proposal, before)
    votes = tuple(
        _build_vote(case, vote, name, ballot) for name, vote in sorted(round_.votes.items())
    )
    transcript = digest_map({vote.record.voter: vote.digest for vote in votes})
    amendment = _build_amendment(votes, transcript, ballot) if round_.amended else None
    files = RoundFiles(
        number=number, proposal=proposal, ballot=ballot, votes=votes, amendment=amendment
    )
    built = BuiltRound(
        files, ballot.digest, transcript, amendment.digest if amendment else proposal.digest
    )
    affirmations = tuple(
        _build_affirmation(case, affirmation, name, built)
        for name, affirmation in sorted(round_.affirmations.items())
    )
    return built._replace(
        files=dataclasses.replace(
            files,
            affirmations=affirmations,
            close=_build_close(built, affirmations, voters) if round_.closed else None,
            resolution=_build_resolution(round_, built),
        )
    )


def _build_ballot(
    case: Case,
    voters: dict[str, Participant],
    proposal: Authenticated[Proposal],
    before: BuiltRound | None,
) -> Authenticated[Ballot]:
    number = proposal.record.round
    ballot = Ballot(
        project="0" * 32,
        protocol=PROTOCOL,
        decision=DECISION,
        round=number,
        opened_by=OPENER,
        opened_at=AT,
        proposal=proposal.digest,
        class_=proposal.record.class_,
        rules=_build_rules(case, voters),
        voters=voters,
        officers={
            OPENER: Participant(kind="agent", roles=("authority",)),
            DECIDER: Participant(kind="human", roles=("decider",)),
        },
        evidence_set=digest_manifest(proposal.record.evidence),
        waiver=proposal.record.waiver,
        previous=_build_previous(before),
    )
    return file_of("round", ballot, OPENER, round_number=number)


def _build_previous(before: BuiltRound | None) -> Previous | None:
    if before is None:
        return None
    files = before.files
    standing = [
        file
        for file in files.affirmations
        if file.record.stance == "retract"
        or (file.record.transcript, file.record.text_digest)
        == (before.transcript, before.text_digest)
    ]
    return Previous(
        ballot=before.ballot,
        votes={vote.record.voter: vote.digest for vote in files.votes},
        affirmations={f"{file.record.voter}.1": file.digest for file in standing},
        close=files.close.digest if files.close else None,
        resolution=files.resolution.digest if files.resolution else None,
    )


def _build_vote(
    case: Case, vote: CaseVote, voter: str, ballot: Authenticated[Ballot]
) -> Authenticated[Vote]:
    number = ballot.record.round
    record = Vote(
        decision=DECISION,
        round=number,
        voter=voter,
        ballot=ballot.digest,
        vote=vote.vote,
        severity=vote.severity,
        categories=vote.categories,
        rationale="(case)",
        concerns=(Concern(text="(case)"),),
        alternative="(case)" if vote.vote == "disagree" else None,
        assessment=Assessment(
            testability=RATED, workflow_integration=RATED, incremental_verifiability=RATED
        ),
        evidence=used(case, vote.evidence),
        lineage=vote.lineage,
        cast_at=AT,
    )
    return file_of("vote", record, voter, round_number=number, name=voter)


def _build_amendment(
    votes: tuple[Authenticated[Vote], ...], transcript: str, ballot: Authenticated[Ballot]
) -> Authenticated[Amendment]:
    record = Amendment(
        decision=DECISION,
        round=ballot.record.round,
        by=OPENER,
        at=AT,
        ballot=ballot.digest,
        transcript=transcript,
        amendments=tuple(
            Adopted(voter=vote.record.voter, vote=vote.digest, alternative=vote.record.alternative)
            for vote in votes
            if vote.record.alternative is not None
        ),
        text="(case, amended)",
    )
    return file_of("amendment", record, OPENER, round_number=ballot.record.round)


def _build_affirmation(
    case: Case, affirmation: CaseAffirmation, voter: str, round_: BuiltRound
) -> Authenticated[Affirmation]:
    retracts = affirmation.stance == "retract"
    record = Affirmation(
        decision=DECISION,
        round=round_.files.number,
        voter=voter,
        ballot=round_.ballot,
        transcript=STALE if affirmation.transcript == "stale" else round_.transcript,
        text_digest=STALE if affirmation.text == "stale" else round_.text_digest,
        stance=affirmation.stance,
        reason="(case)",
        categories=("INSUFFICIENT_EVIDENCE",) if retracts else (),
        severity="major" if retracts else None,
        evidence=used(case, affirmation.evidence),
        asymmetry_acknowledged=affirmation.asymmetry_acknowledged,
        commitment=None if retracts else COMMITMENT,
        affirmed_at=AT,
    )
    return file_of(
        "affirmation", record, voter, round_number=round_.files.number, name=voter, number=1
    )


def _build_close(
    round_: BuiltRound,
    affirmations: tuple[Authenticated[Affirmation], ...],
    voters: Mapping[str, Participant],
) -> Authenticated[Close]:
    votes = {vote.record.voter: vote.digest for vote in round_.files.votes}
    record = Close(
        decision=DECISION,
        round=round_.files.number,
        by=OPENER,
        at=AT,
        ballot=round_.ballot,
        reason="(case)",
        counted=Counted(
            votes=votes,
            affirmations={f"{file.record.voter}.1": file.digest for file in affirmations},
        ),
        missing=tuple(sorted(voters.keys() - votes.keys())),
    )
    return file_of("close", record, OPENER, round_number=round_.files.number)


def _build_resolution(round_: CaseRound, built: BuiltRound) -> Authenticated[Resolution] | None:
    if round_.resolution is None:
        return None
    record = Resolution(
        decision=DECISION,
        round=built.files.number,
        by=OPENER,
        at=AT,
        ballot=built.ballot,
        transcript=built.transcript,
        answers=tuple(
            ObjectionAnswer(
                voter=answer.voter,
                category=answer.category,
                disposition=answer.disposition,
                note="(case)",
            )
            for answer in round_.resolution.answers
        ),
    )
    return file_of("resolution", record, OPENER, round_number=built.files.number)
