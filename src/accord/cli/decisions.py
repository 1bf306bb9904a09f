"""Any unique part of a decision's id is understood on the command line (section 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from accord.errors import UsageError
from accord.model.paths import ROOT, is_decision

if TYPE_CHECKING:
    from accord.store.tree import Tree

SHOWN = 8


def list_decisions(tree: Tree) -> tuple[str, ...]:
    """The ids of the decisions in a tree, in order; directories of other names are left out."""
    from accord.store import load

    return tuple(filter(is_decision, load.list_decisions(tree)))


def find_decision(ids: Sequence[str], part: str) -> str:
    """The one id that `part` is, or is a part of: whole ids first, then whole slugs.

    Raises UsageError with the candidates when there are several, with the nearest when none.
    """
    part = part.removeprefix(f"{ROOT}/").rstrip("/")
    for matches in (
        [id_ for id_ in ids if part == id_],
        [id_ for id_ in ids if part == id_[11:]],
        [id_ for id_ in ids if part and part in id_],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UsageError(
                f"{part!r} is a part of {len(matches)} decisions",
                "say more of the one you mean:\n" + _list(matches),
            )
    raise UsageError(f"no decision has {part!r} in its id", _nearest(ids, part))


def _nearest(ids: Sequence[str], part: str) -> str:
    from difflib import get_close_matches

    if not ids:
        return "there is no decision here yet; `accord propose` drafts one"
    slugs = {id_[11:]: id_ for id_ in ids}
    near = [slugs[slug] for slug in get_close_matches(part, slugs, cutoff=0.5)]
    return "did you mean one of these?\n" + _list(near) if near else "`accord status` lists them"


def _list(ids: Sequence[str]) -> str:
    shown = [f"  {id_}" for id_ in ids[:SHOWN]]
    more = len(ids) - len(shown)
    return "\n".join([*shown, f"  and {more} more"] if more else shown)
