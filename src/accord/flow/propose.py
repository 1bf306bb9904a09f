"""`propose`: a draft, and the evidence that it stands on (sections 3.3 and 10)."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.drafts import DraftFile
from accord.flow.open_round import load_draft, next_number
from accord.flow.publish import Change, Published, Saving, publish, sign_bytes
from accord.flow.session import Session
from accord.model.evidence import ManifestEntry, is_uri
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, fold_id, is_repo_path
from accord.model.paths import ROOT, evidence_directory, path_of
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

    `diffs` are ranges `A..B`; `output` is a command whose output becomes evidence.
    """

    slug: str
    class_: str | None
    title: str | None
    draft: DraftFile | None
    diffs: Sequence[str] = ()
    output: Sequence[str] = ()


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
    decision = f"{session.clock()[:10]}-{make_slug(idea.slug)}"
    _refuse_taken(session, decision)
    gathered = [*_gather_diffs(session, decision, idea), *_gather_output(session, decision, idea)]
    proposal = _read_idea(idea, decision, proposer.member)
    _require_class(session, proposal)
    proposal, files = _copy_evidence(session, proposal)
    files |= {entry.artifact or "": data for entry, data in gathered}
    proposal = msgspec.structs.replace(
        proposal, evidence=(*proposal.evidence, *(entry for entry, _ in gathered))
    )
    path = path_of("proposal", decision, round_number=1)
    data = dump_draft(proposal, "proposal", COMMENTS, schema_for(path, "proposal"))
    files |= sign_bytes(data, path, proposer)
    return publish(session, Change(decision, f"{decision}: propose", files), saving)


def sign_again(session: Session, decision: str, proposer: Signer, saving: Saving) -> Published:
    """Sign a draft as it stands in the working directory, after it was edited."""
    rounds = session.judge(decision).judgement.rounds
    draft = load_draft(session, decision, next_number(rounds))
    files = sign_bytes(draft.data, draft.path, proposer)
    return publish(session, Change(decision, f"{decision}: edit the proposal", files), saving)


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


def _read_idea(idea: Idea, decision: str, proposer: str) -> Proposal:
    title = idea.title or idea.slug.replace("-", " ").capitalize()
    known: dict[str, object] = {
        "decision": decision,
        "round": 1,
        "title": title,
        "class": idea.class_,
        "proposer": proposer,
    }
    if idea.draft is None:
        known |= {"context": "…", "text": "…"}
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
        for field in ("decision", "round", "proposer")
        if getattr(record, field) != known[field]
    ]
    if faults:
        raise Refused("the proposal is another one", faults)
    return record


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


def _copy_evidence(session: Session, proposal: Proposal) -> tuple[Proposal, dict[str, bytes]]:
    """Pin every artifact, and copy what is on no protected branch below `evidence/`."""
    files: dict[str, bytes] = {}
    entries = []
    for entry in proposal.evidence:
        pinned, copied = _pin(session, proposal.decision, entry)
        entries.append(pinned)
        files |= copied
    return msgspec.structs.replace(proposal, evidence=tuple(entries)), files


def _pin(
    session: Session, decision: str, entry: ManifestEntry
) -> tuple[ManifestEntry, dict[str, bytes]]:
    path = entry.artifact
    if path is None or is_uri(path):
        return entry, {}
    if not is_repo_path(path):
        raise UsageError(f"{path} is no path inside the repository", "write it with /, without ..")
    revision = entry.revision or _find_protected(session, path)
    if revision is not None:
        found = session.sources(session.tree).find_artifact(path, revision)
        if isinstance(found, bytes):
            digest = entry.digest or digest_bytes(found)
            return msgspec.structs.replace(entry, revision=revision, digest=digest), {}
        raise UsageError(f"{path} is not in the commit {revision}", "correct path or revision")
    file = session.root / path
    if file.is_symlink() or not file.is_file():
        raise UsageError(f"the evidence {path} is not there", "name a file of the repository")
    data = file.read_bytes()
    if path.startswith(evidence_directory(decision)):
        return msgspec.structs.replace(entry, digest=digest_bytes(data)), {path: data}
    copy = f"{evidence_directory(decision)}{entry.id}-{Path(path).name}"
    pinned = msgspec.structs.replace(entry, artifact=copy, digest=digest_bytes(data))
    return pinned, {copy: data}


def _find_protected(session: Session, path: str) -> str | None:
    """The tip of a protected branch that holds the very bytes of the working tree, if one does."""
    file = session.root / path
    for branch in session.policy.protected:
        try:
            tip = session.repository.resolve(f"refs/heads/{branch}")
        except UsageError:
            continue
        if file.is_file() and session.repository.file_at(tip, path) == file.read_bytes():
            return tip
    return None


def _gather_diffs(session: Session, decision: str, idea: Idea) -> list[tuple[ManifestEntry, bytes]]:
    gathered = []
    for number, span in enumerate(idea.diffs, start=1):
        before, dots, after = span.partition("..")
        if not dots:
            raise UsageError(f"--diff {span} is no range", "write it as A..B")
        old, new = session.repository.resolve(before), session.repository.resolve(after or "HEAD")
        answer = session.repository.reading.ask(
            "diff", "--no-color", "--no-ext-diff", "--full-index", old, new
        )
        if answer.status or not answer.out:
            raise UsageError(f"the diff {span} is empty", answer.err)
        name = "diff" if number == 1 else f"diff-{number}"
        gathered.append(_evidence(decision, name, f"{name}.diff", answer.out, load_bearing=True))
    return gathered


def _gather_output(
    session: Session, decision: str, idea: Idea
) -> list[tuple[ManifestEntry, bytes]]:
    if not idea.output:
        return []
    try:
        done = subprocess.run(list(idea.output), cwd=session.root, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"{idea.output[0]} cannot be run: {error.strerror}") from error
    command = " ".join(idea.output)
    data = f"$ {command}\n".encode() + done.stdout + done.stderr
    data += f"[exit code {done.returncode}]\n".encode()
    return [_evidence(decision, "output", "output.txt", data, load_bearing=False)]


def _evidence(
    decision: str, name: str, file: str, data: bytes, *, load_bearing: bool
) -> tuple[ManifestEntry, bytes]:
    entry = ManifestEntry(
        id=name,
        kind="primary",
        artifact=f"{evidence_directory(decision)}{file}",
        digest=digest_bytes(data),
        load_bearing=load_bearing,
    )
    return entry, data
