"""What a member signs once: ballots, seals and votes, as they stand in a tree."""

from __future__ import annotations

from collections.abc import Iterator

from accord.model.paths import directory_of, with_signatures
from accord.rules.lost import Held
from accord.store.tree import Tree
from accord.verify.decision import Sources, judge_decision

SIGNED_ONCE = frozenset({"round", "seal", "vote"})


def list_signed_once(tree: Tree, decision: str, sources: Sources) -> Iterator[Held]:
    """Those of a decision whose signatures are good."""
    if not tree.list(directory_of(decision)):
        return
    for round_ in judge_decision(tree, decision, sources).files.rounds:
        ballots = (round_.ballot,) if round_.ballot is not None else ()
        for file in (*ballots, *round_.seals, *round_.votes):
            yield hold(tree, file.path, decision)


def hold(tree: Tree, path: str, decision: str) -> Held:
    """A file as a tree has it, whoever signed it."""
    entries = map(tree.find, with_signatures(path))
    return Held(path, tuple(entry and entry.oid for entry in entries), decision)
