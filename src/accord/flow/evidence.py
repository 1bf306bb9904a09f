"""The evidence of a proposal: pinned, gathered, and kept below `evidence/` (section 3.3)."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import msgspec

from accord.errors import UsageError
from accord.flow.change import find_bytes, list_diffs, read_artifact
from accord.flow.session import Session
from accord.model.evidence import ManifestEntry, is_uri
from accord.model.ids import digest_bytes
from accord.model.paths import evidence_directory
from accord.model.proposal import Diff, Proposal
from accord.rules.citations import find_name_fault
from accord.rules.claims import is_statement
from accord.rules.file_names import find_unportable
from accord.store.tree import blob_id

Gathered = tuple[ManifestEntry, bytes]


def copy_evidence(session: Session, proposal: Proposal) -> tuple[Proposal, dict[str, bytes]]:
    """Pin every artifact, and copy what is on no protected branch below `evidence/`.

    Raises UsageError for an artifact that is not there.
    """
    files: dict[str, bytes] = {}
    entries = []
    for entry in proposal.evidence:
        pinned, copied = _pin(session, proposal, entry)
        entries.append(pinned)
        files |= copied
    return msgspec.structs.replace(proposal, evidence=tuple(entries)), files


def find_own_evidence(session: Session, proposal: Proposal) -> dict[str, bytes]:
    """The files below `evidence/` that a draft lists, as they are in the working directory."""
    own = evidence_directory(proposal.decision)
    listed = {entry.artifact for entry in proposal.evidence if entry.artifact}
    found = {path: find_bytes(session, path) for path in listed if path.startswith(own)}
    return {path: data for path, data in found.items() if data is not None}


def _pin(
    session: Session, proposal: Proposal, entry: ManifestEntry
) -> tuple[ManifestEntry, dict[str, bytes]]:
    path = entry.artifact
    fault = find_name_fault(path) if path is not None else None
    if fault is not None:
        raise UsageError(fault.sentence, fault.hint)
    if path is None or is_uri(path):
        return entry, {}
    if entry.kind == "primary" and is_statement(path):
        raise UsageError(
            f"{path} is what somebody said, and no primary evidence",
            "list it as a claim, or list the artifact that it speaks of",
        )
    data, side = read_artifact(session, proposal.change, entry, path)
    digest = digest_bytes(data)
    if entry.digest not in (None, digest):
        raise UsageError(
            f"{path} is not what the draft lists: it has the digest {digest}",
            "leave the digest out, or name the file or revision that you mean",
        )
    blob = blob_id(data, session.repository.object_format)
    pinned = msgspec.structs.replace(entry, digest=digest, side=side, blob=blob)
    revision = find_protected(session, path, data, entry.revision)
    if revision is not None:
        return msgspec.structs.replace(pinned, revision=revision), {}
    copy = f"{evidence_directory(proposal.decision)}{entry.id}-{PurePosixPath(path).name}"
    why = find_unportable(copy)
    if why is not None:
        raise UsageError(
            f"a copy of {path!r} would be kept, and Windows cannot check it out: {why}",
            "give the file a plain name, and list that",
        )
    return msgspec.structs.replace(pinned, artifact=copy, revision=None), {copy: data}


def find_protected(session: Session, path: str, data: bytes, revision: str | None) -> str | None:
    """A commit that stays and holds these bytes: the one that is named, or a protected tip."""
    for branch in session.policy.protected:
        try:
            tip = session.repository.resolve(f"refs/heads/{branch}")
        except UsageError:
            continue
        if revision is not None and _is_ancestor(session, revision, tip):
            return revision
        if session.repository.file_at(tip, path) == data:
            return tip
    return None


def _is_ancestor(session: Session, commit: str, tip: str) -> bool:
    answer = session.repository.reading.ask("merge-base", "--is-ancestor", commit, tip)
    return answer.status == 0


def gather_diffs(session: Session, decision: str, changes: Sequence[Diff]) -> Iterator[Gathered]:
    """The diff of each change, load-bearing. Raises UsageError when one is empty."""
    for number, data in enumerate(list_diffs(session, changes), start=1):
        name = "diff" if number == 1 else f"diff-{number}"
        entry = ManifestEntry(id=name, kind="primary", load_bearing=True)
        yield gather(session, decision, entry, data, "diff")


def gather_output(session: Session, decision: str, command: Sequence[str]) -> Iterator[Gathered]:
    """What a command prints, with its exit code. Raises UsageError when it cannot be run."""
    if not command:
        return
    try:
        done = subprocess.run(list(command), cwd=session.root, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be run: {error.strerror}") from error
    data = f"$ {shlex.join(command)}\n".encode() + done.stdout + done.stderr
    data += f"[exit code {done.returncode}]\n".encode()
    yield gather(session, decision, ManifestEntry(id="output", kind="primary"), data, "txt")


def gather(
    session: Session, decision: str, entry: ManifestEntry, data: bytes, suffix: str
) -> Gathered:
    """What was gathered, as an entry and the bytes of its file below `evidence/`."""
    path = f"{evidence_directory(decision)}{entry.id}.{suffix}"
    blob = blob_id(data, session.repository.object_format)
    digest = digest_bytes(data)
    return msgspec.structs.replace(entry, artifact=path, digest=digest, blob=blob), data
