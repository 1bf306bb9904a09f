"""Counting evidence: copies of a source add nothing, and the packing is exact."""

from __future__ import annotations

from itertools import combinations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.model.evaluation import IndependenceCount
from accord.model.evidence import ManifestEntry, UsedEvidence
from accord.model.policy import Independence
from accord.rules.claims import ANYTHING
from accord.rules.evidence import (
    Manifest,
    Use,
    find_uses,
    find_vote_uses,
    mark_manifest,
    read_manifest,
)
from accord.rules.independence import (
    count_independence,
    find_bare_claims,
    find_correlations,
    mean_overlap,
)
from tests.properties.worlds import FOUR, MANIFEST, VIAS
from tests.support import files as b

uses = st.dictionaries(
    st.sampled_from([f"v{n}" for n in range(7)]),
    st.lists(st.sampled_from([*VIAS, "analysed", "reproduced"]), max_size=3),
)


def _count(manifest: Manifest, winners: dict[str, frozenset[Use]]) -> IndependenceCount:
    count = count_independence(manifest, winners, Independence(f=1))
    assert count is not None
    return count


@given(uses)
def test_the_disjoint_packing_equals_brute_force(vias: dict[str, list[str]]) -> None:
    key = b.digest_of("schema")
    manifest = read_manifest(b.MANIFEST)
    winners = {
        voter: frozenset(Use(key, via, "primary") for via in used) for voter, used in vias.items()
    }
    paths = [(voter, set(used)) for voter, used in vias.items() if used]
    best = max(
        size
        for size in range(len(paths) + 1)
        if any(
            all(not one[1] & other[1] for one, other in combinations(chosen, 2))
            for chosen in combinations(paths, size)
        )
    )
    count = _count(manifest, winners)
    (artifact,) = count.artifacts
    assert count.disjoint == best
    assert all(
        not set(vias[one]) & set(vias[other]) for one, other in combinations(artifact.disjoint, 2)
    )


voters_evidence = st.dictionaries(
    st.sampled_from(FOUR),
    st.lists(
        st.tuples(st.sampled_from([entry.id for entry in MANIFEST]), st.sampled_from(VIAS)),
        max_size=4,
    ),
)


@given(st.data(), voters_evidence)
def test_a_source_in_copies_is_one_source(
    data: st.DataObject, evidence: dict[str, list[tuple[str, str]]]
) -> None:
    """Every voter may cite another copy of the same bytes, under another id and path."""
    copies = tuple(
        msgspec.structs.replace(entry, id=f"{entry.id}-copy", artifact=f"copies/{entry.id}")
        for entry in MANIFEST
        if entry.digest
    )
    plain, copied = read_manifest(MANIFEST), read_manifest((*MANIFEST, *copies))
    known = {entry.id for entry in copies}

    def cite(evidence_id: str) -> str:
        other = f"{evidence_id}-copy"
        return other if other in known and data.draw(st.booleans()) else evidence_id

    winners = {
        voter: find_uses(plain, [UsedEvidence(id=i, via=via) for i, via in used])
        for voter, used in evidence.items()
    }
    citing = {
        voter: find_uses(copied, [UsedEvidence(id=cite(i), via=via) for i, via in used])
        for voter, used in evidence.items()
    }
    before, after = _count(plain, winners), _count(copied, citing)
    assert after.strict <= before.strict
    assert after.collapsed <= before.collapsed
    assert after.disjoint <= before.disjoint


AGAIN = msgspec.structs.replace(MANIFEST[-1], id="again", summarizes="schema")


@given(st.permutations([*MANIFEST, AGAIN]))
def test_one_claim_about_two_artifacts_is_about_both(entries: list[ManifestEntry]) -> None:
    manifest = read_manifest(tuple(entries))
    (use,) = find_uses(manifest, [UsedEvidence(id="again")])
    assert use.about == {b.digest_of("schema"), b.digest_of("log")}


@given(voters_evidence)
def test_more_winners_never_lower_a_count(evidence: dict[str, list[tuple[str, str]]]) -> None:
    manifest = read_manifest(MANIFEST)
    winners = {
        voter: find_uses(manifest, [UsedEvidence(id=i, via=via) for i, via in used])
        for voter, used in evidence.items()
    }
    for voter in winners:
        fewer = {who: used for who, used in winners.items() if who != voter}
        before, after = _count(manifest, fewer), _count(manifest, winners)
        assert after.strict >= before.strict
        assert after.disjoint >= before.disjoint
        assert after.strict >= after.disjoint
        assert after.collapsed >= after.strict


@given(voters_evidence)
def test_marks_of_voters_only_tighten(evidence: dict[str, list[tuple[str, str]]]) -> None:
    """Whatever is marked as a claim, or as load-bearing, no count of independence rises."""
    plain = read_manifest(MANIFEST)
    files = b.open_round({"evidence": MANIFEST})
    entries = {v: [UsedEvidence(id=i, via=via) for i, via in used] for v, used in evidence.items()}
    for mark in (
        UsedEvidence(id="schema", kind="claim"),
        UsedEvidence(id="log", load_bearing=True),
        UsedEvidence(id="summary", load_bearing=True),
    ):
        vote = b.vote_file(files, "implementer", evidence=(mark,)).record
        marked = mark_manifest(plain, [vote], 1)
        assert marked.load_bearing >= plain.load_bearing
        before = _count(plain, {v: find_uses(plain, used) for v, used in entries.items()})
        after = _count(marked, {v: find_uses(marked, used) for v, used in entries.items()})
        assert after.strict <= before.strict
        assert after.disjoint <= before.disjoint
        assert mark_manifest(plain, [vote], 2).load_bearing == plain.load_bearing


