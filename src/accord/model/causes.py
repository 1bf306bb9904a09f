"""Which findings of a report are causes, and which only follow from them (section 9).

A finding follows from another one of the same decision when it goes away with it: a record is
early because a vote does not count any more, an affirmation is stale because a vote was edited.
Whoever did what the hint of such a finding says would do harm, so people are shown the causes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from accord.model.finding import CODES, Finding
from accord.model.paths import POLICY, SIGNATURES, find_location, find_paged


def _about(*groups: str) -> frozenset[str]:
    return frozenset(
        code for code, entry in CODES.items() if entry.about in groups and entry.severity == "error"
    )


# What was done to what counted, and to the policy: nothing else explains it.
_DEEDS = _about("policy") | {
    "not-a-regular-file",
    "frozen-file-changed",
    "signed-file-deleted",
    "equivocation",
}
# A file does not stand there as it should, or does not count.
_FILE = (
    _about("signatures", "vote", "agreement")
    | {"yaml-invalid", "schema-invalid", "unsupported-format", "file-too-large"}
    | {"not-a-regular-file", "seal-missing", "seal-mismatch"}
    | {"frozen-file-changed", "signed-file-deleted"}
)
_ROUND = _about("ballot", "rounds")
_STATUS = _FILE | _ROUND | {"decision-ended"}
_RECORD = _STATUS | _about("after")
_PAGE = _RECORD | {"record-missing", "record-early", "record-differs"}
# What a decision comes to → the codes, in the same decision, from which it follows.
_OUTCOMES: dict[str, frozenset[str]] = {
    "undecided-on-protected-branch": _STATUS,
    "record-missing": _RECORD,
    "record-early": _RECORD,
    "record-differs": _RECORD,
    "adr-stale": _PAGE,
    "page-without-record": _PAGE,
}
# What a file says of those before it: it follows from what is wrong with one of them.
_BINDINGS = frozenset(
    {
        "ballot-mismatch",
        "stale-file",
        "seal-missing",
        "seal-mismatch",
        "seal-unopened",
        "revealed-before-sealed",
        "seal-order-unproven",
        "round-gap",
        "round-not-allowed",
        "objection-unanswered",
        "amendment-differs",
        "amendment-unfounded",
        "synthesis-missing",
    }
)
# Codes that follow from another one at the same path.
_SAME_PATH: dict[str, frozenset[str]] = {
    "frozen-file-changed": frozenset({"equivocation"}),
    "unexpected-file": frozenset({"not-a-regular-file", "signed-file-deleted"}),
    "policy-invalid": frozenset({"policy-removed"}),
    "round-not-allowed": frozenset({"decision-ended"}),
    "round-limit-exceeded": frozenset({"decision-ended"}),
    **dict.fromkeys(_about("ballot"), frozenset({"frozen-file-changed", "decision-ended"})),
}
# Of these, what is about the seals of all, not only that of the voter.
_OF_ALL = frozenset({"revealed-before-sealed", "seal-order-unproven"})
# Codes that follow from another one in the same round.
_SAME_ROUND: dict[str, frozenset[str]] = {
    "seal-order-unproven": frozenset({"revealed-before-sealed"}),
}
_LAST = 10**6  # after all rounds
# Where a file stands among those of its round, or after the rounds: it is bound to those before.
_LEVELS: dict[str, int] = {
    "proposal": 0,
    "round": 1,
    "seal": 2,
    "vote": 3,
    "amendment": 4,
    "affirmation": 5,
    "close": 5,
    "resolution": 6,
    "synthesis": 2,
    "check": 3,
    "rederivation": 3,
    "ruling": 3,
    "withdrawal": 3,
    "record": 9,
}


class Traced(NamedTuple):
    """A finding, and the one that it follows from: None if it is a cause itself."""

    finding: Finding
    cause: Finding | None


class _Place(NamedTuple):
    """Where a finding stands in its decision."""

    decision: str
    round: int
    level: int
    name: str


def trace(findings: Iterable[Finding]) -> tuple[Traced, ...]:
    """All findings, those that explain others first, each with the cause that it follows from."""
    ordered = sorted(findings, key=_rank)
    known = _Known(ordered)
    traced = []
    for finding in ordered:
        cause = known.find(finding)
        while cause is not None and (deeper := known.find(cause)) is not None:
            cause = deeper
        traced.append(Traced(finding, cause))
    return tuple(traced)


def _rank(finding: Finding) -> tuple[int, str, int, int, int, int]:
    """Deeds, then other errors, then what the decision comes to, then warnings; each by place."""
    if finding.severity == "warning":
        rank = 4
    elif finding.code in _OUTCOMES:
        # Where it stands is what everybody sees; what was written of it is what to look at.
        rank = 3 if finding.code == "undecided-on-protected-branch" else 2
    else:
        rank = 0 if finding.code in _DEEDS or finding.path == POLICY else 1
    order = _ORDER[finding.code]
    # A policy is made right before it is proposed, whatever line that is in.
    first = order if finding.path == POLICY else 0
    return rank, finding.path, first, finding.line or 0, finding.column or 0, order


_ORDER = {code: number for number, code in enumerate(CODES)}


class _Known:
    """The errors of a report, by what others may follow from. Nothing here looks at all of them."""

    def __init__(self, ordered: Iterable[Finding]) -> None:
        self._at: dict[str, dict[str, Finding]] = {}
        self._links: dict[str, Finding] = {}
        # By decision, the first of each code; by round and level, the first, and that of a member.
        self._codes: dict[str, dict[str, Finding]] = {}
        self._rounds: dict[tuple[str, int, str], Finding] = {}
        self._levels: dict[str, dict[tuple[int, int], Finding]] = {}
        self._members: dict[_Place, Finding] = {}
        for finding in ordered:
            if finding.severity == "error":
                self._add(finding)
        self._levels = {name: dict(sorted(one.items())) for name, one in self._levels.items()}

    def _add(self, finding: Finding) -> None:
        code = finding.code
        self._at.setdefault(finding.path, {}).setdefault(code, finding)
        if code == "not-a-regular-file":
            self._links.setdefault(finding.path, finding)
        place = _find_place(finding.path)
        if place is None:
            return
        if place.level < _LEVELS["record"] or code.startswith("record-"):
            self._codes.setdefault(place.decision, {}).setdefault(code, finding)
        self._rounds.setdefault((place.decision, place.round, code), finding)
        if code in _FILE or code in _ROUND:
            levels = self._levels.setdefault(place.decision, {})
            levels.setdefault((place.round, place.level), finding)
            self._members.setdefault(place, finding)

    def find(self, finding: Finding) -> Finding | None:
        """What a finding follows from; never one that follows from it."""
        found = self._find_above(finding) or self._find_beside(finding)
        place = _find_place(finding.path)
        if found is not None or place is None:
            return found
        if finding.code in _OUTCOMES:
            return self._find_reason(finding, place)
        return self._find_before(finding, place) if finding.code in _BINDINGS else None

    def _find_above(self, finding: Finding) -> Finding | None:
        """A link or submodule that stands where a directory belongs hides all below it."""
        parts = finding.path.split("/") if self._links else []
        above = ("/".join(parts[:count]) for count in range(1, len(parts)))
        return next((self._links[path] for path in above if path in self._links), None)

    def _find_beside(self, finding: Finding) -> Finding | None:
        """What is said of a file need not be said again, nor of its signature."""
        for suffix in SIGNATURES.values():
            if finding.path.endswith(suffix):
                return self._at.get(finding.path.removesuffix(suffix), {}).get(finding.code)
        causes = _SAME_PATH.get(finding.code, frozenset())
        return _pick(self._at.get(finding.path, {}), causes)

    def _find_reason(self, finding: Finding, place: _Place) -> Finding | None:
        """Why the decision does not come to what it should."""
        return _pick(self._codes.get(place.decision, {}), _OUTCOMES[finding.code])

    def _find_before(self, finding: Finding, place: _Place) -> Finding | None:
        """What is wrong with a file that this one is bound to."""
        for code in _SAME_ROUND.get(finding.code, ()):
            if (place.decision, place.round, code) in self._rounds:
                return self._rounds[place.decision, place.round, code]
        for (round_, level), first in self._levels.get(place.decision, {}).items():
            if (round_, level) >= (place.round, place.level):
                break
            # A vote is bound to its own seal, not to those of others; but order is of all.
            of_one = round_ == place.round and level == _LEVELS["seal"] < place.level
            if not of_one or place.level > _LEVELS["vote"] or finding.code in _OF_ALL:
                return first
            own = self._members.get(_Place(place.decision, round_, level, place.name))
            if own is not None:
                return own
        return None


def _pick(there: Mapping[str, Finding], causes: frozenset[str]) -> Finding | None:
    """The first finding of these codes, as findings are ordered."""
    return min((there[code] for code in causes & there.keys()), key=_rank, default=None)


def _find_place(path: str) -> _Place | None:
    paged = find_paged(path)
    if paged is not None:
        return _Place(paged, _LAST, _LEVELS["record"], "")
    location = find_location(path)
    if location is None or location.kind not in _LEVELS:
        return None
    return _Place(location.decision, location.round or _LAST, _LEVELS[location.kind], location.name)
