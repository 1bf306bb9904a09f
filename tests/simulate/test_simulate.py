"""A case is judged by what it says, not by what it expects or in which order it lists voters."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from accord.model.case import (
    Case,
    CaseAffirmation,
    CaseAnswer,
    CaseCheck,
    CaseClass,
    CaseEvidence,
    CaseExpectation,
    CaseResolution,
    CaseRound,
    CaseVote,
)
from accord.model.evaluation import digest_evaluation
from accord.model.evidence import UsedEvidence
from accord.model.proposal import Waiver
from accord.rules.waiting import find_waiting
from accord.simulate import digest_case, simulate
from accord.simulate.build import build_case
from tests.support.files import seats
from tests.support.tables import table

AGREE = CaseVote(vote="agree", evidence=(UsedEvidence(id="trace"),))
AFFIRM = CaseAffirmation(stance="affirm")
OBJECT = CaseVote(vote="disagree", severity="major", categories=("YAGNI",))
VOTERS = ("a", "b", "challenger")


def make_case(**fields: Any) -> Case:
    """Three voters who agree and affirm in one round."""
    defaults: dict[str, Any] = {
        "title": "A case\nin two lines",
        "class_": CaseClass(rule="unanimity"),
        "voters": seats(VOTERS),
        "evidence": (CaseEvidence(id="trace", kind="primary", load_bearing=True),),
        "rounds": (
            CaseRound(
                votes=dict.fromkeys(VOTERS, AGREE), affirmations=dict.fromkeys(VOTERS, AFFIRM)
            ),
        ),
    }
    return Case(**(defaults | fields))


def test_a_case_without_rounds_is_a_draft() -> None:
    judgement = simulate(make_case(rounds=()))
    assert judgement.evaluation.status == "draft"
    assert judgement.evaluation.title == "A case"
    assert find_waiting(build_case(make_case(rounds=())), judgement)[0].action.startswith("open")


def test_an_evaluation_names_its_case_and_no_files() -> None:
    case = make_case()
    evaluation = simulate(case).evaluation
    assert evaluation.status == "accepted"
    assert evaluation.case == digest_case(case)
    assert (evaluation.ballot, evaluation.transcript, evaluation.text_digest) == (None, None, None)
    assert {(voter.vote, voter.affirmation) for voter in evaluation.rounds[0].voters} == {
        (None, None)
    }
    assert evaluation.manifest_digest == digest_evaluation(evaluation)


def test_what_is_expected_is_not_part_of_the_case() -> None:
    expecting = make_case(expect=CaseExpectation(status="rejected"))
    assert simulate(expecting).evaluation == simulate(make_case()).evaluation


def test_the_order_of_voters_does_not_matter() -> None:
    backwards = dict(reversed(seats(VOTERS).items()))
    assert simulate(make_case(voters=backwards)).evaluation.manifest_digest == (
        simulate(make_case()).evaluation.manifest_digest
    )


def test_another_case_has_another_digest() -> None:
    assert digest_case(make_case(title="Another")) != digest_case(make_case())


@table(
    ("stale", "status"),
    {
        "transcript": ({"transcript": "stale"}, "unconverged"),
        "text": ({"text": "stale"}, "unconverged"),
        "neither": ({}, "accepted"),
    },
)
def test_stale_affirmations_do_not_count(stale: dict[str, Any], status: str) -> None:
    affirmations = {**dict.fromkeys(VOTERS, AFFIRM), "a": msgspec.structs.replace(AFFIRM, **stale)}
    round_ = CaseRound(votes=dict.fromkeys(VOTERS, AGREE), affirmations=affirmations)
    assert simulate(make_case(rounds=(round_,))).evaluation.status == status


def test_a_second_round_binds_to_the_first() -> None:
    first = CaseRound(
        votes={**dict.fromkeys(VOTERS, AGREE), "a": OBJECT},
        resolution=CaseResolution(
            answers=(CaseAnswer(voter="a", category="YAGNI", disposition="addressed"),)
        ),
    )
    second = CaseRound(
        votes=dict.fromkeys(VOTERS, AGREE), affirmations=dict.fromkeys(VOTERS, AFFIRM)
    )
    judgement = simulate(make_case(rounds=(first, second)))
    assert judgement.findings == ()
    assert (judgement.evaluation.round, judgement.evaluation.status) == (2, "accepted")


def test_a_second_round_without_a_dissenter_does_not_count() -> None:
    first = CaseRound(
        votes={**dict.fromkeys(VOTERS, AGREE), "a": OBJECT},
        resolution=CaseResolution(
            answers=(CaseAnswer(voter="a", category="YAGNI", disposition="addressed"),)
        ),
    )
    judgement = simulate(make_case(rounds=(first, CaseRound(voters=("b", "challenger")))))
    assert {finding.code for finding in judgement.findings} == {"dissenter-dropped"}
    assert (judgement.evaluation.round, judgement.evaluation.status) == (1, "contested")


@pytest.mark.parametrize("named", [None, "bench"])
def test_a_waiver_without_a_check_names_the_one_there_is(named: str | None) -> None:
    case = make_case(
        class_=CaseClass(rule="unanimity", waivers=("path_independent",)),
        waiver=Waiver(kind="path_independent", check=named),
        rounds=(CaseRound(votes=dict.fromkeys(VOTERS, AGREE)),),
        checks=(
            CaseCheck(name="bench", passed=True, artifacts=("trace",), by="decider", declared=True),
        ),
    )
    assert simulate(case).evaluation.status == "accepted"


def test_a_waiver_of_a_check_that_there_is_not_waives_nothing() -> None:
    case = make_case(
        class_=CaseClass(rule="unanimity", waivers=("path_independent",)),
        waiver=Waiver(kind="path_independent"),
        rounds=(CaseRound(votes=dict.fromkeys(VOTERS, AGREE)),),
    )
    assert simulate(case).evaluation.status == "unconverged"
