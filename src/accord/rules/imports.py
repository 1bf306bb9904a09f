"""A decision that was taken before accord was: its record alone says so (section 8)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from accord.model.paths import path_of
from accord.model.record import DecisionRecord
from accord.model.snapshot import DecisionFiles

_SAID = frozenset({"protocol", "decision", "title", "class_", "decided_at", "manifest_digest"})
_FIXED = {"status": "imported", "basis": "imported", "directive": "-"}


def read_import(decision: DecisionFiles) -> DecisionRecord | None:
    """The record of a directory that calls itself an import, whether it is a right one or not."""
    record = decision.record.record if decision.record else None
    if record is None or decision.rounds:
        return None
    return record if record.status == "imported" else None


def find_import_faults(decision: DecisionFiles, record: DecisionRecord) -> tuple[str, ...]:
    """Why this is no import: nobody voted on it here, so it can have none of what voting brings."""
    return tuple(_find_faults(decision, record))


def _find_faults(decision: DecisionFiles, record: DecisionRecord) -> Iterator[str]:
    if record.decision != decision.id:
        yield f"it names the decision {record.decision}"
    if record.source is None:
        yield "it names no source, by path and digest"
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        if field.name in _FIXED:
            if value != _FIXED[field.name]:
                yield f"its {field.encode_name} is {value}"
        elif field.name not in _SAID | {"source"} and value != _default_of(field):
            yield f"it has {field.encode_name}"
    beside = (*decision.checks, *decision.rederivations, decision.synthesis, decision.ruling)
    if any((*beside, decision.withdrawal, *decision.redactions)):
        yield f"{path_of('record', decision.id)} does not stand alone"


def _default_of(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
