"""Which older decisions matter to one: those it names, and those that refused its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from accord.model.paths import directory_of, find_location
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment
from accord.model.snapshot import DecisionFiles, Predecessor, Settled
from accord.rules.evaluate import Judgement
from accord.rules.predecessors import hand_down
from accord.store.load import list_decisions
from accord.store.parse import parse_file
from accord.store.tree import Tree


def find_predecessors(
    tree: Tree,
    files: DecisionFiles,
    settled: Settled,
    judge: Callable[[str], Judgement],
    seen: frozenset[str],
) -> dict[str, Predecessor]:
    """What the older decisions hand down to this one. `seen` ends circles of names.

    Where a ballot enters these are also those that it does not name and that have its text.
    """
    proposals = [round_.draft.record for round_ in files.rounds if round_.draft is not None]
    entering = {
        round_.draft.record.text
        for round_ in files.rounds
        if round_.draft and round_.ballot and round_.ballot.path not in settled.ballots
    }
    redone = {name for p in proposals for name in (p.reopens, p.supersedes) if name is not None}
    named = redone | {p.continues for p in proposals if p.continues is not None}
    rivals: dict[str, set[str]] = {}
    if entering:
        for other in list_decisions(tree):
            for record in _read_texts(tree, other) if other != files.id else ():
                if record.text in entering:
                    named.add(other)
                if isinstance(record, Proposal):
                    for target in redone & {record.reopens, record.supersedes}:
                        rivals.setdefault(target, set()).add(other)
    there = {name for name in named if tree.list(directory_of(name))}
    handed: dict[str, Predecessor] = {}
    for name in sorted(there - seen - {files.id}):
        older = judge(name)
        open_rivals = {rival for rival in rivals.get(name, ()) if not judge(rival).evaluation.ended}
        handed[name] = hand_down(name, older.evaluation, older.rounds, frozenset(open_rivals))
    return handed


def _read_texts(tree: Tree, decision: str) -> Iterator[Proposal | Amendment]:
    for entry in tree.list(f"{directory_of(decision)}rounds"):
        location = find_location(entry.path)
        if location is None or location.signature or location.kind not in ("proposal", "amendment"):
            continue
        record, _ = parse_file(tree.read(entry.path), entry.path, location.kind)
        if isinstance(record, Proposal | Amendment):
            yield record
