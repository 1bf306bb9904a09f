"""Signing, judging and writing: what the tool writes passes its own gate.

Signatures are made in memory, the tree as it will be is judged by the same rules as in the
hooks, and only then files are written, all or none. A failure loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from accord.errors import Refused
from accord.flow.session import Session
from accord.model.base import Record
from accord.model.finding import Finding, find_errors
from accord.model.paths import ROOT, SIGNATURES, path_of
from accord.signing.base import Signer
from accord.store.files import lock, write_files
from accord.store.tree import OverlayTree, Tree
from accord.store.writer import dump
from accord.verify import Judged
from accord.verify.report import place_findings
from accord.verify.step import judge_in_step


@dataclass(frozen=True, slots=True)
class Published:
    """What was written: the paths, the commit if there is one, and the decision as it now is."""

    paths: tuple[str, ...]
    commit: str | None
    judged: Judged


@dataclass(frozen=True, slots=True)
class Saving:
    """What becomes of what is written: staged; `commit` also commits it, `push` also pushes."""

    commit: bool = False
    push: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """Files to be written for one decision; `message` is that of the commit."""

    decision: str
    message: str
    files: Mapping[str, bytes] = field(default_factory=dict)

    def with_files(self, files: Mapping[str, bytes]) -> Change:
        """The same change with more files."""
        return Change(self.decision, self.message, {**self.files, **files})


def sign_record(record: Record, kind: str, path: str, signer: Signer) -> dict[str, bytes]:
    """A record and its signature: path → bytes."""
    return sign_bytes(dump(record, kind), path, signer)


def sign_bytes(data: bytes, path: str, signer: Signer) -> dict[str, bytes]:
    """A file as it is and its signature: path → bytes."""
    return {path: data, path + SIGNATURES[signer.scheme]: signer.sign(data)}


def publish(session: Session, change: Change, saving: Saving) -> Published:
    """Judge a change and write it, with the record if it settles the decision.

    Raises Refused with every new finding when the rules refuse it; nothing is written then.
    """
    with lock(session.repository.common_dir, f"accord, {change.message}"):
        current = session.renewed()
        files = dict(change.files)
        judged = _judge(current, change.decision, files)
        record = path_of("record", change.decision)
        if judged.record is not None and current.tree.find(record) is None:
            files[record] = judged.record
            judged = _judge(current, change.decision, files)
        _refuse_new_errors(current, change, judged, OverlayTree(current.tree, files))
        write_files(session.root, files)
        session.repository.stage(files)
        commit = None
        if saving.commit or saving.push:
            commit = session.repository.commit_paths(change.message, sorted(files))
        if saving.push:
            session.repository.push()
    return Published(tuple(sorted(files)), commit, judged)


def _judge(session: Session, decision: str, files: Mapping[str, bytes]) -> Judged:
    overlay = OverlayTree(session.tree, dict(files))
    return judge_in_step(session.base, overlay, decision, session.sources(overlay))


def _refuse_new_errors(session: Session, change: Change, judged: Judged, overlay: Tree) -> None:
    there = session.tree.list(f"{ROOT}/{change.decision}")
    known: set[tuple[str, str, str]] = set()
    if there:
        sources = session.sources(session.tree)
        before = judge_in_step(session.base, session.tree, change.decision, sources)
        known = {_identify(finding) for finding in find_errors(before.findings)}
    new = [finding for finding in find_errors(judged.findings) if _identify(finding) not in known]
    if new:
        raise Refused(
            f"{change.message}: refused, and nothing was written",
            place_findings(overlay, new),
            "Mend what is named above and run the command again.",
        )


def _identify(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.path, finding.message
