"""What would have been: the same votes under another assumption."""

from __future__ import annotations

import pytest

from accord.errors import UsageError
from accord.model.evidence import UsedEvidence
from accord.model.policy import Independence
from accord.model.snapshot import RoundFiles, Settled, Stored
from accord.model.vote import Context
from accord.rules.evaluate import evaluate
from accord.rules.record import build_record
from accord.simulate.replay import Assumption, WhatIf, replay
from tests.rules.situations import CORRELATED, ESCALATED, minor
from tests.support import aftermath as a
from tests.support import files as b

SUMMARY = (UsedEvidence(id="summary"),)


def ask(files: RoundFiles, *without: str, **assumed: object) -> WhatIf:
    decision = b.decide(files)
    return replay(decision, evaluate(decision), Assumption(without, **assumed))  # type: ignore[arg-type]


def outcome(what_if: WhatIf) -> tuple[str | None, str | None, str]:
    evaluation = what_if.evaluation
    return evaluation.outcome, evaluation.verdict, evaluation.status


def test_nothing_assumed_gives_what_votes_gave() -> None:
    decision = b.decide(b.agreed())
    assert ask(b.agreed()).evaluation == evaluate(decision).evaluation
    assert ask(b.agreed()).assumed == ()


def test_without_the_claim_who_stood_on_it_alone_has_no_ground() -> None:
    found = ask(CORRELATED, "summary")
    assert outcome(found) == ("decision_triggered", "NO_QUORUM", "contested")
    (assumed,) = found.assumed
    leaning = sorted(b.SEVEN[:3])
    assert assumed.endswith(f"has no ground: {', '.join(leaning)} abstain")


def test_without_a_claim_that_nobody_stood_on_alone() -> None:
    both = b.affirm_all(b.cast_all(b.open_round(rules=b.COUNTED), evidence=(*b.READ, *SUMMARY)))
    assert evaluate(b.decide(both)).evaluation.status == "provisional"
    found = ask(both, "summary")
    assert outcome(found) == ("unanimous", "UNANIMITY_VERIFIED", "accepted")
    assert "abstain" not in found.assumed[0]


def test_a_claim_in_the_context_goes_too() -> None:
    told = {"context": Context(claims=("summary",))}
    shown = b.affirm_all(b.cast_all(b.open_round(rules=b.COUNTED), **told))
    assert evaluate(b.decide(shown)).evaluation.status == "provisional"
    assert ask(shown, "summary").evaluation.status == "accepted"


def test_without_the_one_that_objected() -> None:
    found = ask(b.refused(), "challenger")
    assert found.evaluation.outcome == "unanimous"
    assert [voter.voter for voter in found.evaluation.rounds[0].voters] == [
        "implementer",
        "reviewer",
    ]
    assert found.assumed == ("challenger was not asked",)


def test_without_the_one_whose_objection_was_taken_in_there_is_no_amendment() -> None:
    amended = b.affirm_all(b.amend(minor()))
    assert evaluate(b.decide(amended)).evaluation.status == "approved_with_amendments"
    assert ask(amended, "challenger").evaluation.basis == "vote"
    assert ask(amended, "reviewer").evaluation.status == "approved_with_amendments"


def test_of_several_rounds_all_are_asked_without_the_voter() -> None:
    second = b.follow(b.refused())
    decision = b.decide(b.refused(), b.cast_all(second))
    found = replay(decision, evaluate(decision), Assumption(("challenger",)))
    assert all(
        "challenger" not in {voter.voter for voter in round_.voters}
        for round_ in found.evaluation.rounds
    )


@pytest.mark.parametrize(
    ("assumed", "effective", "sentence"),
    [
        ({"accounting": "collapsed"}, 5, "accounting collapsed"),
        ({"accounting": "disjoint"}, 1, "accounting disjoint"),
        ({"f": 1}, 4, "f 1, accounting strict"),
    ],
)
def test_another_accounting(assumed: dict[str, object], effective: int, sentence: str) -> None:
    found = ask(CORRELATED, **assumed)
    assert found.evaluation.independence is not None
    assert found.evaluation.independence.effective == effective
    assert sentence in found.assumed[0]
    assert "and was f 2, accounting strict" in found.assumed[0]


def test_independence_where_the_class_asks_for_none() -> None:
    found = ask(b.agreed(), accounting="disjoint")
    assert found.evaluation.independence is not None
    assert found.evaluation.independence.required == 3
    assert found.assumed == ("independence is f 1, accounting disjoint, and was not asked for",)
    assert ask(b.agreed(), f=0).evaluation.independence is not None


def test_the_rules_of_another_policy() -> None:
    quicker = b.make_rules(max_rounds=1, independence=Independence(f=1))
    found = ask(b.refused(), rules=quicker)
    assert found.evaluation.status == "escalated"
    assert any(told == "max_rounds is 1, and was 2" for told in found.assumed)


def test_a_ruling_is_left_out() -> None:
    synthesis = a.synthesis_file(ESCALATED)
    decision = b.decide(ESCALATED, synthesis=synthesis, ruling=a.ruling_file(ESCALATED, synthesis))
    judgement = evaluate(decision)
    assert judgement.evaluation.basis == "ruling"
    assert replay(decision, judgement, Assumption()).evaluation.status == "escalated"


def test_what_cannot_be_asked() -> None:
    with pytest.raises(UsageError, match="never put to the vote"):
        replay(b.decide(), evaluate(b.decide()), Assumption())
    with pytest.raises(UsageError, match="neither a voter nor a claim") as unknown:
        ask(b.agreed(), "schema")
    assert "the claims are summary" in unknown.value.hint
    with pytest.raises(UsageError, match="no voter is left"):
        ask(b.agreed(), *b.VOTERS)
    named = b.change(b.SUMMARY, id="reviewer")
    with pytest.raises(UsageError, match="is a voter and a claim"):
        ask(b.affirm_all(b.cast_all(b.open_round({"evidence": (*b.MANIFEST, named)}))), "reviewer")
    bare = b.affirm_all(b.cast_all(b.open_round({"evidence": (b.SCHEMA, b.LOG)})))
    with pytest.raises(UsageError) as none:
        ask(bare, "x")
    assert "the claims are none" in none.value.hint


def test_a_second_look_after_the_record_is_left_out_here_too() -> None:
    files = b.affirm_all(b.cast_all(b.open_round(rules=b.COUNTED), evidence=(*b.READ, *SUMMARY)))
    look = a.rederivation_file(files)
    record = build_record(before := b.decide(files, rederivations=(look,)), evaluate(before))
    late = a.rederivation_file(files, by="newcomer", confirms=False)
    stored = Stored(record, f"decisions/{b.ID}/record.yaml", b.digest_of("record"))
    decision = b.decide(files, rederivations=(look, late), record=stored)
    settled = Settled(looks=frozenset({look.digest}))
    judgement = evaluate(decision, settled=settled)
    assert replay(decision, judgement, Assumption()).evaluation == judgement.evaluation
    assert judgement.evaluation.status == "accepted"
