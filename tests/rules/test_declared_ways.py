"""Paths to one artifact that only the words of voters keep apart are told as such (section 6)."""

from __future__ import annotations

from accord.model.evaluation import Evaluation
from accord.model.evidence import UsedEvidence
from accord.model.policy import Accounting, Independence
from accord.rules.evaluate import evaluate
from tests.support import files as b

WAYS = ("executed", "read", "measured")
SAID = "only the ways of use that they declare (executed, measured, read) keep their paths to"


def judge(accounting: Accounting, *ways: str) -> Evaluation:
    rules = b.make_rules(independence=Independence(f=1, accounting=accounting))
    answers = {
        voter: {"evidence": (UsedEvidence(id="schema", via=via),)}
        for voter, via in zip(b.VOTERS, ways, strict=True)
    }
    return evaluate(b.decide(b.affirm_all(b.cast(b.open_round(rules=rules), **answers)))).evaluation


def ways(evaluation: Evaluation) -> tuple[str, ...]:
    assert evaluation.independence is not None
    return evaluation.independence.artifacts[0].vias


def test_the_evaluation_says_what_carries_it() -> None:
    found = judge("disjoint", *WAYS)
    assert found.status == "accepted"
    assert f"{SAID} db/schema.sql apart" in found.directive.sentence
    assert ways(found) == ("executed", "measured", "read")


def test_one_path_is_kept_apart_by_nothing() -> None:
    found = judge("disjoint", "read", "read", "read")
    assert found.verdict == "CORRELATED_QUORUM"
    assert "declare (" not in found.gates[-1].detail
    assert ways(found) == ()


def test_where_another_accounting_decides_it_is_told_in_the_counts_alone() -> None:
    found = judge("strict", *WAYS)
    assert "declare (" not in found.gates[-1].detail
    assert ways(found) == ("executed", "measured", "read")
