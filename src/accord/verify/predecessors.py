"""Which older decisions matter to one: those it names, and those that refused its text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from accord.model.paths import AMENDMENTS, PROPOSALS, find_location
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment
from accord.model.snapshot import DecisionFiles, Settled
from accord.store.parse import parse_file
from accord.store.tree import Tree


def find_names(files: DecisionFiles) -> frozenset[str]:
    """The older decisions that a decision names, in rounds that an authority has opened.

    What a draft names is nobody's word yet, and is not followed.
    """
    opened = (r.draft.record for r in files.rounds if r.draft and r.proposal and r.ballot)
    return names_of(opened) - {files.id}


def names_of(proposals: Iterable[Proposal]) -> frozenset[str]:
    """The older decisions that proposals name."""
    return frozenset(
        name for p in proposals for name in (p.continues, p.reopens, p.supersedes) if name
    )


def find_entering(files: DecisionFiles, settled: Settled) -> tuple[Proposal, ...]:
    """The proposals whose ballots come with the step that is judged."""
    return tuple(
        round_.proposal.record
        for round_ in files.rounds
        if round_.proposal and round_.ballot and round_.ballot.path not in settled.ballots
    )


class Rivals(NamedTuple):
    """By text, the decisions that have it; by older decision, those that would decide it anew."""

    by_text: Mapping[str, frozenset[str]]
    by_target: Mapping[str, frozenset[str]]


def find_rivals(tree: Tree, texts: Collection[str], targets: Collection[str]) -> Rivals:
    """Where a tree puts one of these texts to the vote, or one of these decisions anew.

    Drafts too. It costs the same however many decisions are about something else.
    """
    by_text: dict[str, set[str]] = {}
    by_target: dict[str, set[str]] = {}
    for decision, record in _read_texts(tree, {*texts, *targets}):
        if record.text in texts:
            by_text.setdefault(record.text, set()).add(decision)
        if isinstance(record, Proposal):
            for target in {record.reopens, record.supersedes}.intersection(targets):
                by_target.setdefault(target or "", set()).add(decision)
    return Rivals(_freeze(by_text), _freeze(by_target))


def _freeze(sets: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(found) for key, found in sets.items()}


def _read_texts(tree: Tree, words: Collection[str]) -> Iterator[tuple[str, Proposal | Amendment]]:
    for path in tree.search((PROPOSALS, AMENDMENTS), words):
        location = find_location(path)
        if location is None or location.kind not in ("proposal", "amendment"):
            continue
        record, _ = parse_file(tree.read(path), path, location.kind)
        if isinstance(record, Proposal | Amendment):
            yield location.decision, record
