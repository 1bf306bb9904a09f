"""A merge: what it has that none of its parents has, and what was signed twice (section 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from accord.model.finding import Finding
from accord.model.paths import LEDGER, ROOT, directory_of, find_location
from accord.store.tree import Tree
from accord.verify.decision import Sources
from accord.verify.signed_once import SIGNED_ONCE, list_signed_once

# What follows from other files: a merge may write it anew.
_GENERATED = frozenset({"record"})


@dataclass(frozen=True, slots=True)
class Merge:
    """A commit with several parents, the first of which is the branch that it moved."""

    oid: str
    tree: Tree
    parents: Sequence[Tree]


def judge_merge(
    merge: Merge,
    tip: Tree,
    sources: Sources,
    changed_paths: Callable[[Tree, Tree, str], Sequence[str]],
) -> Iterator[Finding]:
    """What only the parents of a merge show. `tip` is what all of it ends in.

    `sources` say by what signatures are judged: whoever writes a file that nobody signed takes
    nobody's place.
    """
    differing = [set(changed_paths(parent, merge.tree, ROOT)) for parent in merge.parents]
    for path in sorted(set.intersection(*differing)):
        there = merge.tree.find(path)
        if there is None or _is_generated(path) or tip.find(path) != there:
            continue
        yield Finding(
            code="evil-merge",
            path=path,
            message=f"the merge {merge.oid[:12]} has content here that none of its parents has",
            hint="Take one parent's file in the merge; what is new comes in a commit of its own.",
        )
    for path, decision in _find_signed_twice(merge, set.union(*differing), sources):
        yield Finding(
            code="equivocation",
            path=path,
            message=f"the merge {merge.oid[:12]} joins two different files of this name",
            hint=f"Both say what only one may. `git log -- {directory_of(decision)}`"
            " shows who signed what; open a next round, or withdraw.",
        )


def _is_generated(path: str) -> bool:
    location = find_location(path)
    return path == LEDGER or (location is not None and location.kind in _GENERATED)


def _find_signed_twice(
    merge: Merge, changed: set[str], sources: Sources
) -> Iterator[tuple[str, str]]:
    """The path and the decision of what parents hold in two versions, both authenticated."""
    places = [place for place in map(find_location, changed) if place is not None]
    decisions = {place.decision for place in places if place.kind in SIGNED_ONCE}
    for decision in sorted(decisions):
        files: dict[str, set[str | None]] = {}
        for parent in merge.parents:
            for held in list_signed_once(parent, decision, sources.trusting()):
                files.setdefault(held.path, set()).add(held.objects[0])
        yield from ((path, decision) for path, found in sorted(files.items()) if len(found) > 1)
