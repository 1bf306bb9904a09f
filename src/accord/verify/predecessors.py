"""Which older decisions matter to one: those it names, and those that refused its text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from accord.model.proposal import Proposal
from accord.model.snapshot import DecisionFiles, Settled
from accord.store.mentions import Mention, Mentions
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


def find_rivals(
    mentions: Mentions, tree: Tree, texts: Collection[str], targets: Collection[str]
) -> Rivals:
    """Where a tree puts one of these texts to the vote, or one of these decisions anew.

    Drafts too. What was read before is not read again, however many decisions there are.
    """
    found = mentions.find(
        tree,
        [
            *(Mention("text", text) for text in texts),
            *(Mention("redecides", target) for target in targets),
        ],
    )
    return Rivals(
        {text: found[Mention("text", text)] for text in texts},
        {target: found[Mention("redecides", target)] for target in targets},
    )
