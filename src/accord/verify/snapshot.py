"""From loaded files to what the rules see: each file as far as it is trusted (section 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.base import Record
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.finding import Finding
from accord.model.proposal import Proposal
from accord.model.record import DecisionRecord
from accord.model.redaction import Redaction
from accord.model.resolution import Amendment, Close, Resolution
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles, Stored
from accord.model.vote import Seal, Vote
from accord.signing.authenticate import Timing, authenticate
from accord.signing.keyring import KeyRing
from accord.store.load import LoadedDecision, LoadedFile

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of a decision as the rules see them, and what is wrong with the rest."""

    files: DecisionFiles
    findings: tuple[Finding, ...]


class _Shelf:
    """Authenticated files of one decision or one round, taken out by the type of their record."""

    def __init__(self, files: list[Authenticated[Record]]) -> None:
        self._files = files

    def all(self, type_: type[R]) -> tuple[Authenticated[R], ...]:
        return tuple(_typed(file, type_) for file in self._files if isinstance(file.record, type_))

    def one(self, type_: type[R]) -> Authenticated[R] | None:
        return next(iter(self.all(type_)), None)


def _typed(file: Authenticated[Record], _: type[R]) -> Authenticated[R]:
    """The same file; its record was seen to be of this type."""
    return cast("Authenticated[R]", file)


def authenticate_decision(
    loaded: LoadedDecision, ring: KeyRing, timing: Callable[[str], Timing]
) -> Snapshot:
    """Check every signature of a decision. `timing` says of a path how its key is judged."""
    opened = {file.location.round for file in loaded.files if file.location.kind == "round"}
    ballots = {
        file.location.round: file.record.opened_at
        for file in loaded.files
        if isinstance(file.record, Ballot)
    }
    findings = list(loaded.findings)
    authenticated: list[Authenticated[Record]] = []
    for file in loaded.files:
        if file.record is None or not _needs_signature(file, opened):
            continue
        stored = Stored(record=file.record, path=file.location.path, digest=file.digest)
        when = timing(file.location.path)
        if file.location.kind == "proposal":
            # It claims no time; it was signed by the time that its ballot claims.
            when = when.opened(ballots.get(file.location.round, ""))
        good, faults = authenticate(stored, file.data, file.signatures, ring, when)
        findings += faults
        if good is not None:
            authenticated.append(good)
    drafts = {
        file.location.round: draft for file in loaded.files if (draft := _stored(file, Proposal))
    }
    rounds: dict[int, list[Authenticated[Record]]] = {number: [] for number in drafts}
    numbers = {file.location.path: file.location.round for file in loaded.files}
    for file_ in authenticated:
        rounds.setdefault(numbers[file_.path], []).append(file_)
    after = _Shelf(rounds.pop(0, []))
    return Snapshot(
        DecisionFiles(
            id=loaded.id,
            rounds=tuple(
                _build_round(number, _Shelf(files), drafts.get(number))
                for number, files in sorted(rounds.items())
            ),
            checks=after.all(Check),
            rederivations=after.all(Rederivation),
            synthesis=after.one(Synthesis),
            ruling=after.one(Ruling),
            withdrawal=after.one(Withdrawal),
            redactions=after.all(Redaction),
            record=next(map(_store_record, _only(loaded, "record")), None),
        ),
        tuple(findings),
    )


def _needs_signature(file: LoadedFile, opened: set[int]) -> bool:
    """A draft may still be edited, so its signature may lag behind; a record has none."""
    if file.location.kind == "proposal":
        return file.location.round in opened
    return file.location.kind != "record"


def _only(loaded: LoadedDecision, kind: str) -> list[LoadedFile]:
    return [file for file in loaded.files if file.location.kind == kind]


def _store_record(file: LoadedFile) -> Stored[DecisionRecord | None]:
    record = file.record if isinstance(file.record, DecisionRecord) else None
    return Stored(record=record, path=file.location.path, digest=file.digest)


def _stored(file: LoadedFile, type_: type[R]) -> Stored[R] | None:
    if not isinstance(file.record, type_):
        return None
    return Stored(record=file.record, path=file.location.path, digest=file.digest)


def _build_round(number: int, shelf: _Shelf, draft: Stored[Proposal] | None) -> RoundFiles:
    return RoundFiles(
        number=number,
        draft=draft,
        proposal=shelf.one(Proposal),
        ballot=shelf.one(Ballot),
        seals=shelf.all(Seal),
        votes=shelf.all(Vote),
        amendment=shelf.one(Amendment),
        affirmations=shelf.all(Affirmation),
        close=shelf.one(Close),
        resolution=shelf.one(Resolution),
    )
