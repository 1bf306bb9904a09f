"""What an evaluation says of each voter, and which files it freezes."""

from __future__ import annotations

from dataclasses import replace

from accord.rules.evaluate import evaluate
from tests.rules.situations import DECIDED, OLD, REFUSED, SHARED_CLAIM
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table


@table(("confirms",), {"that confirms": (True,), "that contradicts": (False,)})
def test_a_second_look_is_frozen(confirms: bool) -> None:
    look = a.rederivation_file(SHARED_CLAIM, confirms=confirms)
    assert look.path in evaluate(b.decide(SHARED_CLAIM, rederivations=(look,))).counted


def test_a_second_look_that_does_not_count_may_be_removed() -> None:
    look = a.rederivation_file(SHARED_CLAIM, evidence=())
    assert look.path not in evaluate(b.decide(SHARED_CLAIM, rederivations=(look,))).counted


def test_the_answer_that_counts_is_named() -> None:
    agreed = b.agreed()
    first = {file.signer: file.digest for file in agreed.affirmations}
    again = b.affirm(agreed, reviewer={**b.RETRACT, "number": 2})
    (round_,) = evaluate(b.decide(again)).evaluation.rounds
    named = {voter.voter: voter.affirmation for voter in round_.voters}
    assert named == {**first, "reviewer": again.affirmations[-1].digest}
    anew = b.affirm(again, reviewer={"number": 3, "reason": "It stands after all."})
    (round_,) = evaluate(b.decide(anew)).evaluation.rounds
    named = {voter.voter: voter.affirmation for voter in round_.voters}
    assert named == {**first, "reviewer": anew.affirmations[-1].digest}


def test_what_older_decisions_forbid_is_forbidden_in_every_round() -> None:
    second = b.follow(REFUSED, {"reopens": OLD.id})
    judgement = evaluate(b.decide(REFUSED, second), {OLD.id: DECIDED})
    assert {finding.code for finding in judgement.findings} == {"reopens-invalid"}
    assert judgement.evaluation.round == 1
    free = replace(DECIDED, evidence=frozenset())
    assert evaluate(b.decide(REFUSED, second), {OLD.id: free}).evaluation.round == 2
