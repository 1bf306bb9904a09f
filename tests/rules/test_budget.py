"""What a change weighs without what members answer for."""

from __future__ import annotations

from accord.rules.budget import LEAST, Entering, count_unsigned, weigh
from tests.support.tables import table

TOP = "decisions/2026-11-30-x"
OTHER = "decisions/2026-11-30-y"
VOTE = Entering(f"{TOP}/rounds/1/votes/dana.yaml", "a", 10_000)
SIGNATURE = Entering(f"{VOTE.path}.sig", "b", 400)
RECORD = Entering(f"{TOP}/record.yaml", "c", 12_000)
PAGE = Entering("docs/decisions/2026-11-30-x.md", "d", 6_000)
EVIDENCE = Entering(f"{TOP}/evidence/log.txt", "e", 5_000_000)
SIGNED = frozenset({VOTE, SIGNATURE})


@table(
    ("file", "weight"),
    {
        "a small file": (SIGNATURE, LEAST),
        "a file": (VOTE, 10_000),
        "a file that is too large": (VOTE._replace(size=262_145), LEAST),
        "evidence": (EVIDENCE, 5_000_000),
        "evidence that is too large": (EVIDENCE._replace(size=10_485_761), LEAST),
        "a page": (PAGE, 6_000),
        "a bundle": (SIGNATURE._replace(path=f"{VOTE.path}.sigstore.json", size=5_000), 40_000),
        "the ledger": (Entering("decisions/ledger/events.jsonl", "f", 100_000), LEAST),
        "a file of nobody's": (Entering(f"{TOP}/x.bin", "f", 100_000), LEAST),
    },
)
def test_a_file_weighs_what_it_costs(file: Entering, weight: int) -> None:
    assert weigh(file) == weight


@table(
    ("files", "vouched", "weight"),
    {
        "nothing": ((), frozenset(), 0),
        "signed by nobody": ((VOTE, SIGNATURE), frozenset(), 10_000 + LEAST),
        "signed": ((VOTE, SIGNATURE), SIGNED, 0),
        "a copy of what was signed": (
            (VOTE, SIGNATURE, VOTE._replace(path=f"{OTHER}/rounds/1/votes/dana.yaml")),
            SIGNED | {VOTE._replace(path=f"{OTHER}/rounds/1/votes/dana.yaml")},
            10_000,
        ),
        "generated from what is signed": ((VOTE, SIGNATURE, RECORD), SIGNED, 0),
        "more is generated than is signed": (
            (VOTE, SIGNATURE, RECORD, PAGE),
            SIGNED,
            18_000 - 10_000 - LEAST,
        ),
        "generated from another decision": (
            (VOTE, SIGNATURE, RECORD._replace(path=f"{OTHER}/record.yaml")),
            SIGNED,
            12_000,
        ),
        "evidence that nobody named": ((VOTE, SIGNATURE, EVIDENCE), SIGNED, 5_000_000),
        "evidence that a vote names": ((VOTE, SIGNATURE, EVIDENCE), SIGNED | {EVIDENCE}, 0),
    },
)
def test_what_nobody_answers_for(
    files: tuple[Entering, ...], vouched: frozenset[Entering], weight: int
) -> None:
    assert count_unsigned(files, vouched) == weight
