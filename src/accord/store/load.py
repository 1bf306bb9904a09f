"""From a tree to the files of a decision, read and typed, and what is wrong with them.

Nothing is trusted here: signatures are carried along as bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass

from accord.model.base import Record
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, fold_id
from accord.model.paths import (
    POLICY,
    ROOT,
    Location,
    directory_of,
    find_location,
    is_decision,
)
from accord.model.policy import Policy
from accord.model.snapshot import Scheme
from accord.store.kinds import KINDS
from accord.store.memory import FORGETFUL, Memory
from accord.store.parse import parse_file
from accord.store.text import MAX_BYTES, MAX_EVIDENCE, too_large
from accord.store.tree import REGULAR, Tree, TreeEntry

_NOT_DECISIONS = frozenset({"policy.yaml", "trusted_root.json", "ledger", "templates", "README.md"})
_HINT_EVIDENCE = "Name what is so large by its digest, and keep an excerpt of it here."
_WHAT_IS_THERE = {
    "100755": "an executable file",
    "120000": "a symbolic link",
    "160000": "a submodule",
}


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file that accord reads: its bytes, its record if it could be read, its signatures."""

    location: Location
    data: bytes
    digest: str
    record: Record | None
    signatures: Mapping[Scheme, bytes]


@dataclass(frozen=True, slots=True)
class LoadedDecision:
    """The files of one decision. `evidence` maps the paths below `evidence/` to digests."""

    id: str
    files: tuple[LoadedFile, ...]
    evidence: Mapping[str, str]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    """The policy of a tree: None where there is none, or where it cannot be read."""

    policy: Policy | None
    digest: str | None
    findings: tuple[Finding, ...]


def list_decisions(tree: Tree) -> tuple[str, ...]:
    """The names of the decision directories of a tree, sorted."""
    return tuple(name for name in tree.folders(ROOT) if name not in _NOT_DECISIONS)


def find_shared(paths: Iterable[str], decisions: Collection[str]) -> tuple[str, ...]:
    """Those of the paths at and below `decisions/` that are in the directory of no decision."""
    folders = {directory_of(decision) for decision in decisions}
    return tuple(path for path in paths if path[: path.find("/", len(ROOT) + 1) + 1] not in folders)


def list_shared(tree: Tree, decisions: Collection[str]) -> tuple[str, ...]:
    """All such paths of a tree; the directories of decisions are not looked into."""
    places = [ROOT] if tree.find(ROOT) is not None else [f"{ROOT}/{n}" for n in tree.files(ROOT)]
    places += [f"{ROOT}/{name}" for name in tree.folders(ROOT) if name not in decisions]
    return tuple(sorted(entry.path for place in places for entry in tree.list(place)))


def check_shared(tree: Tree, paths: Iterable[str]) -> tuple[Finding, ...]:
    """What is wrong with files that are in the directory of no decision: links, strangers."""
    entries = (tree.find(path) for path in paths)
    return tuple(
        finding
        for entry in entries
        if entry is not None
        for finding in check_mode(entry) or _check_place(entry, find_location(entry.path))
    )


def load_policy(tree: Tree) -> LoadedPolicy:
    """The policy of a tree, read and typed; whether it holds together is a rule."""
    entry = tree.find(POLICY)
    if entry is None:
        return LoadedPolicy(None, None, ())
    faults = check_mode(entry)
    if faults:
        return LoadedPolicy(None, None, faults)
    (data,) = tree.read_up_to((entry,), MAX_BYTES)
    if isinstance(data, int):
        return LoadedPolicy(None, None, (too_large(POLICY, data),))
    record, findings = parse_file(data, POLICY, "policy")
    policy = record if isinstance(record, Policy) else None
    return LoadedPolicy(policy, digest_bytes(data), findings)