@given(voters_evidence)
def test_overlap_is_a_share(evidence: dict[str, list[tuple[str, str]]]) -> None:
    manifest = read_manifest(MANIFEST)
    winners = {
        voter: find_uses(manifest, [UsedEvidence(id=i, via=via) for i, via in used])
        for voter, used in evidence.items()
    }
    overlap = mean_overlap(winners)
    assert (overlap is None) == (len(winners) < 2)
    assert overlap is None or 0 <= overlap <= 1


@given(voters_evidence)
def test_bare_claims_are_held_without_their_primary(
    evidence: dict[str, list[tuple[str, str]]],
) -> None:
    manifest = read_manifest(MANIFEST)
    winners = {
        voter: find_uses(manifest, [UsedEvidence(id=i, via=via) for i, via in used])
        for voter, used in evidence.items()
    }
    about = {"summary": "schema", "other": "log"}
    expected = {
        voter
        for voter, used in evidence.items()
        if any(claim in dict(used) and about[claim] not in dict(used) for claim in about)
    }
    assert set(find_bare_claims(winners, manifest)) == expected


def test_without_winners_no_claim_carries_anything() -> None:
    manifest = read_manifest(MANIFEST)
    holders = {"a": find_uses(manifest, [UsedEvidence(id="summary")])}
    assert find_correlations(holders, {}, manifest, roster=3, quorum=None) == ()
    assert find_correlations(holders, holders, manifest, roster=3, quorum=None) != ()


SCHEMA = b.digest_of("schema")
_lean = st.lists(st.sampled_from(["c1", "c2", "c3", "own"]), unique=True, max_size=3)


@given(st.dictionaries(st.sampled_from([f"v{n}" for n in range(6)]), _lean))
def test_many_summaries_of_one_artifact_are_one_voice(held: dict[str, list[str]]) -> None:
    manifest = read_manifest(b.MANIFEST)
    winners = {
        voter: frozenset(
            Use(SCHEMA, "read", "primary")
            if name == "own"
            else Use(name, "read", "claim", frozenset({SCHEMA if name == "c1" else ANYTHING}))
            for name in names
        )
        for voter, names in held.items()
    }
    (artifact,) = _count(manifest, winners).artifacts
    leaning = {voter for voter, names in held.items() if names and "own" not in names}
    groups = [group for group in artifact.collapsed if leaning & set(group)]
    assert groups == ([tuple(sorted(leaning))] if leaning else [])
    assert len(artifact.collapsed) == len(held) - len(leaning) + bool(leaning)


ELSEWHERE = [
    UsedEvidence(artifact="https://example.org/a"),
    UsedEvidence(artifact="HTTPS://example.ORG:443/b/../a#top"),
    UsedEvidence(artifact="https://example.org/a", digest=b.digest_of("page")),
    UsedEvidence(artifact="it is fine"),
    UsedEvidence(artifact="db/schema.sql"),
    UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml", digest=b.digest_of("ruling")),
    UsedEvidence(id="unheard-of"),
    UsedEvidence(id="schema", digest=b.digest_of("other")),
]
_cited = st.lists(st.sampled_from([*ELSEWHERE, UsedEvidence(id="summary")]), max_size=3)


@given(st.dictionaries(st.sampled_from(FOUR), _cited, min_size=1))
def test_a_claim_raises_nothing_wherever_it_stands(held: dict[str, list[UsedEvidence]]) -> None:
    """No count is higher for who leans on something out of sight than for who leans on a claim."""
    files = b.open_round()
    votes = [b.vote_file(files, who, evidence=tuple(used)).record for who, used in held.items()]
    manifest = mark_manifest(read_manifest(b.MANIFEST), votes, 1)
    count = _count(manifest, {vote.voter: find_vote_uses(manifest, vote) for vote in votes})
    leaning = [voter for voter, used in held.items() if used]
    assert (count.strict, count.disjoint) == (0, 0)
    assert count.collapsed == len(held) - len(leaning) + bool(leaning)


@given(st.permutations(ELSEWHERE[:3]), st.permutations(FOUR))
def test_one_page_in_all_spellings_saturates(
    spelled: list[UsedEvidence], voters: list[str]
) -> None:
    files = b.open_round()
    votes = [
        b.vote_file(files, voter, evidence=(used,)).record
        for voter, used in zip(voters, spelled, strict=False)
    ]
    manifest = mark_manifest(read_manifest(b.MANIFEST), votes, 1)
    winners = {vote.voter: find_vote_uses(manifest, vote) for vote in votes}
    assert len(find_correlations(winners, winners, manifest, roster=3, quorum=None)) == 1
