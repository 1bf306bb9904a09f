"""Signing, judging and writing: what the tool writes passes its own gate.

Signatures are made in memory, the tree as it will be is judged by the same rules as in the
hooks, and only then files are written, all or none. A failure loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from accord.errors import AccordError, Refused, UsageError
from accord.flow.pages import find_stale, open_library, refuse_replacing
from accord.flow.secrets import refuse_secrets, tell_allowed
from accord.flow.session import Session
from accord.flow.unfinished import NotCommitted
from accord.model.base import Record
from accord.model.finding import Finding, find_errors
from accord.model.paths import (
    LEDGER,
    POLICY,
    ROOT,
    SIGNATURES,
    directory_of,
    find_location,
    path_of,
)
from accord.rules.adr import has_page
from accord.signing.base import Signer
from accord.store.files import lock, write_files
from accord.store.journal import journaled, take_back
from accord.store.state import SignedOnce, Slot
from accord.store.tree import OverlayTree, Tree, read_plain
from accord.store.writer import dump
from accord.verify import Judged
from accord.verify.library import find_pages
from accord.verify.report import place_findings
from accord.verify.step import judge_in_step


class Once(NamedTuple):
    """A signature that nobody gives twice, and the digest of what it is about."""

    kind: SignedOnce
    slot: Slot
    digest: str


@dataclass(frozen=True, slots=True)
class Published:
    """What was written: the paths, the commit if there is one, and the decision as it now is.

    `warnings` are the findings that are new with it and refuse nothing; `removed` are the paths
    of what was taken out; `allowed` says what looks like a secret and was let through.
    """

    paths: tuple[str, ...]
    commit: str | None
    judged: Judged
    warnings: tuple[Finding, ...] = ()
    removed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saving:
    """What becomes of what is written: staged; `commit` also commits it, `push` also pushes.

    `allowed` are places that may look like a secret.
    """

    commit: bool = False
    push: bool = False
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """Files to be written for one decision; `message` is that of the commit.

    `once` is what is signed with them and may never be signed again for the same place;
    `removed` are files that go away with them; `allowed` says what looks like a secret in votes
    that were looked at before.
    """

    decision: str
    message: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    once: tuple[Once, ...] = ()
    removed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


def sign_record(record: Record, kind: str, path: str, signer: Signer) -> dict[str, bytes]:
    """A record and its signature: path → bytes."""
    return sign_bytes(dump(record, kind), path, signer)


def sign_bytes(data: bytes, path: str, signer: Signer) -> dict[str, bytes]:
    """A file as it is and its signature: path → bytes."""
    return {path: data, path + SIGNATURES[signer.scheme]: signer.sign(data)}


@contextmanager
def alone(session: Session, what: str) -> Iterator[Session]:
    """While this lasts no other accord writes here; what is staged is read again.

    A verb reads, judges and writes inside, so that nothing moves under it. What an accord that
    was killed had begun is taken back before.
    """
    with lock(session.repository.common_dir, f"accord, {what}"):
        take_back(session.repository, session.root)
        yield session.renewed()


def publish(session: Session, change: Change, saving: Saving) -> Published:
    """Judge a change and write it, with the record and the page if it settles the decision.

    The session is one of `alone`. A commit takes along what is staged of the same decision and
    nothing else. Raises Refused with every new finding when the rules refuse it, UsageError when
    something is in the way; nothing is written then.
    """
    if saving.commit or saving.push:
        require_committed_policy(session)
    fresh = {path: data for path, data in change.files.items() if not _was_looked_at(path)}
    allowed = (*change.allowed, *refuse_secrets(fresh, saving.allowed, session.base))
    before = _judge(session, change.decision, {})
    files: dict[str, bytes | None] = {**change.files, **dict.fromkeys(change.removed)}
    judged = _judge(session, change.decision, files)
    record = path_of("record", change.decision)
    if judged.record is not None and session.tree.find(record) is None:
        files[record] = judged.record
        judged = _judge(session, change.decision, files)
    new = _find_new(before, judged, OverlayTree(session.tree, files))
    if find_errors(new):
        raise Refused(
            f"{change.message}: refused, and nothing was written",
            find_errors(new),
            "Mend what is named above and run the command again.",
        )
    if not files:
        return Published((), None, judged)
    files |= _find_due_page(session, judged, files)
    _refuse_changing(session, before, files)
    refuse_losing(session, files)
    write_and_stage(session, files, change.once)
    told = replace(change, message=change.message + tell_allowed(allowed))
    commit = _commit(session, told, files) if saving.commit or saving.push else None
    written = sorted(files.keys() - set(change.removed))
    return Published(tuple(written), commit, judged, new, change.removed, allowed)


def _was_looked_at(path: str) -> bool:
    """Whether no secret is looked for: a vote was read when it was cast, a record repeats."""
    location = find_location(path)
    return location is not None and location.kind in {"vote", "record"}


def require_committed_policy(session: Session) -> None:
    """No commit of accord's comes before that of the policy: UsageError when it would."""
    if session.base.find(POLICY) is None:
        raise UsageError(
            f"{POLICY} is not committed yet, and no decision comes before it",
            "commit it first (`git commit`), then run the command again",
        )


