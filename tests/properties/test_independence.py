"""Counting evidence: copies of a source add nothing, and the packing is exact."""

from __future__ import annotations

from itertools import combinations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.model.evaluation import IndependenceCount
from accord.model.evidence import ManifestEntry, UsedEvidence
from accord.rules.evidence import Manifest, Use, find_uses, mark_manifest, read_manifest
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
    count = count_independence(manifest, winners, f=1, accounting="strict")
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


def _brute_groups(winners: dict[str, frozenset[Use]], artifact: str) -> set[frozenset[str]]:
    """Connected groups of those who lean on claims alone, by joining until nothing changes."""
    leaning = {
        voter: {use.artifact for use in used if artifact in use.about}
        for voter, used in winners.items()
        if not any(use.artifact == artifact and use.kind == "primary" for use in used)
    }
    groups = {frozenset({voter}) for voter in winners}
    while True:
        joined = next(
            (
                (one, other)
                for one, other in combinations(groups, 2)
                if any(leaning.get(a, set()) & leaning.get(b, set()) for a in one for b in other)
            ),
            None,
        )
        if joined is None:
            return groups
        groups = (groups - set(joined)) | {joined[0] | joined[1]}


SCHEMA = b.digest_of("schema")
_lean = st.lists(st.sampled_from(["c1", "c2", "c3", "own"]), unique=True, max_size=3)


@given(st.dictionaries(st.sampled_from([f"v{n}" for n in range(6)]), _lean))
def test_collapsed_groups_equal_brute_force(held: dict[str, list[str]]) -> None:
    manifest = read_manifest(b.MANIFEST)
    winners = {
        voter: frozenset(
            Use(SCHEMA, "read", "primary")
            if name == "own"
            else Use(name, "read", "claim", frozenset({SCHEMA}))
            for name in names
        )
        for voter, names in held.items()
    }
    (artifact,) = _count(manifest, winners).artifacts
    assert {frozenset(group) for group in artifact.collapsed} == _brute_groups(winners, SCHEMA)
