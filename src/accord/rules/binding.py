"""Whether a file is about what stands where it stands (section 3.7).

A file's place equals its content. One whose bindings name something else is stale, and not
counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from accord.model.ballot import Ballot
from accord.model.finding import Finding
from accord.model.paths import find_location
from accord.model.policy import Role
from accord.model.redaction import name_redaction
from accord.model.snapshot import Authenticated


class Placed(Protocol):
    """Every record of a decision says which decision it is about; most say which round, too."""

    @property
    def decision(self) -> str: ...


P = TypeVar("P", bound=Placed)


def check_place(file: Authenticated[P]) -> tuple[Finding, ...]:
    """Whether decision, round and name in the file are those of its path."""
    location = find_location(file.path)
    if location is None:
        return ()
    faults: list[tuple[str, str]] = []
    if file.record.decision != location.decision:
        faults.append(("decision", f"it says decision {file.record.decision}"))
    if location.round:
        faults += _compare(file, "round", location.round)
    if location.name:
        fields = {"check": "name", "rederivation": "by", "redaction": "digest"}
        faults += _compare(file, fields.get(location.kind, "voter"), location.name)
    return tuple(
        Finding(
            code="ballot-mismatch",
            path=file.path,
            field=name,
            message=f"{sentence}, and does not stand where that belongs",
            hint="Files are bound to their place; write a new one with accord instead of copying.",
        )
        for name, sentence in faults
    )


def _compare(file: Authenticated[P], field: str, expected: object) -> list[tuple[str, str]]:
    said = getattr(file.record, field)
    shown = name_redaction(said) if field == "digest" else said
    return [] if shown == expected else [(field, f"it says {field} {said}")]


def check_bindings(
    file: Authenticated[P], expected: Mapping[str, str | None], code: str
) -> tuple[Finding, ...]:
    """Whether the digests in a file are those of what stands there (`expected`, by field)."""
    return tuple(
        Finding(
            code=code,
            path=file.path,
            field=name,
            message=f"{name} is not the digest of what stands there now; the file is not counted",
            hint="What it was written about has changed, or it was copied from elsewhere.",
        )
        for name, digest in expected.items()
        if getattr(file.record, name) != digest
    )


def check_officer(
    file: Authenticated[P], ballot: Ballot, role: Role, kind: str
) -> tuple[Finding, ...]:
    """Whether the signer held the role when the ballot was opened."""
    able = ballot.officers_with(role)
    if file.signer in able:
        return ()
    return (
        Finding(
            code="signer-lacks-role",
            path=file.path,
            message=f"{file.signer} signed this {kind}, and is no {role}",
            hint=f"Only {' or '.join(able) or 'nobody in this ballot'} can sign it.",
        ),
    )


def check_voter(file: Authenticated[P], ballot: Authenticated[Ballot]) -> tuple[Finding, ...]:
    """Whether a voter's file stands in its place, is on the roster, and is for this ballot."""
    findings = [
        *check_place(file),
        *check_bindings(file, {"ballot": ballot.digest}, "ballot-mismatch"),
    ]
    if file.signer not in ballot.record.voters:
        findings.append(
            Finding(
                code="not-a-voter",
                path=file.path,
                message=f"{file.signer} is not on the roster of this ballot",
                hint=f"The voters are {', '.join(sorted(ballot.record.voters))}.",
            )
        )
    return tuple(findings)


def check_late(file: Authenticated[P], listed: str | None) -> tuple[Finding, ...]:
    if listed == file.digest:
        return ()
    return (
        Finding(
            code="late-vote",
            path=file.path,
            message="it came after the round was closed, and is kept but not counted",
            hint="If a next round opens, its objections are answered like others.",
        ),
    )
