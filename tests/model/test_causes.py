"""Which findings are causes, and which only follow from them."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model.causes import trace
from accord.model.finding import CODES, Finding

X = "decisions/2026-12-01-x"
Y = "decisions/2026-12-01-y"
PAGE = "docs/decisions/2026-12-01-x.md"
POLICY = "decisions/policy.yaml"
UNDECIDED = f"undecided-on-protected-branch {X}/rounds/1/proposal.yaml"
EARLY = f"record-early {X}/record.yaml"
VOTE = f"{X}/rounds/1/votes/a.yaml"
OTHER = f"{X}/rounds/1/votes/b.yaml"
SEAL = f"{X}/rounds/1/seals/a.yaml"
BALLOT = f"{X}/rounds/1/round.yaml"


class Case(NamedTuple):
    """The findings as they are shown, the causes, and those that follow from the first of them."""

    causes: tuple[str, ...]
    follow: tuple[str, ...] = ()


CASES = {
    "nothing": Case(()),
    "an edited vote": Case(
        (f"frozen-file-changed {VOTE}", f"bad-signature {VOTE}"),
        (EARLY, UNDECIDED, f"adr-stale {PAGE}", f"stale-file {X}/rounds/1/affirmations/a.1.yaml"),
    ),
    "a deleted vote leaves its signature": Case(
        (f"signed-file-deleted {VOTE}",), (f"unexpected-file {VOTE}", UNDECIDED)
    ),
    "a vote that is not signed": Case((f"unsigned {VOTE}",), (UNDECIDED,)),
    "an edited ballot": Case(
        (f"frozen-file-changed {BALLOT}",),
        (
            f"ballot-not-from-policy {BALLOT}",
            f"ballot-mismatch {SEAL}",
            f"ballot-mismatch {VOTE}",
            UNDECIDED,
        ),
    ),
    "a seal and its vote": Case(
        (f"frozen-file-changed {SEAL}",),
        (f"seal-mismatch {VOTE}", f"revealed-before-sealed {OTHER}"),
    ),
    "the seal of another": Case((f"frozen-file-changed {SEAL}", f"seal-mismatch {OTHER}")),
    "the ballot and the seal of another": Case(
        (f"bad-signature {BALLOT}", f"bad-signature {SEAL}"), (f"ballot-mismatch {OTHER}",)
    ),
    "a vote of the round before": Case(
        (f"frozen-file-changed {VOTE}",),
        (
            f"round-not-allowed {X}/rounds/2/round.yaml",
            f"stale-file {X}/synthesis.yaml",
            f"synthesis-missing {X}/ruling.yaml",
        ),
    ),
    "an edited amendment": Case(
        (f"frozen-file-changed {X}/rounds/1/amendment.yaml",),
        (f"stale-file {X}/rounds/1/affirmations/a.1.yaml",),
    ),
    "an earlier file does not follow from a later one": Case(
        (f"frozen-file-changed {X}/rounds/1/affirmations/a.1.yaml", f"ballot-mismatch {VOTE}")
    ),
    "opened too early": Case(
        (f"revealed-before-sealed {VOTE}", UNDECIDED), (f"seal-order-unproven {OTHER}",)
    ),
    "opened too early in another round": Case(
        (
            f"revealed-before-sealed {VOTE}",
            f"seal-order-unproven {X}/rounds/2/votes/a.yaml",
        )
    ),
    "another decision": Case(
        (
            f"frozen-file-changed {VOTE}",
            f"record-early {Y}/record.yaml",
            f"stale-file {Y}/synthesis.yaml",
        )
    ),
    "a record alone": Case((EARLY, UNDECIDED), ()),
    "a record and its page": Case((EARLY,), (f"adr-stale {PAGE}",)),
    "what nothing follows from": Case(
        (f"evil-merge {X}/evidence/a.txt", f"unexpected-file {X}/notes.txt", EARLY, UNDECIDED)
    ),
    "a spoilt record": Case((f"schema-invalid {X}/record.yaml", UNDECIDED)),
    "changed evidence": Case(
        (
            f"frozen-file-changed {X}/evidence/a.txt",
            f"evidence-digest-mismatch {X}/rounds/1/proposal.yaml",
            UNDECIDED,
        )
    ),
    "a void check": Case(
        (f"check-not-independent {X}/checks/fast.1.yaml", UNDECIDED),
    ),
    "a void check and a record": Case((f"check-not-independent {X}/checks/fast.1.yaml",), (EARLY,)),
    "a link among the votes": Case(
        (f"not-a-regular-file {VOTE}", f"frozen-file-changed {VOTE}"), (f"unexpected-file {VOTE}",)
    ),
    "a link instead of everything": Case(
        ("not-a-regular-file decisions",),
        (f"policy-removed {POLICY}", f"signed-file-deleted {VOTE}", f"policy-invalid {POLICY}"),
    ),
    "a file and its signature": Case(
        (f"unexpected-file {X}/a.yaml",), (f"unexpected-file {X}/a.yaml.sig",)
    ),
    "a signature alone": Case((f"unexpected-file {X}/a.yaml.sig",)),
    "what came after the end": Case(
        (f"decision-ended {X}/rounds/2/round.yaml",),
        (f"round-not-allowed {X}/rounds/2/round.yaml", EARLY, UNDECIDED),
    ),
    "the policy is made right before it is proposed": Case(
        (f"policy-serial {POLICY}", f"policy-change-unapproved {POLICY}", f"unknown-signer {SEAL}")
    ),
    "warnings cause nothing": Case(
        (UNDECIDED, f"stale-file {X}/rounds/1/affirmations/a.1.yaml", f"key-revoked-since {VOTE}")
    ),
}


def make(told: str) -> Finding:
    code, path = told.split()
    return Finding(code=code, path=path, message="")


@pytest.mark.parametrize("name", CASES)
def test_causes_first_and_what_follows(name: str) -> None:
    causes, follow = CASES[name]
    findings = [make(told) for told in (*follow, *causes)]

    traced = trace(findings[len(name) % 3 :] + findings[: len(name) % 3])

    shown = [f"{one.finding.code} {one.finding.path}" for one in traced if one.cause is None]
    assert tuple(shown) == causes
    others = {f"{one.finding.code} {one.finding.path}" for one in traced if one.cause is not None}
    assert others == set(follow)
    assert {one.cause for one in traced if one.cause is not None} <= {make(one) for one in causes}


ROUND_FILES = (
    *("proposal", "round", "seals/a", "votes/a", "votes/b", "close", "affirmations/a.1"),
    *("amendment", "resolution"),
)
PATHS = [
    *(f"{X}/rounds/{number}/{rest}.yaml" for number in (1, 2) for rest in ROUND_FILES),
    *(f"{X}/{rest}" for rest in ("record.yaml", "ruling.yaml", "checks/a.1.yaml", "evidence/x")),
    *(f"{VOTE}.sig", "decisions", X, POLICY, PAGE, "src/a.py"),
]
some_findings = st.lists(
    st.builds(
        Finding,
        code=st.sampled_from(sorted(CODES)),
        path=st.sampled_from(PATHS),
        message=st.sampled_from("ab"),
        line=st.none() | st.integers(1, 3),
    ),
    max_size=12,
)


@given(some_findings, st.randoms(use_true_random=False))
def test_nothing_is_lost_and_causes_are_shown(
    findings: list[Finding], chance: random.Random
) -> None:
    traced = trace(findings)

    def identify(finding: Finding) -> str:
        return repr(finding)

    assert sorted(map(identify, (one.finding for one in traced))) == sorted(map(identify, findings))
    shown = [one.finding for one in traced if one.cause is None]
    assert all(one.cause in shown for one in traced if one.cause is not None)
    assert all(one.cause.severity == "error" for one in traced if one.cause is not None)
    assert bool(shown) == bool(findings)
    again = list(findings)
    chance.shuffle(again)
    hidden = [identify(one.finding) for one in traced if one.cause is not None]
    assert sorted(hidden) == sorted(
        identify(one.finding) for one in trace(again) if one.cause is not None
    )