def refuse_uncommitted(session: Session, why: str) -> None:
    """What follows from decisions is not committed before them: UsageError when it would be."""
    changed = session.repository.changed_paths(session.base, session.tree, ROOT)
    others = [path for path in changed if path != LEDGER]
    if others:
        raise UsageError(
            f"{others[0]} is staged and not committed, and {why}",
            "commit that first (`git commit`), then run the command again",
        )


def _judge(session: Session, decision: str, files: Mapping[str, bytes | None]) -> Judged:
    overlay = OverlayTree(session.tree, dict(files))
    return judge_in_step(session.base, overlay, decision, session.sources(overlay))


def _find_new(before: Judged, judged: Judged, overlay: Tree) -> tuple[Finding, ...]:
    known = {_identify(finding) for finding in before.findings}
    new = [finding for finding in judged.findings if _identify(finding) not in known]
    return tuple(place_findings(overlay, new))


def _identify(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.path, finding.message


def _find_due_page(
    session: Session, judged: Judged, files: Mapping[str, bytes | None]
) -> dict[str, bytes]:
    """The page of the decision, if it is not as it must be from now on."""
    if not has_page(judged.judgement):
        return {}
    tree = OverlayTree(session.tree, dict(files))
    library = open_library(session.base, tree, session.sources(tree))
    due = find_stale(tree, find_pages(library, (judged.loaded.id,)))
    refuse_replacing(session.base, session.tree, due)
    return due


def _refuse_changing(session: Session, before: Judged, files: Mapping[str, bytes | None]) -> None:
    """What counts is never changed; whether it may be taken out was judged."""
    for path, data in files.items():
        staged = read_plain(session.tree, path)
        if data is not None and path in before.judgement.counted and staged != data:
            raise UsageError(
                f"{path} is there already, and what counts is never changed",
                f"`accord show {before.loaded.id}` says where the decision stands",
            )


def refuse_losing(session: Session, files: Mapping[str, bytes | None]) -> None:
    """What somebody typed and did not stage is not lost: UsageError where it would be."""
    for path, data in files.items():
        staged = session.tree.read(path) if session.tree.find(path) is not None else None
        file = session.root / path
        if not file.is_file() or file.is_symlink():
            continue
        if file.read_bytes() not in (data, staged):
            raise UsageError(
                f"{path} is there and is not staged; it would be overwritten",
                "stage it (git add) or move it away, then run the command again",
            )


def write_and_stage(
    session: Session, files: Mapping[str, bytes | None], signed: Sequence[Once] = ()
) -> None:
    """Write and stage, and note what was signed: all of it, or nothing, even when killed.

    None removes a file.
    """
    notes = [session.state.note(*once) for once in signed]
    with ExitStack() as step:
        step.enter_context(journaled(session.repository, session.root, files, notes))
        for once in signed:
            step.enter_context(session.state.sign_once(*once))
        _write_and_stage(session, files)


def _write_and_stage(session: Session, files: Mapping[str, bytes | None]) -> None:
    there = {path: session.root / path for path in files}
    before = {path: file.read_bytes() for path, file in there.items() if file.is_file()}
    write_files(session.root, files)
    try:
        session.repository.stage(files)
    except BaseException:
        with suppress(Exception):
            write_files(session.root, before)
            for path in files.keys() - before.keys():
                there[path].unlink(missing_ok=True)
        raise


def _commit(session: Session, change: Change, files: Mapping[str, bytes | None]) -> str:
    repository = session.repository
    own = repository.changed_paths(session.base, repository.index(), directory_of(change.decision))
    paths = sorted({*files, *own})
    try:
        return repository.commit_paths(change.message, paths)
    except AccordError as error:
        raise NotCommitted(error, change.decision, change.message, tuple(paths)) from error
