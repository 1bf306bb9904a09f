"""`resolve` and `revise`: objections are answered, and the next round is drafted (section 7)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.drafts import DraftFile
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_bytes, sign_record
from accord.flow.session import Session
from accord.model.paths import path_of
from accord.model.resolution import ObjectionAnswer, Resolution
from accord.rules.counting import CountedRound
from accord.signing.base import Signer
from accord.store.parse import parse_draft
from accord.store.schema import schema_for
from accord.store.writer import dump_draft

# What a refinement does about a rejection of this category.
REMEDIES: dict[str, str] = {
    "YAGNI": "remove what is speculative",
    "DRY_VIOLATION": "reuse what exists, or show a third use",
    "OVER_ENGINEERING": "simplify",
    "SCOPE_CREEP": "narrow to the objective",
    "SECURITY_RISK": "remove or mitigate, and name the check",
    "MISALIGNED": "tie it to a goal, or drop it",
    "INSUFFICIENT_EVIDENCE": "add primary evidence",
}
OWN_REMEDY = "answer it by the project's own rule for this category"
ABSTENTION_REMEDY = "give the voter what it lacked"


def find_failed_round(session: Session, decision: str) -> CountedRound:
    """The round whose objections are to be answered. Raises UsageError when it has not failed."""
    return session.require("revise", decision).rounds[-1]


def sorted_objections(round_: CountedRound) -> list[tuple[str, str | None]]:
    """Every (voter, category) to be answered, in a steady order."""
    return sorted(round_.objections, key=lambda objection: (objection[0], objection[1] or ""))


def write_brief(round_: CountedRound) -> str:
    """The refinement brief: what was objected, by whom, and what to do about it."""
    lines = []
    for voter, category in sorted_objections(round_):
        vote = round_.votes.get(voter)
        said = vote.record.rationale if vote else None
        retraction = round_.retracted.get(voter)
        said = retraction.record.reason if retraction else said
        remedy = REMEDIES.get(category, OWN_REMEDY) if category else ABSTENTION_REMEDY
        lines.append(f"{voter}, {category or 'abstained'}: {remedy}.")
        if said:
            lines.append(f"  It said: {' '.join(said.split())}")
        if vote is not None and vote.record.alternative:
            lines.append(f"  It would have: {' '.join(vote.record.alternative.split())}")
    return "\n".join(lines)


def resolve(
    session: Session,
    decision: str,
    answers: Sequence[ObjectionAnswer] | DraftFile,
    authority: Signer,
    saving: Saving,
) -> Published:
    """Sign how each objection is answered, given as records or as a draft."""
    with alone(session, f"resolve {decision}") as here:
        return publish(here, _resolve(here, decision, answers, authority), saving)


def _resolve(
    session: Session,
    decision: str,
    answers: Sequence[ObjectionAnswer] | DraftFile,
    authority: Signer,
) -> Change:
    round_ = session.require("resolve", decision).rounds[-1]
    resolution = _read_resolution(session, round_, answers, authority)
    answered = {(answer.voter, answer.category) for answer in resolution.answers}
    open_ = [one for one in sorted_objections(round_) if one not in answered]
    if open_:
        listed = ", ".join(f"{voter} {category or '(abstained)'}" for voter, category in open_)
        raise UsageError(
            f"not every objection is answered: {listed}",
            "each is addressed (something changed) or rebutted (with the reason)",
        )
    path = path_of("resolution", decision, round_number=round_.number)
    files = sign_record(resolution, "resolution", path, authority)
    message = f"{decision}: answer the objections of round {round_.number}"
    return Change(decision, message, files)


def _read_resolution(
    session: Session,
    round_: CountedRound,
    answers: Sequence[ObjectionAnswer] | DraftFile,
    authority: Signer,
) -> Resolution:
    known: dict[str, object] = {
        "decision": round_.ballot.record.decision,
        "round": round_.number,
        "by": authority.member,
        "at": session.clock(),
        "ballot": round_.ballot.digest,
        "transcript": round_.transcript,
    }
    if isinstance(answers, DraftFile):
        record, findings = parse_draft(answers.data, answers.name, "resolution", known)
    else:
        known["answers"] = [msgspec.to_builtins(answer) for answer in answers]
        record, findings = parse_draft(b"{}", "resolution.yaml", "resolution", known)
    if not isinstance(record, Resolution):
        raise Refused("the resolution cannot be read", findings, "Mend the draft; nothing changed.")
    return record


def draft_next(session: Session, decision: str, proposer: Signer, saving: Saving) -> Published:
    """Draft the proposal of the next round, with the refinement brief above its text."""
    with alone(session, f"revise {decision}") as here:
        return publish(here, _draft_next(here, decision, proposer), saving)


def _draft_next(session: Session, decision: str, proposer: Signer) -> Change:
    round_ = find_failed_round(session, decision)
    number = round_.number + 1
    path = path_of("proposal", decision, round_number=number)
    if session.tree.find(path) is not None or (session.root / path).exists():
        raise UsageError(f"{path} is there already", "edit it, then open the round")
    proposal = msgspec.structs.replace(round_.proposal.record, round=number)
    comments = {"text": "What was objected, and what to do about it:\n" + write_brief(round_)}
    data = dump_draft(proposal, "proposal", comments, schema_for(path, "proposal"))
    files = sign_bytes(data, path, proposer)
    return Change(decision, f"{decision}: draft round {number}", files)
