"""`redact`: a decider takes the bytes of evidence out of the tree (section 3.7)."""

from __future__ import annotations

from dataclasses import dataclass

from accord.errors import UsageError
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.ids import digest_bytes
from accord.model.paths import evidence_directory, next_file_number, path_of
from accord.model.redaction import Redaction, name_redaction
from accord.rules.redactions import find_redactable, list_evidence
from accord.signing.base import Signer
from accord.store.tree import read_plain
from accord.verify import Judged


@dataclass(frozen=True, slots=True)
class Redacted:
    """What was written and removed, and where else the same bytes still stand."""

    published: Published
    path: str
    copies: tuple[str, ...]


def find_evidence(judged: Judged, name: str) -> str:
    """The path of own evidence, by its path, its name below evidence/, or its id in the manifest.

    Raises UsageError when the decision lists nothing of that name.
    """
    listed, own = find_redactable(judged.files), evidence_directory(judged.loaded.id)
    ids = {entry.id: entry.artifact for entry in list_evidence(judged.files)}
    for path in (name, own + name, ids.get(name) or ""):
        if path in listed:
            return path
    files = ", ".join(path.removeprefix(own) for path in sorted(listed)) or "none"
    raise UsageError(
        f"{name} is no evidence that {judged.loaded.id} keeps below evidence/",
        f"its files there are {files}; what no proposal lists can simply be deleted, and votes and"
        " proposals are not redacted (docs/redaction.md)",
    )


def redact(
    session: Session, decision: str, name: str, reason: str, decider: Signer, saving: Saving
) -> Redacted:
    """Sign that a file of evidence is taken out, and take it out.

    Raises UsageError when there is no such evidence, when it is a draft's, or redacted already.
    """
    with alone(session, f"redact {decision}") as here:
        judged = here.judge(decision)
        path = find_evidence(judged, name)
        _require_frozen(judged, path)
        digest = _find_digest(here, judged, path)
        published = publish(here, _redact(here, judged, (path, digest), reason, decider), saving)
        return Redacted(published, path, _find_copies(here, path))


def _redact(
    session: Session, judged: Judged, what: tuple[str, str], reason: str, decider: Signer
) -> Change:
    decision = judged.loaded.id
    path, digest = what
    redaction = Redaction(
        decision=decision,
        path=path,
        digest=digest,
        reason=reason,
        by=decider.member,
        at=session.clock(),
    )
    name = name_redaction(digest)
    number = next_file_number((file.location.path for file in judged.loaded.files), name)
    place = path_of("redaction", decision, name=name, number=number)
    files = sign_record(redaction, "redaction", place, decider)
    message = f"{decision}: redact {path.removeprefix(evidence_directory(decision))}"
    return Change(decision, message, files, removed=(path,))


def _require_frozen(judged: Judged, path: str) -> None:
    if path in judged.judgement.redacted:
        raise UsageError(
            f"{path} is redacted already", "`git commit` keeps it, if it is not committed yet"
        )
    if path not in judged.judgement.counted and not judged.judgement.evaluation.ended:
        raise UsageError(
            f"{path} is not frozen: no round that counts lists it",
            f"edit the draft and delete the file, then `accord propose {judged.loaded.id}` signs"
            " the draft again",
        )


def _find_digest(session: Session, judged: Judged, path: str) -> str:
    """That of the bytes, wherever they still stand; else the one that is listed."""
    for tree in (session.tree, session.base):
        data = read_plain(tree, path)
        if data is not None:
            return digest_bytes(data)
    listed = sorted(filter(None, find_redactable(judged.files)[path]))
    if not listed:
        raise UsageError(f"{path} is not there, and no proposal gives its digest")
    return listed[0]


def _find_copies(session: Session, path: str) -> tuple[str, ...]:
    """Where else in the tree the same bytes stand."""
    there = session.tree.find(path) or session.base.find(path)
    if there is None:
        return ()
    same = (entry.path for entry in session.tree.list() if entry.oid == there.oid)
    return tuple(sorted({*same} - {path}))
