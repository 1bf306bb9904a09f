"""What every file of a case has: a place, a digest, a signer, and evidence as votes list it.

A case says only what its point needs. Ids stand for digests, and every file counts as
authenticated.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from accord.model.base import Record
from accord.model.case import Case, CaseCheck
from accord.model.evidence import Input, UsedEvidence
from accord.model.ids import digest_bytes, digest_json
from accord.model.paths import path_of
from accord.model.snapshot import Authenticated
from accord.signing.authenticate import assume

DECISION = "2000-01-01-case"
AT = "2000-01-01T00:00:00Z"
PROPOSER, OPENER, DECIDER = "proposer", "opener", "decider"
STALE = digest_bytes(b"stale")
R = TypeVar("R", bound=Record)


def digest_of(record: Record) -> str:
    return digest_json(msgspec.to_builtins(record))


def file_of(
    kind: str, record: R, signer: str, *, round_number: int = 0, name: str = "", number: int = 0
) -> Authenticated[R]:
    path = path_of(kind, DECISION, round_number=round_number, name=name, number=number)
    return assume(record, path, digest_of(record), signer)


def artifact_digest(evidence_id: str) -> str:
    return digest_bytes(evidence_id.encode())


def used(case: Case, evidence: tuple[UsedEvidence, ...]) -> tuple[UsedEvidence, ...]:
    """Evidence as a vote lists it: an id that no manifest entry has is the voter's own find."""
    listed = {entry.id for entry in case.evidence}
    return tuple(
        entry
        if entry.id is None or entry.id in listed
        else msgspec.structs.replace(
            entry, id=None, artifact=entry.id, digest=artifact_digest(entry.id)
        )
        for entry in evidence
    )


def inputs(check: CaseCheck) -> tuple[Input, ...]:
    return tuple(Input(artifact=name, digest=artifact_digest(name)) for name in check.artifacts)
