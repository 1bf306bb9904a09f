"""What an evaluation says of each voter, and which files it freezes."""

from __future__ import annotations

from dataclasses import replace

from accord.model.snapshot import RoundFiles
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
    known = replace(DECIDED, evidence=frozenset({b.digest_of("schema"), b.digest_of("log")}))
    judgement = evaluate(b.decide(REFUSED, second), {OLD.id: known})
    assert {finding.code for finding in judgement.findings} == {"reopens-invalid"}
    assert judgement.evaluation.round == 1
    assert evaluate(b.decide(REFUSED, second), {OLD.id: DECIDED}).evaluation.round == 2


MINOR = b.amend(b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={}))


@table(
    ("files", "stance", "severity", "categories"),
    {
        "not affirmed, so not resolved": (MINOR, "disagree", "minor", ("YAGNI",)),
        "affirmed by others": (
            b.affirm(MINOR, implementer={}),
            "disagree",
            "minor",
            ("YAGNI",),
        ),
        "affirmed": (
            b.affirm(MINOR, challenger={}),
            "disagree_resolved",
            "minor",
            ("YAGNI",),
        ),
        "taken back": (
            b.affirm(MINOR, challenger=b.RETRACT),
            "retracted",
            "major",
            ("MISALIGNED",),
        ),
        "not there": (
            b.cast(b.open_round(), implementer={}),
            "missing",
            None,
            (),
        ),
    },
)
def test_where_a_voter_stands(
    files: RoundFiles, stance: str, severity: str | None, categories: tuple[str, ...]
) -> None:
    (round_,) = evaluate(b.decide(files)).evaluation.rounds
    (voter,) = (one for one in round_.voters if one.voter == "challenger")
    assert (voter.stance, voter.severity, voter.categories) == (stance, severity, categories)
    votes = {vote.signer: vote.digest for vote in files.votes}
    assert voter.vote == votes.get("challenger")


def test_a_round_says_whether_it_is_closed() -> None:
    for files, closed in ((REFUSED, False), (b.close(REFUSED), True)):
        (round_,) = evaluate(b.decide(files)).evaluation.rounds
        assert round_.closed is closed


def test_what_counts_is_frozen_and_nothing_else() -> None:
    late = b.cast(b.close(b.cast(b.open_round(), challenger={}, implementer={})), reviewer={})
    failed = b.resolve(late, transcript=evaluate(b.decide(late)).rounds[0].transcript)
    second = b.follow(failed)
    counted = evaluate(b.decide(failed, second)).counted
    here = f"decisions/{b.ID}/"
    assert counted == {
        f"{here}evidence/log.txt",  # and not the schema, which others may change
        *(
            f"{here}rounds/{number}/{name}.yaml"
            for number in (1, 2)
            for name in ("proposal", "round")
        ),
        *(f"{here}rounds/1/votes/{voter}.yaml" for voter in b.VOTERS),
        f"{here}rounds/1/close.yaml",
        f"{here}rounds/1/resolution.yaml",
    }


def test_seals_that_are_not_opened_yet_are_no_fault_before_the_close() -> None:
    sealed = replace(b.cast_all(b.open_round(rules=b.SEALED)), votes=())
    assert evaluate(b.decide(sealed)).findings == ()
    closed = evaluate(b.decide(b.close(sealed))).findings
    assert [finding.code for finding in closed] == ["seal-unopened"] * 3


def test_a_seal_that_the_close_does_not_list_is_late() -> None:
    sealed = b.cast_all(b.open_round(rules=b.SEALED))
    early = b.close(replace(sealed, seals=sealed.seals[:2], votes=sealed.votes[:2]))
    judgement = evaluate(b.decide(replace(early, seals=sealed.seals)))
    assert [finding.code for finding in judgement.findings] == ["late-vote"]
    assert judgement.rounds[0].seals.keys() == {"challenger", "implementer"}
    assert sealed.seals[2].path not in judgement.counted
