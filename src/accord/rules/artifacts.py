"""Whether the listed artifacts are there, and are the ones that were listed (section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from accord.model.evidence import ManifestEntry, is_uri
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, fold_id, is_repo_path
from accord.model.paths import evidence_directory
from accord.model.proposal import Proposal
from accord.rules.blobs import check_blob, name_blob
from accord.rules.citations import find_name_fault
from accord.rules.echoes import check_echoes
from accord.rules.file_names import check_file_names

# The bytes of (artifact, revision), "absent" when that commit has no such file, None when the
# commit is not at hand.
FindArtifact = Callable[[str, str], bytes | Literal["absent"] | None]


def check_artifacts(
    proposal: Proposal, path: str, own: Mapping[str, str], find: FindArtifact
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Findings about the manifest of a proposal, and the ids that could not be measured.

    `own` maps the files below the decision's evidence directory to their digests.
    """
    findings: list[Finding] = [
        *_check_names(proposal, path),
        *_check_subjects(proposal, path),
        *check_file_names(proposal.evidence, proposal.decision, path),
        *check_echoes(proposal, path),
    ]
    unmeasured: list[str] = []
    for position, entry in enumerate(proposal.evidence):
        field = f"evidence[{position}]"
        findings += (*_check_form(entry, path, field), *_check_side(proposal, entry, path, field))
        if entry.artifact is None or is_uri(entry.artifact):
            continue
        if entry.artifact.startswith(evidence_directory(proposal.decision)):
            findings += _compare(entry, path, field, own.get(entry.artifact, "absent"))
        elif entry.revision is not None:
            found = find(entry.artifact, entry.revision)
            if found is None:
                unmeasured.append(entry.id)
                continue
            if isinstance(found, bytes) and entry.blob is not None:
                findings += check_blob(entry, name_blob(found, entry.blob), path, field)
            digest = digest_bytes(found) if isinstance(found, bytes) else found
            findings += _compare(entry, path, field, digest)
    return tuple(findings), tuple(unmeasured)


def _check_names(proposal: Proposal, path: str) -> Iterator[Finding]:
    """Votes name evidence and waivers name checks by id: each must be one thing's alone."""
    named = {
        "evidence": [(entry.id, "id") for entry in proposal.evidence],
        "checks": [(plan.name, "name") for plan in proposal.checks],
    }
    for where, names in named.items():
        seen: set[str] = set()
        for position, (name, field) in enumerate(names):
            if fold_id(name) in seen:
                yield Finding(
                    code="id-clash",
                    path=path,
                    field=f"{where}[{position}].{field}",
                    message=f"{name} is named twice under {where}, or differs only in - and _",
                    hint="Give each a name of its own.",
                )
            seen.add(fold_id(name))


def _check_subjects(proposal: Proposal, path: str) -> Iterator[Finding]:
    """A claim is about a primary: what it is about is held against who read that itself."""
    kinds = {entry.id: entry.kind for entry in proposal.evidence}
    for position, entry in enumerate(proposal.evidence):
        if entry.summarizes is not None and kinds.get(entry.summarizes) != "primary":
            yield Finding(
                code="schema-invalid",
                path=path,
                field=f"evidence[{position}].summarizes",
                message=f"{entry.id} summarizes {entry.summarizes}, which is no primary evidence"
                " of this proposal",
                hint="Name the artifact itself, not what somebody said about it.",
            )


def _check_form(entry: ManifestEntry, path: str, field: str) -> Iterator[Finding]:
    if entry.digest is None and entry.text is None:
        yield Finding(
            code="unpinned",
            path=path,
            field=field,
            message=f"{entry.id} has no digest, so nobody can tell which bytes were meant",
            hint="Keep a copy below evidence/, with its digest.",
        )
    artifact = entry.artifact or ""
    fault = find_name_fault(artifact) if artifact else None
    if fault is not None:
        yield Finding(
            code="path-invalid",
            path=path,
            field=f"{field}.artifact",
            message=fault.sentence,
            hint=fault.hint,
        )
    if entry.load_bearing and (is_uri(artifact) or not is_repo_path(artifact)):
        yield Finding(
            code="schema-invalid",
            path=path,
            field=f"{field}.load_bearing",
            message=f"{entry.id} is load-bearing and no file of the repository",
            hint="Copy it below evidence/: what a decision rests on is kept with it.",
        )
    if entry.load_bearing and entry.kind == "claim":
        yield Finding(
            code="schema-invalid",
            path=path,
            field=f"{field}.load_bearing",
            message=f"{entry.id} is a claim, and only primary evidence is load-bearing",
            hint="Mark the artifact that the claim is about.",
        )


def _check_side(
    proposal: Proposal, entry: ManifestEntry, path: str, field: str
) -> Iterator[Finding]:
    if entry.side is not None and proposal.change is None:
        yield Finding(
            code="schema-invalid",
            path=path,
            field=f"{field}.side",
            message=f"{entry.id} is from the {entry.side} of a change, and the proposal names none",
            hint="Name the change (change: its base and head), or leave side out.",
        )


def _compare(entry: ManifestEntry, path: str, field: str, digest: str) -> Iterator[Finding]:
    if digest == "absent":
        yield Finding(
            code="evidence-missing",
            path=path,
            field=f"{field}.artifact",
            message=f"{entry.artifact} is listed and not there",
            hint="Restore the file, or list what is there before the round opens.",
        )
    elif entry.digest is not None and digest != entry.digest:
        yield Finding(
            code="evidence-digest-mismatch",
            path=path,
            field=f"{field}.digest",
            message=f"{entry.artifact} is not the file that was listed",
            hint=f"It has the digest {digest}; restore the file that was voted on.",
        )
