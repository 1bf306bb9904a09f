"""`affirm`: having read everybody, each voter says that the answer stands, or retracts (3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.cast import Answer, check_listed
from accord.flow.finds import check_cited, pin_finds
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.affirmation import Affirmation
from accord.model.finding import Finding
from accord.model.ids import digest_map
from accord.model.paths import next_file_number, path_of
from accord.rules.completeness import check_affirmation
from accord.rules.counting import CountedRound
from accord.store.parse import parse_draft
from accord.store.places import place_finding
from accord.store.state import Slot

_BOUND = ("decision", "round", "voter", "ballot", "transcript", "text_digest", "seals")


def find_affirmable_round(
    session: Session, decision: str, stance: Literal["affirm", "retract"] = "retract"
) -> CountedRound:
    """The round whose votes are open. Raises UsageError when it takes no such answer.

    A vote can be taken back where an affirmation would come too late or too early.
    """
    return session.require(stance, decision).rounds[-1]


def affirm_votes(
    session: Session, decision: str, answers: Sequence[Answer], saving: Saving
) -> Published:
    """Write affirmations and retractions: all are judged first, all or none are written."""
    with alone(session, f"affirm {decision}") as here:
        return publish(here, _affirm(here, decision, answers), saving)


def _affirm(session: Session, decision: str, answers: Sequence[Answer]) -> Change:
    round_ = find_affirmable_round(session, decision)
    findings: list[Finding] = []
    files: dict[str, bytes] = {}
    stances: set[str] = set()
    for answer in answers:
        voter = answer.signer.member
        if voter not in round_.ballot.record.voters:
            raise UsageError(
                f"{voter} is not on the roster of round {round_.number}",
                f"the voters are {', '.join(round_.roster)}",
            )
        affirmation, faults = _read_affirmation(session, round_, answer)
        stances.add(affirmation.stance if affirmation is not None else "")
        findings += faults
        if affirmation is not None and not faults:
            taken = (file.path for file in round_.files.affirmations)
            path = path_of(
                "affirmation",
                decision,
                round_number=round_.number,
                name=voter,
                number=next_file_number(taken, voter),
            )
            files |= sign_record(affirmation, "affirmation", path, answer.signer)
    if "affirm" in stances:
        session.require("affirm", decision)
    if findings:
        raise Refused(
            "nothing was affirmed: an affirmation must be complete and of this transcript",
            findings,
            "Mend the files named above; no affirmation of this command was written.",
        )
    voters = ", ".join(answer.signer.member for answer in answers)
    return Change(decision, f"{decision}: affirmed by {voters}", files)


def _read_affirmation(
    session: Session, round_: CountedRound, answer: Answer
) -> tuple[Affirmation | None, list[Finding]]:
    ballot = round_.ballot
    voter = answer.signer.member
    known: dict[str, object] = {
        "decision": ballot.record.decision,
        "round": round_.number,
        "voter": voter,
        "ballot": ballot.digest,
        "transcript": round_.transcript,
        "text_digest": round_.text_digest,
        "seals": _seen_seals(session, round_, voter),
        "affirmed_at": session.clock(),
    }
    record, faults = parse_draft(answer.draft.data, answer.draft.name, "affirmation", known)
    if not isinstance(record, Affirmation):
        return None, list(faults)
    findings = [
        *faults,
        *check_affirmation(record, ballot.record, round_.proposal.record, answer.draft.name),
        *check_listed(round_, record.evidence, answer.draft.name),
    ]
    findings += [
        Finding(
            code="stale-file" if field in ("transcript", "text_digest") else "ballot-mismatch",
            path=answer.draft.name,
            field=field,
            message=f"{field} is not that of what is to be affirmed now",
            hint="It was written about something else: read the packet of now, and answer that.",
        )
        for field in _BOUND
        if getattr(record, field) != known[field]
    ]
    pinned = msgspec.structs.replace(record, evidence=pin_finds(session, record.evidence))
    findings += check_cited(session, round_, pinned.evidence, answer.draft.name)
    return pinned, [place_finding(finding, answer.draft.data) for finding in findings]


def _seen_seals(session: Session, round_: CountedRound, voter: str) -> str | None:
    """The seals as this voter saw them before its own vote was opened."""
    if round_.ballot.record.rules.ballots != "sealed":
        return None
    slot = Slot(round_.ballot.record.decision, round_.number, voter)
    seen = session.state.find_seals(slot)
    # Opened elsewhere: votes are opened only when all seals are in, so these are the ones.
    return digest_map(seen or {name: seal.digest for name, seal in round_.seals.items()})
