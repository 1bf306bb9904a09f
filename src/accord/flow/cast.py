"""`vote`: one answer or many, judged first, sealed or shown (sections 3.5 and 4)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.drafts import DraftFile
from accord.flow.finds import check_cited, pin_finds
from accord.flow.publish import (
    Change,
    Once,
    Published,
    Saving,
    alone,
    publish,
    sign_bytes,
    sign_record,
)
from accord.flow.secrets import refuse_secrets
from accord.flow.session import Session
from accord.model.evidence import UsedEvidence
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.paths import path_of
from accord.model.vote import Seal, Vote
from accord.rules.completeness import check_vote
from accord.rules.counting import CountedRound
from accord.rules.evidence import find_ungrounded, find_unknown, read_manifest
from accord.signing.base import Signer
from accord.store.parse import parse_draft
from accord.store.places import place_finding
from accord.store.state import Slot
from accord.store.writer import dump


@dataclass(frozen=True, slots=True)
class Answer:
    """The draft of a vote, and who casts it."""

    signer: Signer
    draft: DraftFile


def find_open_round(session: Session, decision: str) -> CountedRound:
    """The round that takes votes. Raises UsageError when there is none."""
    return session.require("vote", decision).rounds[-1]


@dataclass(frozen=True, slots=True)
class Cast:
    """What was written, and who agrees and lists none of what the decision rests on.

    That is allowed, and makes the agreement worth less: the counts of independence leave it out,
    and everybody else's evidence has to be read later.
    """

    published: Published
    ungrounded: tuple[str, ...]


def cast_votes(session: Session, decision: str, answers: Sequence[Answer], saving: Saving) -> Cast:
    """Cast votes: all are judged first, and nothing is written unless all hold.

    Raises Refused with the faults of all of them.
    """
    with alone(session, f"vote on {decision}") as here:
        round_ = find_open_round(here, decision)
        for answer in answers:
            _require_turn(round_, answer.signer.member)
        votes = _read_votes(here, round_, answers)
        allowed = _refuse_secrets(here, votes, saving)
        change = replace(_cast(here, round_, answers, votes), allowed=allowed)
        published = publish(here, change, saving)
        manifest = read_manifest(round_.proposal.record.evidence)
        return Cast(published, find_ungrounded(manifest, votes))


def _refuse_secrets(session: Session, votes: Sequence[Vote], saving: Saving) -> tuple[str, ...]:
    """A vote is looked at before it is sealed: opened, it is what was sealed."""
    files = {
        path_of("vote", vote.decision, round_number=vote.round, name=vote.voter): dump(vote, "vote")
        for vote in votes
    }
    return refuse_secrets(files, saving.allowed, session.base)


def _cast(
    session: Session, round_: CountedRound, answers: Sequence[Answer], votes: Sequence[Vote]
) -> Change:
    """Seals, where votes are sealed: the votes themselves stay here. Else the votes."""
    decision = round_.ballot.record.decision
    sealed = round_.ballot.record.rules.ballots == "sealed"
    kind: Literal["seal", "vote"] = "seal" if sealed else "vote"
    files: dict[str, bytes] = {}
    once = []
    for answer, vote in zip(answers, votes, strict=True):
        member = answer.signer.member
        data = dump(vote, "vote")
        slot = Slot(decision, round_.number, member)
        once.append(Once(kind, slot, digest_bytes(data)))
        path = path_of(kind, decision, round_number=round_.number, name=member)
        if sealed:
            session.state.keep_vote(slot, data)
            seal = _seal(vote, digest_bytes(data), session.clock())
            files |= sign_record(seal, "seal", path, answer.signer)
        else:
            files |= sign_bytes(data, path, answer.signer)
    voters = ", ".join(answer.signer.member for answer in answers)
    verb = "seal the vote of" if sealed else "vote of"
    return Change(decision, f"{decision}: {verb} {voters}", files, tuple(once))


def _require_turn(round_: CountedRound, voter: str) -> None:
    if voter not in round_.ballot.record.voters:
        raise UsageError(
            f"{voter} is not on the roster of round {round_.number}",
            f"the voters are {', '.join(round_.roster)}",
        )
    if voter in round_.votes or voter in round_.seals:
        raise UsageError(
            f"{voter} has voted in round {round_.number} already",
            "a vote is not changed; after all are open, affirm it or retract it. Of a directory,"
            f" move the draft of {voter} away and hand in the others",
        )


def _read_votes(
    session: Session, round_: CountedRound, answers: Sequence[Answer]
) -> tuple[Vote, ...]:
    findings: list[Finding] = []
    votes: list[Vote] = []
    ballot = round_.ballot
    for answer in answers:
        known = {
            "decision": ballot.record.decision,
            "round": round_.number,
            "voter": answer.signer.member,
            "ballot": ballot.digest,
            "nonce": secrets.token_hex(32) if ballot.record.rules.ballots == "sealed" else None,
            "cast_at": session.clock(),
        }
        draft = answer.draft
        vote, faults = parse_draft(draft.data, draft.name, "vote", known)
        findings += faults
        if isinstance(vote, Vote):
            faults = (
                *check_vote(vote, ballot, round_.proposal, draft.name),
                *check_listed(round_, vote.evidence, draft.name),
                *_check_known(vote, known, draft.name),
            )
            used = pin_finds(session, vote.evidence)
            faults += check_cited(session, round_, used, draft.name)
            findings += [place_finding(fault, draft.data) for fault in faults]
            votes.append(msgspec.structs.replace(vote, evidence=used))
    if findings:
        raise Refused(
            "nothing was cast: a vote must be complete and of this ballot",
            findings,
            "Mend the files named above; no vote of this command was written.",
        )
    return tuple(votes)


def _check_known(vote: Vote, known: dict[str, object], path: str) -> list[Finding]:
    return [
        Finding(
            code="ballot-mismatch",
            path=path,
            field=field,
            message=f"{field} is {getattr(vote, field)!r}, and this ballot has {known[field]!r}",
            hint="It was written about something else: read this packet, and answer that.",
        )
        for field in ("decision", "round", "voter", "ballot")
        if getattr(vote, field) != known[field]
    ]


def check_listed(
    round_: CountedRound, evidence: tuple[UsedEvidence, ...], path: str
) -> list[Finding]:
    """Evidence that is named by an id that the manifest does not have."""
    manifest = read_manifest(round_.proposal.record.evidence)
    listed = ", ".join(sorted(manifest.entries)) or "nothing"
    return [
        Finding(
            code="evidence-missing",
            path=path,
            field=f"evidence[{position}]",
            message=f"the manifest has no entry {evidence[position].id}, or another digest for it",
            hint=f"It lists {listed}; name your own find by its path (artifact: PATH).",
        )
        for position in find_unknown(manifest, evidence)
    ]


def _seal(vote: Vote, digest: str, at: str) -> Seal:
    return Seal(
        decision=vote.decision,
        round=vote.round,
        voter=vote.voter,
        ballot=vote.ballot,
        vote=digest,
        at=at,
    )


def describe_progress(round_: CountedRound) -> str:
    """`sealed 2 of 3`, `opened 3 of 3`, `voted 1 of 3`."""
    total = len(round_.roster)
    if round_.ballot.record.rules.ballots == "open":
        return f"voted {len(round_.votes)} of {total}"
    if round_.votes:
        return f"opened {len(round_.votes)} of {total}"
    return f"sealed {len(round_.seals)} of {total}"
