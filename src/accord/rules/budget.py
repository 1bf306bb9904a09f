"""How much of what a change brings is signed by nobody (section 9, what judging may cost).

Whoever may push can make others read. What a member signed is answered for, however much it is;
of the rest only so many bytes are judged, and whoever sends more is told so at once. The measure
is bytes, never seconds: it is the same on every machine, and known before anything is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from typing import NamedTuple

from accord.model.paths import find_location, find_paged

MOST_UNSIGNED = 16 << 20
LEAST = 4096  # what the smallest file weighs: to open and to refuse it costs as much
_READ = 256 << 10
_EVIDENCE = 10 << 20
_BUNDLE = 8  # to check a bundle takes many times as long as to read it


class Entering(NamedTuple):
    """A file that a commit brings: where, which object, of how many bytes."""

    path: str
    oid: str
    size: int


def weigh(file: Entering) -> int:
    """What a file costs whoever judges it, in bytes. What is too large is refused unread."""
    location = find_location(file.path)
    if location is not None and location.kind == "evidence":
        limit = _EVIDENCE
    elif (location is not None and location.decision) or find_paged(file.path):
        limit = _READ
    else:
        limit = 0
    heavy = _BUNDLE if location is not None and location.signature == "sigstore" else 1
    return max(file.size, LEAST) * heavy if file.size <= limit else LEAST


def count_unsigned(files: Iterable[Entering], vouched: Set[Entering]) -> int:
    """What some files weigh without those that a member answers for.

    `vouched` are the files with a good signature, their signatures, and evidence that a signed
    file names by its digest. One signature answers for one file: copies of it do not count.
    Records and pages are generated from what is signed, so they weigh what they have beyond it.
    """
    answered: set[str] = set()
    signed: Counter[str] = Counter()
    generated: Counter[str] = Counter()
    weight = 0
    for file in files:
        decision, kind = _place(file.path)
        if file in vouched and file.oid not in answered:
            answered.add(file.oid)
            signed[decision] += weigh(file)
        elif kind in ("record", "page"):
            generated[decision] += weigh(file)
        else:
            weight += weigh(file)
    return weight + (generated - signed).total()


def _place(path: str) -> tuple[str, str]:
    location = find_location(path)
    if location is not None:
        return location.decision, "signature" if location.signature else location.kind
    paged = find_paged(path)
    return (paged, "page") if paged is not None else ("", "")
