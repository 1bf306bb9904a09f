"""What was signed and is nowhere any more (section 9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from accord.model.finding import Finding


class Held(NamedTuple):
    """A ballot, seal or vote, as a ref holds it: the objects of the file and its signatures."""

    path: str
    objects: tuple[str | None, ...]
    decision: str


def find_lost(before: Iterable[Held], after: Collection[Held], ref: str) -> tuple[Finding, ...]:
    """What a ref held before it was moved or removed, and no ref holds after that.

    Whoever may push may remove a branch; whether a refusal was cast may not hang on that.
    """
    return tuple(
        Finding(
            code="ballot-lost",
            path=held.path,
            message=f"{ref} held it, and after this push no branch or tag would",
            hint=f"Keep it: merge or withdraw {held.decision} first, or push {ref} under another"
            " name too.",
        )
        for held in before
        if held not in after
    )
