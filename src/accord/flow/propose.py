"""`propose`: a draft, and the evidence that it stands on (sections 3.3 and 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made_of

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.change import read_changes
from accord.flow.drafts import UNWRITTEN, DraftFile
from accord.flow.evidence import (
    copy_evidence,
    find_own_evidence,
    gather_diffs,
    gather_output,
)
from accord.flow.evidence_size import Agree, no_doubt, weigh_evidence
from accord.flow.open_round import Draft, load_draft, next_number
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_bytes
from accord.flow.session import Session
from accord.model.finding import Finding
from accord.model.ids import fold_id
from accord.model.paths import ROOT, path_of
from accord.model.proposal import Proposal
from accord.signing.base import Signer
from accord.store.load import list_decisions
from accord.store.parse import parse_draft
from accord.store.schema import schema_for
from accord.store.writer import dump_draft

MAX_SLUG = 52
COMMENTS = {
    "context": "What is the case, and why something must be decided.",
    "text": "What is put to the vote: one decision, in words that can be followed.",
    "evidence": (
        "primary: a raw artifact (diff, log, schema, source); claim: a statement about one.\n"
        "load_bearing: true marks the primary artifacts on which the decision rests."
    ),
    "reversibility": "trivial, costly or irreversible.",
}


@dataclass(frozen=True, slots=True)
class Idea:
    """What the proposer gives: a slug, a class and a draft, any of which may be left out.

    `diffs` are ranges `A..B`; `output` is a command whose output becomes evidence; `older` are
    the decisions that it is about, by the word for it: `continues`, `reopens`, `supersedes`;
    `agree` is asked whether evidence that is large is to be kept.
    """

    slug: str
    class_: str | None
    title: str | None
    draft: DraftFile | None
    diffs: Sequence[str] = ()
    output: Sequence[str] = ()
    older: Mapping[str, str] = made_of(default_factory=dict)
    agree: Agree = no_doubt


def make_slug(words: str) -> str:
    """A slug from a title: a-z, 0-9 and -."""
    slug = re.sub(r"[^a-z0-9_]+", "-", words.lower()).strip("-_")[:MAX_SLUG].strip("-_")
    if not slug:
        raise UsageError(f"{words!r} gives no id", "name the decision with a-z, 0-9 and -")
    return slug


def propose(session: Session, idea: Idea, proposer: Signer, saving: Saving) -> Published:
    """Write the draft of round 1, with its evidence, signed by the proposer.

    Raises UsageError when the id is taken, Refused with every fault of the draft.
    """
    with alone(session, f"propose {idea.slug}") as here:
        return publish(here, _propose(here, idea, proposer), saving)


def _propose(session: Session, idea: Idea, proposer: Signer) -> Change:
    decision = f"{session.clock()[:10]}-{make_slug(idea.slug)}"
    _refuse_taken(session, decision)
    changes = read_changes(session, idea.diffs)
    gathered = [
        *gather_diffs(session, decision, changes),
        *gather_output(session, decision, idea.output),
    ]
    proposal = _read_idea(session, idea, decision, proposer.member)
    _require_class(session, proposal)
    if changes:
        proposal = msgspec.structs.replace(proposal, change=changes[0])
    proposal, files = copy_evidence(session, proposal)
    files |= {entry.artifact or "": data for entry, data in gathered}
    proposal = msgspec.structs.replace(
        proposal, evidence=(*proposal.evidence, *(entry for entry, _ in gathered))
    )
    weigh_evidence(files, idea.agree)
    path = path_of("proposal", decision, round_number=1)
    data = dump_draft(proposal, "proposal", COMMENTS, schema_for(path, "proposal"))
    files |= sign_bytes(data, path, proposer)
    return Change(decision, f"{decision}: propose", files)


def sign_again(
    session: Session,
    decision: str,
    proposer: Signer,
    saving: Saving,
    agree: Agree = no_doubt,
) -> Published:
    """Sign a draft as it stands in the working directory, with its own evidence, after an edit.

    Raises UsageError when the draft is another member's, or is about something else.
    """
    with alone(session, f"propose {decision}") as here:
        draft = find_draft(here, decision)
        _refuse_foreign(draft, proposer.member)
        _require_class(here, draft.proposal)
        evidence = find_own_evidence(here, draft.proposal)
        weigh_evidence(evidence, agree)
        files = sign_bytes(draft.data, draft.path, proposer) | evidence
        return publish(here, Change(decision, f"{decision}: edit the proposal", files), saving)


def find_draft(session: Session, decision: str) -> Draft:
    """The draft of the round that comes next, as it is typed. Raises what `load_draft` does."""
    rounds = session.judge(decision).judgement.rounds
    return load_draft(session, decision, next_number(rounds))


def _refuse_foreign(draft: Draft, proposer: str) -> None:
    if draft.proposal.proposer != proposer:
        raise UsageError(
            f"{draft.path} says proposer: {draft.proposal.proposer}, not {proposer}",
            "a draft is signed by its proposer",
        )


def _refuse_taken(session: Session, decision: str) -> None:
    for other in list_decisions(session.tree):
        if fold_id(other) == fold_id(decision):
            raise UsageError(
                f"there is a decision {other} already", "choose another name for this one"
            )
    if (session.root / ROOT / decision).exists():
        raise UsageError(
            f"{ROOT}/{decision} exists and is not staged",
            "stage it (git add), remove it, or choose another name",
        )


def _read_idea(session: Session, idea: Idea, decision: str, proposer: str) -> Proposal:
    title = idea.title or idea.slug.replace("-", " ").capitalize()
    known: dict[str, object] = {
        "decision": decision,
        "round": 1,
        "title": title,
        "class": idea.class_ or _find_class(session, idea),
        "proposer": proposer,
        **idea.older,
    }
    if idea.draft is None:
        known |= {"context": UNWRITTEN, "text": UNWRITTEN}
    draft = idea.draft or DraftFile("proposal.yaml", b"{}")
    record, findings = parse_draft(draft.data, draft.name, "proposal", known)
    if not isinstance(record, Proposal):
        raise Refused(
            "the proposal cannot be read", findings, "Mend the draft; nothing was written."
        )
    faults = [
        Finding(
            code="schema-invalid",
            path=draft.name,
            field=field,
            message=f"{field} is {getattr(record, field)!r}, and accord has {known[field]!r}",
            hint="Leave it out: accord fills in what it knows.",
        )
        for field in ("decision", "round", "proposer", *idea.older)
        if getattr(record, field) != known[field]
    ]
    if faults:
        raise Refused("the proposal is another one", faults)
    return record


def _find_class(session: Session, idea: Idea) -> str | None:
    """That of the decision that it is about: what is decided anew keeps its class."""
    for older in idea.older.values():
        return session.judge(older).judgement.evaluation.class_ or None
    return None


def _require_class(session: Session, proposal: Proposal) -> None:
    if proposal.class_ not in session.policy.classes:
        raise UsageError(
            f"there is no class {proposal.class_} in the policy", describe_classes(session)
        )


def describe_classes(session: Session) -> str:
    """The classes with their descriptions, and what needs no vote."""
    lines = [f"{name}: {cls.description}" for name, cls in sorted(session.policy.classes.items())]
    if session.policy.no_vote_needed:
        lines.append(f"no vote is needed for {', '.join(session.policy.no_vote_needed)}")
    return "the classes are\n  " + "\n  ".join(lines)
