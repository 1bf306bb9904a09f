"""Where every file stands: paths are fixed, so nothing can move one away (section 3).

One table both builds paths and reads them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model.snapshot import Scheme

ROOT = "decisions"
POLICY = f"{ROOT}/policy.yaml"
TRUSTED_ROOT = f"{ROOT}/trusted_root.json"
LEDGER = f"{ROOT}/ledger/events.jsonl"
# Generated of all decisions: on the protected branch only.
SHARED = (f"{ROOT}/ledger/",)
TEMPLATES = f"{ROOT}/templates/"
ADR_TEMPLATE = f"{TEMPLATES}adr.md.j2"
INDEX_TEMPLATE = f"{TEMPLATES}adr-index.md.j2"
ADR_DIRECTORY = "docs/decisions"
ADR_INDEX = f"{ADR_DIRECTORY}/index.md"
SIGNATURES: dict[Scheme, str] = {"ssh": ".sig", "sigstore": ".sigstore.json"}

# Kind of file → its place in the directory of its decision.
PLACES: dict[str, str] = {
    "proposal": "rounds/{round}/proposal.yaml",
    "round": "rounds/{round}/round.yaml",
    "seal": "rounds/{round}/seals/{name}.yaml",
    "vote": "rounds/{round}/votes/{name}.yaml",
    "amendment": "rounds/{round}/amendment.yaml",
    "affirmation": "rounds/{round}/affirmations/{name}.{number}.yaml",
    "close": "rounds/{round}/close.yaml",
    "resolution": "rounds/{round}/resolution.yaml",
    "check": "checks/{name}.{number}.yaml",
    "rederivation": "rederivations/{name}.yaml",
    "synthesis": "synthesis.yaml",
    "ruling": "ruling.yaml",
    "withdrawal": "withdrawal.yaml",
    "redaction": "redactions/{name}.{number}.yaml",
    "record": "record.yaml",
}
# Where texts are put to the vote, name by name below a decision; None is any round.
TEXTS: tuple[frozenset[str] | None, ...] = (
    frozenset({"rounds"}),
    None,
    frozenset({"proposal.yaml", "amendment.yaml"}),
)
_SHARED: dict[str, str] = {
    POLICY: "policy",
    TRUSTED_ROOT: "trusted_root",
    LEDGER: "ledger",
    f"{ROOT}/README.md": "readme",
}
_DECISION = r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9][a-z0-9_-]{0,51}"
_PARTS = {
    "round": r"(?P<round>[1-9][0-9]{0,5})",
    "name": r"(?P<name>[a-z0-9][a-z0-9_-]{0,62})",
    "number": r"(?P<number>[1-9][0-9]{0,5})",
}
_IS_DECISION = re.compile(rf"{_DECISION}\Z")
_SPLIT = re.compile(rf"{ROOT}/(?P<decision>{_DECISION})/(?P<rest>.+)\Z", re.DOTALL)
_PAGE = re.compile(rf"{ADR_DIRECTORY}/(?P<decision>{_DECISION})\.md\Z")
_READERS: dict[str, re.Pattern[str]] = {
    kind: re.compile(
        re.escape(place).replace(r"\{", "{").replace(r"\}", "}").format(**_PARTS) + r"\Z"
    )
    for kind, place in PLACES.items()
}


@dataclass(frozen=True, slots=True)
class Location:
    """What the path of a file says about it.

    `signature` is set on detached signatures, whose `path` is that of the file they sign.
    """

    path: str
    kind: str
    decision: str = ""
    round: int = 0
    name: str = ""
    number: int = 0
    signature: Scheme | None = None


def path_of(
    kind: str, decision: str, *, round_number: int = 0, name: str = "", number: int = 0
) -> str:
    """The path of a file of a decision, for a kind of `PLACES`."""
    place = PLACES[kind].format(round=round_number, name=name, number=number)
    return f"{ROOT}/{decision}/{place}"


def evidence_directory(decision: str) -> str:
    """Where a decision keeps evidence that is on no protected branch, with a slash at the end."""
    return f"{ROOT}/{decision}/evidence/"


def directory_of(decision: str) -> str:
    """The directory of a decision, with a slash at the end."""
    return f"{ROOT}/{decision}/"


def with_signatures(path: str) -> tuple[str, ...]:
    """The path of a file, and those where its signatures stand. Evidence is not signed."""
    if "/evidence/" in path:
        return (path,)
    return (path, *(path + suffix for suffix in SIGNATURES.values()))


def page_of(decision: str) -> str:
    """The path of the page of a decision."""
    return f"{ADR_DIRECTORY}/{decision}.md"


def find_paged(path: str) -> str | None:
    """The decision that a page would be of; None for the index and whatever else is there."""
    page = _PAGE.match(path)
    return page["decision"] if page else None


def is_decision(name: str) -> bool:
    """Whether a directory of this name can be a decision; others are findings, and no more."""
    return _IS_DECISION.match(name) is not None


def find_location(path: str) -> Location | None:
    """What stands at a path below `decisions/`, or None when nothing belongs there."""
    for scheme, suffix in SIGNATURES.items():
        if path.endswith(suffix) and "/evidence/" not in path:
            signed = _find_plain(path.removesuffix(suffix))
            if signed is None:
                return None
            return Location(
                signed.path,
                signed.kind,
                signed.decision,
                signed.round,
                signed.name,
                signed.number,
                scheme,
            )
    return _find_plain(path)


def next_file_number(paths: Iterable[str], name: str) -> int:
    """The number of the next file of a name, where files of one name are numbered from 1 on."""
    places = map(find_location, paths)
    return max((one.number for one in places if one and one.name == name), default=0) + 1


def _find_plain(path: str) -> Location | None:
    if path in _SHARED:
        return Location(path, _SHARED[path])
    if path.startswith(TEMPLATES):
        return Location(path, "template")
    split = _SPLIT.match(path)
    if split is None:
        return None
    decision, rest = split["decision"], split["rest"]
    if rest.startswith("evidence/"):
        return Location(path, "evidence", decision)
    place = _find_place(rest)
    return None if place is None else Location(path, place.kind, decision, *place[1:])


class _Place(NamedTuple):
    kind: str
    round: int
    name: str
    number: int


@lru_cache(maxsize=1024)  # decisions have the same few places, for the same few members
def _find_place(rest: str) -> _Place | None:
    for kind, reader in _READERS.items():
        found = reader.match(rest)
        if found is not None:
            parts = found.groupdict()
            return _Place(
                kind,
                int(parts.get("round") or 0),
                parts.get("name") or "",
                int(parts.get("number") or 0),
            )
    return None
