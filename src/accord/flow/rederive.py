"""`rederive`: a member who took no part looks again, from primary evidence alone (section 7)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.cast import Answer, check_listed
from accord.flow.finds import check_cited, pin_finds
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.escalation import Rederivation
from accord.model.finding import Finding
from accord.model.paths import path_of
from accord.rules.citations import check_citations
from accord.rules.counting import CountedRound
from accord.rules.rederivations import find_parts
from accord.store.parse import parse_draft
from accord.store.places import place_finding

_BOUND = ("decision", "round", "by", "ballot", "text_digest")


def find_voted_round(session: Session, decision: str) -> tuple[CountedRound, ...]:
    """The rounds, when a second look at the latest can count. Raises UsageError when not."""
    return session.require("rederive", decision).rounds


def rederive(
    session: Session, decision: str, answers: Sequence[Answer], saving: Saving
) -> Published:
    """Write second looks: all are judged first, all or none are written.

    Raises UsageError when a member took part, Refused with the faults of all of them.
    """
    with alone(session, f"rederive {decision}") as here:
        return publish(here, _rederive(here, decision, answers), saving)


def _rederive(session: Session, decision: str, answers: Sequence[Answer]) -> Change:
    rounds = find_voted_round(session, decision)
    findings: list[Finding] = []
    files: dict[str, bytes] = {}
    for answer in answers:
        member = answer.signer.member
        for part in find_parts(rounds, member):
            raise UsageError(
                f"{member} {part}, so {member} has no fresh look at it",
                "ask a member who took no part",
            )
        look, faults = _read(session, rounds[-1], answer)
        findings += faults
        if look is not None and not faults:
            path = path_of("rederivation", decision, name=member)
            files |= sign_record(look, "rederivation", path, answer.signer)
    if findings:
        raise Refused(
            "nothing was written: a second look must be complete, and of this text",
            findings,
            "Mend the files named above; nothing of this command was written.",
        )
    members = ", ".join(answer.signer.member for answer in answers)
    return Change(decision, f"{decision}: looked at again by {members}", files)


def _read(
    session: Session, round_: CountedRound, answer: Answer
) -> tuple[Rederivation | None, list[Finding]]:
    known: dict[str, object] = {
        "decision": round_.ballot.record.decision,
        "round": round_.number,
        "by": answer.signer.member,
        "at": session.clock(),
        "ballot": round_.ballot.digest,
        "text_digest": round_.text_digest,
    }
    draft = answer.draft
    record, faults = parse_draft(draft.data, draft.name, "rederivation", known)
    if not isinstance(record, Rederivation):
        return None, list(faults)
    findings = [
        *faults,
        *check_listed(round_, record.evidence, draft.name),
        *check_citations(record.evidence, draft.name),
        *(
            Finding(
                code="stale-file",
                path=draft.name,
                field=field,
                message=f"{field} is not that of what is to be looked at now",
                hint="It was written about something else: read the packet of now.",
            )
            for field in _BOUND
            if getattr(record, field) != known[field]
        ),
    ]
    if not record.rationale.strip():
        findings.append(
            Finding(
                code="schema-invalid",
                path=draft.name,
                field="rationale",
                message="the rationale is empty",
                hint="Say what was looked at, and what follows from it.",
            )
        )
    pinned = msgspec.structs.replace(record, evidence=pin_finds(session, record.evidence))
    findings += check_cited(session, round_, pinned.evidence, draft.name)
    return pinned, [place_finding(finding, draft.data) for finding in findings]
