"""What newer decisions make of an older one: never stored in it, computed (section 7, reversal)."""

from __future__ import annotations

from collections.abc import Iterable

from accord.model.evaluation import IN_FORCE
from accord.model.succession import Succession, Successor, View
from accord.rules.evaluate import Judgement

# What stands above what, when several newer decisions name the same older one.
_RANK: dict[View, int] = {"superseded": 0, "reversed": 1, "under_redecision": 2, "upheld": 3}


def read_successor(judgement: Judgement) -> Successor | None:
    """The decision as a successor of others, or None if it names none.

    A draft redecides nothing yet: it is in nobody's name.
    """
    if not judgement.rounds:
        return None
    proposal = judgement.rounds[-1].proposal.record
    if proposal.reopens is None and proposal.supersedes is None:
        return None
    return Successor(
        decision=judgement.evaluation.decision,
        status=judgement.evaluation.status,
        reopens=proposal.reopens,
        supersedes=proposal.supersedes,
    )


def find_successions(successors: Iterable[Successor]) -> dict[str, Succession]:
    """Older decision → what the newer ones make of it.

    While a newer one runs, the older is under redecision. When it has ended, the older is
    superseded or reversed if the newer was accepted, and upheld if it was not. Of several the
    gravest counts, of equals the newest.
    """
    found: dict[str, Succession] = {}
    for successor in sorted(successors, key=lambda one: one.decision):
        for older, view in _read_views(successor):
            before = found.get(older)
            if before is None or _RANK[view] <= _RANK[before.view]:
                found[older] = Succession(view=view, by=successor.decision)
    return found


def _read_views(successor: Successor) -> list[tuple[str, View]]:
    views: tuple[tuple[str | None, View], ...] = (
        (successor.supersedes, "superseded"),
        (successor.reopens, "reversed"),
    )
    return [
        (older, accepted if successor.status in IN_FORCE else _view_of(successor))
        for older, accepted in views
        if older is not None
    ]


def _view_of(successor: Successor) -> View:
    ended = successor.status in ("rejected", "withdrawn")
    return "upheld" if ended else "under_redecision"
