"""How an answer names its evidence, and whether what it names is there (sections 3.3 and 3.5).

The form is judged from the file alone: a name that fits one machine only, or that holds line
numbers, names nothing that others can open. Whether the artifact and the lines are there is
judged where the bytes are at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from accord.model.evidence import ManifestEntry, UsedEvidence, is_uri
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, is_repo_path

Found = bytes | Literal["absent"] | None
# The bytes of (artifact, revision, digest), "absent" when there is no such file, None when that
# cannot be said. A revision of None asks for the file as it stands in the trees at hand; the
# digest tells which of several is meant.
FindCited = Callable[[str, str | None, str | None], Found]

_SUFFIX = re.compile(
    r"(?P<path>[^:]*[./_][^:]*|[^:]+(?=:L?[0-9]+-))(?::L?|#L)(?P<first>[0-9]+)(?::[0-9]+)?"
    r"(?:-L?(?P<last>[0-9]+)(?::[0-9]+)?)?\Z"
)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_LINES = re.compile(r"[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?\Z")


class Fault(NamedTuple):
    """What is wrong with the name of an artifact, and what to write instead."""

    sentence: str
    hint: str


def find_name_fault(artifact: str) -> Fault | None:
    """Why nobody else can open what this names; None for a URI or a path of the repository."""
    suffix = _SUFFIX.match(artifact)
    if suffix is not None:
        lines = suffix["first"] + (f"-{suffix['last']}" if suffix["last"] else "")
        return Fault(
            f"{artifact} holds line numbers, so it is the name of no file",
            f"Write them apart: artifact: {suffix['path']}, lines: {lines}.",
        )
    if artifact.startswith(("/", "~")) or _DRIVE.match(artifact):
        return Fault(f"{artifact} is a path of one machine: nobody else can open it", _FROM_ROOT)
    if artifact.lower().startswith("file:"):
        return Fault(f"{artifact} is a file of one machine: nobody else can open it", _FROM_ROOT)
    if is_uri(artifact) or is_repo_path(artifact):
        return None
    return Fault(f"{artifact} is no path inside the repository", _FROM_ROOT)


_FROM_ROOT = (
    "Name the file by its path from the root of the repository, with / and without . or ..;"
    " a file that is not in it can be added with its evidence when something is proposed."
)


def check_citations(evidence: tuple[UsedEvidence, ...], path: str) -> tuple[Finding, ...]:
    """What is wrong with the form of an answer's evidence, whatever the repository holds."""
    return tuple(
        finding
        for position, entry in enumerate(evidence)
        for finding in _check_form(entry, path, f"evidence[{position}]")
    )


def _check_form(entry: UsedEvidence, path: str, field: str) -> Iterator[Finding]:
    fault = find_name_fault(entry.artifact) if entry.artifact is not None else None
    if fault is not None:
        yield Finding(
            code="path-invalid",
            path=path,
            field=f"{field}.artifact",
            message=fault.sentence,
            hint=fault.hint,
        )
    if entry.lines is not None and read_lines(entry.lines) is None:
        yield Finding(
            code="schema-invalid",
            path=path,
            field=f"{field}.lines",
            message=f"lines {entry.lines!r} are no line numbers",
            hint="Write one line (42), a range (10-20), or several of them: 3, 10-20.",
        )
    if entry.receipt is not None:
        yield Finding(
            code="trace-unproven",
            path=path,
            field=f"{field}.receipt",
            message=f"no receipt of the format {entry.receipt.format!r} is known",
            hint="The place is reserved: leave the receipt out, and source: trace with it.",
        )
    elif entry.source == "trace":
        yield Finding(
            code="trace-unproven",
            path=path,
            field=f"{field}.source",
            message="source: trace says that a tool recorded the use, and no receipt shows it",
            hint="Leave source out: what a voter says about its own use is declared.",
        )


def read_lines(lines: str) -> int | None:
    """The last line of `42`, `10-20` or `3, 10-20`; None where that is not what it says."""
    last = 0
    for part in lines.split(","):
        if _LINES.match(part.strip()) is None:
            return None
        first, _, end = part.strip().partition("-")
        if end and int(end) < int(first):
            return None
        last = max(last, int(end or first))
    return last


@dataclass(frozen=True, slots=True)
class Measured:
    """What is wrong with cited artifacts, and the names of those that could not be looked at."""

    findings: tuple[Finding, ...]
    unmeasured: tuple[str, ...]


def measure_citations(
    evidence: tuple[UsedEvidence, ...],
    manifest: Mapping[str, ManifestEntry],
    path: str,
    find: FindCited,
) -> Measured:
    """Whether the artifacts that an answer names are there, as it names them, with these lines."""
    findings: list[Finding] = []
    unmeasured: list[str] = []
    for position, entry in enumerate(evidence):
        named = _find_named(entry, manifest)
        if named is None:
            continue
        artifact, revision, digest = named
        found = find(artifact, revision, digest)
        if found is None:
            unmeasured.append(artifact)
            continue
        findings += _compare(entry, artifact, revision, found, path, f"evidence[{position}]")
    return Measured(tuple(findings), tuple(unmeasured))


def _find_named(
    entry: UsedEvidence, manifest: Mapping[str, ManifestEntry]
) -> tuple[str, str | None, str | None] | None:
    """The file, commit and digest to look for, None where there is nothing to look at.

    What the manifest lists is held against its digest there; here only the lines of it count.
    """
    listed = manifest.get(entry.id or "")
    artifact, revision, digest = entry.artifact, entry.revision, entry.digest
    if artifact is None and entry.lines is not None and listed is not None:
        artifact, revision, digest = listed.artifact, listed.revision, listed.digest
    if artifact is None or is_uri(artifact) or find_name_fault(artifact) is not None:
        return None
    return artifact, revision, digest


def _compare(
    entry: UsedEvidence,
    artifact: str,
    revision: str | None,
    found: bytes | Literal["absent"],
    path: str,
    field: str,
) -> Iterator[Finding]:
    where = f"in {revision[:12]}" if revision else "here"
    if not isinstance(found, bytes):
        yield Finding(
            code="evidence-missing",
            path=path,
            field=field,
            message=f"{artifact} is cited, and there is no such file {where}",
            hint="Correct the path, or name the commit that has it (revision: its full id).",
        )
        return
    if entry.digest is not None and digest_bytes(found) != entry.digest:
        yield Finding(
            code="evidence-digest-mismatch",
            path=path,
            field=f"{field}.digest",
            message=f"{artifact} {where} is not the file that this digest names",
            hint=f"It has the digest {digest_bytes(found)}: name the commit that was read"
            " (revision: its full id), or leave the digest out.",
        )
        return
    last, there = read_lines(entry.lines or "") or 0, count_lines(found)
    if last > there:
        yield Finding(
            code="evidence-missing",
            path=path,
            field=f"{field}.lines",
            message=f"lines {entry.lines} of {artifact} are cited, and {where} it has {there}",
            hint="Correct the lines, or name the commit whose lines they are (revision).",
        )


def count_lines(data: bytes) -> int:
    """How many lines a file has; a last one without its line feed is one too."""
    return data.count(b"\n") + (0 if data.endswith(b"\n") or not data else 1)
