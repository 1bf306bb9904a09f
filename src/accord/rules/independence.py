"""Counting evidence, not votes (section 6).

For each load-bearing artifact, over the winners: *strict* counts those that used it
themselves; *collapsed* counts all that lean on some claim about it without it as one, for many
summaries of one artifact are one voice; *disjoint* is the size of a largest set of winners whose
paths on it, pairs (artifact, via), are pairwise disjoint. The effective number is the minimum
over the artifacts.
Exact fractions, no floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

from accord.model.evaluation import ArtifactCount, IndependenceCount
from accord.model.policy import Independence
from accord.rules.claims import ANYTHING
from accord.rules.evidence import Manifest, Use

Uses = Mapping[str, frozenset[Use]]


def count_independence(
    manifest: Manifest, winners: Uses, wanted: Independence
) -> IndependenceCount | None:
    """The three counts over the winners' votes, or None where nothing is load-bearing."""
    if not manifest.load_bearing:
        return None
    counts = tuple(
        _count_artifact(manifest, winners, artifact) for artifact in sorted(manifest.load_bearing)
    )
    return IndependenceCount(
        strict=min(len(count.strict) for count in counts),
        collapsed=min(len(count.collapsed) for count in counts),
        disjoint=min(len(count.disjoint) for count in counts),
        required=2 * wanted.f + 1,
        accounting=wanted.accounting,
        overlap_warning=wanted.overlap_warning,
        artifacts=counts,
    )


def _count_artifact(manifest: Manifest, winners: Uses, artifact: str) -> ArtifactCount:
    disjoint = _find_disjoint(winners, artifact)
    vias = {via for voter in disjoint for via in _paths_on(winners[voter], artifact)}
    return ArtifactCount(
        artifact=manifest.name_of(artifact),
        strict=_find_strict(winners, artifact),
        collapsed=_collapse(winners, artifact),
        disjoint=disjoint,
        vias=tuple(sorted(vias)) if len(disjoint) > 1 else (),
    )


def _find_strict(winners: Uses, artifact: str) -> tuple[str, ...]:
    return tuple(sorted(voter for voter, uses in winners.items() if _paths_on(uses, artifact)))


def _paths_on(uses: frozenset[Use], artifact: str) -> frozenset[str]:
    return frozenset(use.via for use in uses if use.artifact == artifact and use.kind == "primary")


def _collapse(winners: Uses, artifact: str) -> tuple[tuple[str, ...], ...]:
    leaning = tuple(
        voter
        for voter, uses in sorted(winners.items())
        if not _paths_on(uses, artifact) and any(use.speaks_of(artifact) for use in uses)
    )
    single = [(voter,) for voter in winners if voter not in leaning]
    return tuple(sorted([*single, leaning] if leaning else single))


def _find_disjoint(winners: Uses, artifact: str) -> tuple[str, ...]:
    """A largest set packing. The vias are few (section 3.2), so it is exact."""
    paths: dict[frozenset[str], str] = {}
    for voter, uses in sorted(winners.items()):
        vias = _paths_on(uses, artifact)
        if vias:
            paths.setdefault(vias, voter)
    # A set that holds another is never the better choice: the two exclude each other anyway.
    minimal = {vias: voter for vias, voter in paths.items() if not any(o < vias for o in paths)}
    best: dict[frozenset[str], tuple[str, ...]] = {}

    def pack(free: frozenset[str]) -> tuple[str, ...]:
        if free in best:
            return best[free]
        fitting = [vias for vias in minimal if vias <= free]
        if not fitting:
            return ()
        pivot = min(min(vias) for vias in fitting)
        packed = pack(free - {pivot})
        for vias in sorted((vias for vias in fitting if pivot in vias), key=sorted):
            packed = max(packed, (minimal[vias], *pack(free - vias)), key=len)
        best[free] = packed
        return packed

    return tuple(sorted(pack(frozenset().union(*minimal))))


def find_correlations(
    voters: Uses, winners: Uses, manifest: Manifest, *, roster: int, quorum: int | None
) -> tuple[str, ...]:
    """Sentences about claims that could have carried the agreement.

    `quorum` is 2f+1 for `bft_quorum`, None for unanimity; `roster` the number of voters.
    """
    leaning: dict[str, set[str]] = {}
    for voter, uses in voters.items():
        for use in uses:
            if use.kind == "claim":
                leaning.setdefault(use.artifact, set()).add(voter)
    sentences = []
    for claim, who in sorted(leaning.items(), key=lambda item: manifest.name_of(item[0])):
        if winners and who >= winners.keys():
            sentences.append(
                f"the claim {manifest.name_of(claim)} is in the evidence of everybody who agrees"
            )
        elif quorum is not None and Fraction(len(who), roster) >= 1 - Fraction(quorum, roster):
            sentences.append(
                f"the claim {manifest.name_of(claim)} is in the evidence of {len(who)} of"
                f" {roster} voters: without them no quorum is sure"
            )
    return tuple(sentences)


def mean_overlap(winners: Uses) -> Fraction | None:
    """The mean pairwise Jaccard overlap of what the winners used; None for fewer than two."""
    pairs = list(combinations(sorted(winners), 2))
    if not pairs:
        return None
    total = Fraction(0)
    for one, other in pairs:
        first, second = _paths(winners[one]), _paths(winners[other])
        union = first | second
        total += Fraction(len(first & second), len(union)) if union else 0
    return total / len(pairs)


def _paths(uses: frozenset[Use]) -> frozenset[tuple[str, str, str]]:
    return frozenset((use.artifact, use.via, use.kind) for use in uses)


def find_bare_claims(winners: Uses, manifest: Manifest) -> Mapping[str, tuple[str, ...]]:
    """The winners that lean on a claim without the primary it is about, and the claims.

    Where nobody says what a claim is about, it is what the decision rests on.
    """
    bare: dict[str, tuple[str, ...]] = {}
    for voter, uses in sorted(winners.items()):
        own = {use.artifact for use in uses if use.kind == "primary"}
        ground = own | ({ANYTHING} if own & manifest.load_bearing else set())
        claims = {
            manifest.name_of(use.artifact)
            for use in uses
            if use.kind == "claim" and not use.about & ground
        }
        if claims:
            bare[voter] = tuple(sorted(claims))
    return bare