def load_decision(tree: Tree, decision: str, memory: Memory = FORGETFUL) -> LoadedDecision:
    """Every file of one decision directory, and all that is wrong with any of them."""
    findings: list[Finding] = []
    good: list[tuple[TreeEntry, Location]] = []
    evidence: dict[str, str] = {}
    for entry in tree.list(directory_of(decision)):
        location = find_location(entry.path)
        faults = check_mode(entry) or _check_place(entry, location)
        findings += faults
        if faults or location is None:
            continue
        if location.kind == "evidence":
            digest = tree.digest(entry.path, MAX_EVIDENCE)
            if isinstance(digest, int):
                findings.append(too_large(entry.path, digest, MAX_EVIDENCE, _HINT_EVIDENCE))
            else:
                evidence[entry.path] = digest
        else:
            good.append((entry, location))
    plain: dict[str, tuple[Location, bytes]] = {}
    signatures: dict[str, dict[Scheme, bytes]] = defaultdict(dict)
    too_many: set[str] = set()
    contents = tree.read_up_to([entry for entry, _ in good], MAX_BYTES)
    for (entry, location), data in zip(good, contents, strict=True):
        if isinstance(data, int):
            findings.append(too_large(entry.path, data))
            too_many.add(location.path)
        elif location.signature is not None:
            signatures[location.path][location.signature] = data
        else:
            plain[entry.path] = location, data
    findings += _find_orphans(plain.keys() | too_many, signatures)
    findings += _find_clashes(location for location, _ in plain.values())
    files = []
    for path, (location, data) in plain.items():
        record, faults = memory.parse(data, path, location.kind)
        if location.kind != "record":
            # A record is generated: whatever is wrong with it, it is not the one that is due.
            findings += faults
        files.append(
            LoadedFile(location, data, digest_bytes(data), record, signatures.get(path, {}))
        )
    return LoadedDecision(decision, tuple(files), evidence, tuple(findings))


def check_mode(entry: TreeEntry) -> tuple[Finding, ...]:
    """Whether a plain file stands at a place of accord's."""
    if entry.mode == REGULAR:
        return ()
    return (
        Finding(
            code="not-a-regular-file",
            path=entry.path,
            message=f"{_WHAT_IS_THERE.get(entry.mode, 'something else')} stands where a plain"
            " file belongs",
            hint="Restore the plain file that stood there, or remove this one; accord follows no"
            " links.",
        ),
    )


def _check_place(entry: TreeEntry, location: Location | None) -> tuple[Finding, ...]:
    if location is not None and (location.signature is None or _is_signed(location.kind)):
        return ()
    if not entry.path.isprintable():
        return (
            Finding(
                code="path-invalid",
                path=entry.path,
                message="the path holds characters that cannot be shown",
                hint="Ids are a-z, 0-9, _ and -; rename or remove the file.",
            ),
        )
    return (
        Finding(
            code="unexpected-file",
            path=entry.path,
            message="no file of this name belongs here",
            hint="Remove it, or move it: evidence goes below evidence/, and docs/file-formats.md"
            " shows every other place.",
        ),
    )


def _is_signed(kind: str) -> bool:
    """Templates, the ledger and the like are no kinds that accord reads, and nobody signs them."""
    return kind in KINDS and KINDS[kind].signed


def _find_orphans(
    plain: Set[str], signatures: Mapping[str, Mapping[Scheme, bytes]]
) -> Iterable[Finding]:
    for path in sorted(signatures.keys() - plain):
        yield Finding(
            code="unexpected-file",
            path=path,
            message="the signature of a file stands there, and the file does not",
            hint="Restore the file, or remove its signature.",
        )


def _find_clashes(locations: Iterable[Location]) -> Iterable[Finding]:
    seen: dict[tuple[str, int, str, int], str] = {}
    for location in locations:
        if not location.name:
            continue
        place = (location.kind, location.round, fold_id(location.name), location.number)
        other = seen.setdefault(place, location.name)
        if other != location.name:
            yield Finding(
                code="id-clash",
                path=location.path,
                message=f"{location.name} and {other} differ only in - and _",
                hint="One member has one spelling; remove the file of the wrong one.",
            )


def find_id_clashes(decisions: Iterable[str]) -> tuple[Finding, ...]:
    """Decision ids of a tree that people would confuse, and names that are no ids at all."""
    findings = []
    seen: dict[str, str] = {}
    for name in decisions:
        if not is_decision(name):
            findings.append(
                Finding(
                    code="path-invalid",
                    path=f"{ROOT}/{name}",
                    message="the name of the directory is no decision id",
                    hint="Decisions are named YYYY-MM-DD-slug: a-z, 0-9, _ and -.",
                )
            )
        other = seen.setdefault(fold_id(name), name)
        if other != name:
            findings.append(
                Finding(
                    code="id-clash",
                    path=f"{ROOT}/{name}",
                    message=f"{name} and {other} differ only in - and _",
                    hint="Nobody tells such decisions apart: rename the younger one.",
                )
            )
    return tuple(findings)
