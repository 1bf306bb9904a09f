"""Rounds follow one another, within the limit, answering what was objected (section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from accord.model.ballot import LeftOut, Participant
from accord.model.policy import Seats
from accord.model.resolution import Counted
from accord.model.snapshot import RoundFiles
from accord.rules.evaluate import Judgement, evaluate
from tests.support import files as b
from tests.support.tables import table

CHALLENGER, IMPLEMENTER, REVIEWER = b.VOTERS
REFUSED = b.refused()
OTHERS = b.seats((CHALLENGER, IMPLEMENTER, "newcomer"))


def judge(*rounds: RoundFiles) -> Judgement:
    return evaluate(b.decide(*rounds))


def found(*rounds: RoundFiles) -> list[tuple[str, str]]:
    """Codes and fields of what refuses."""
    return sorted(
        (finding.code, finding.field)
        for finding in judge(*rounds).findings
        if finding.severity == "error"
    )


def counted(*rounds: RoundFiles) -> int:
    return len(judge(*rounds).rounds)


def after(
    files: RoundFiles, proposal: Mapping[str, Any] | None = None, **ballot: Any
) -> RoundFiles:
    return b.follow(files, proposal, **ballot)


def objecting(voter: str, **fields: Any) -> RoundFiles:
    """A round in which one voter votes like this, and everybody else agrees."""
    votes: dict[str, Mapping[str, Any]] = {**dict.fromkeys(b.VOTERS, b.AGREE), voter: fields}
    return b.cast(b.open_round(), **votes)


def make_rules(eligible: tuple[str, ...], **fields: Any) -> Any:
    return b.make_rules(voters=Seats(min=2, max=4, eligible=eligible), **fields)


GONE = (CHALLENGER, IMPLEMENTER, "newcomer")
BY_REVIEWER = b.resolve(objecting(REVIEWER, **b.MAJOR), b.answer(REVIEWER))
PROMOTED: dict[str, Participant] = b.seats(b.VOTERS) | {
    REVIEWER: Participant(kind="agent", roles=("voter", "challenger"))
}


@table(
    ("before", "next_round"),
    {
        "answered": (REFUSED, after(REFUSED)),
        "rebutted, with nothing changed": (
            rebutted := b.resolve(REFUSED, b.answer(CHALLENGER, disposition="rebutted")),
            after(rebutted, {"text": "Index open orders only."}),
        ),
        "addressed by other evidence": (
            REFUSED,
            after(REFUSED, {"text": "Index open orders only.", "evidence": b.MANIFEST[:2]}),
        ),
        "a dissenter who is no longer eligible, left out with the reason": (
            BY_REVIEWER,
            after(
                BY_REVIEWER,
                rules=make_rules(GONE),
                voters=b.seats((CHALLENGER, IMPLEMENTER)),
                left_out=(LeftOut(voter=REVIEWER, reason="left the project"),),
            ),
        ),
        "somebody who never voted, dropped": (
            silent := b.close(b.cast(b.open_round(), challenger={}, implementer={})),
            after(silent, voters=b.seats((CHALLENGER, IMPLEMENTER))),
        ),
        "somebody who agreed, replaced": (REFUSED, after(REFUSED, voters=OTHERS)),
        "an abstention, answered": (
            abstained := b.resolve(objecting(REVIEWER, **b.ABSTAIN), b.answer(REVIEWER, None)),
            after(abstained),
        ),
        "a retraction, answered": (
            retracted := b.resolve(
                b.affirm(b.cast_all(b.open_round()), reviewer=b.RETRACT),
                b.answer(REVIEWER, "MISALIGNED"),
            ),
            after(retracted),
        ),
        "a late objection, answered": (
            late := b.resolve(
                b.cast(
                    b.close(b.cast(b.open_round(), challenger={}, implementer={})),
                    reviewer=b.MAJOR,
                ),
                b.answer(REVIEWER),
                transcript=judge(b.close(b.cast(b.open_round(), challenger={}, implementer={})))
                .rounds[0]
                .transcript,
            ),
            after(late),
        ),
        "a late agreement, which raises nothing": (
            agreeing := b.cast(
                b.close(b.cast(b.open_round(), challenger={}, implementer={})), reviewer={}
            ),
            after(agreeing),
        ),
    },
)
def test_a_next_round_counts(before: RoundFiles, next_round: RoundFiles) -> None:
    findings = judge(before, next_round).findings
    assert {finding.code for finding in findings} <= {"late-vote"}
    assert len(findings) == len(judge(before).rounds[0].late)
    assert counted(before, next_round) == 2


@table(
    ("before", "next_round", "faults"),
    {
        "upon agreement": (
            b.agreed(),
            after(b.agreed()),
            [("round-not-allowed", "round")],
        ),
        "upon a round that is open": (
            b.open_round(),
            after(b.open_round()),
            [("round-not-allowed", "round")],
        ),
        "past the limit": (
            only := b.refused(rules=b.make_rules(max_rounds=1)),
            after(only),
            [("round-limit-exceeded", "round")],
        ),
        "naming nothing before it": (
            REFUSED,
            after(REFUSED, previous=None),
            [("round-not-allowed", "previous")],
        ),
        "naming another ballot": (
            REFUSED,
            after(REFUSED, previous=b.previous_of(REFUSED, ballot=b.digest_of("other"))),
            [("round-not-allowed", "previous.ballot")],
        ),
        "naming a close that is not there": (
            REFUSED,
            after(REFUSED, previous=b.previous_of(REFUSED, close=b.digest_of("close"))),
            [("round-not-allowed", "previous.close")],
        ),
        "naming a vote that is not there": (
            REFUSED,
            after(
                REFUSED,
                previous=b.previous_of(
                    REFUSED, votes=b.previous_of(REFUSED).votes | {"ghost": b.digest_of("vote")}
                ),
            ),
            [("round-not-allowed", "previous.votes")],
        ),
        "naming an affirmation that is not there": (
            REFUSED,
            after(
                REFUSED,
                previous=b.previous_of(REFUSED, affirmations={"reviewer.1": b.digest_of("no")}),
            ),
            [("round-not-allowed", "previous.affirmations")],
        ),
        "naming another resolution": (
            REFUSED,
            after(REFUSED, previous=b.previous_of(REFUSED, resolution=b.digest_of("other"))),
            [("round-not-allowed", "previous.resolution")],
        ),
        "of another class": (
            REFUSED,
            after(REFUSED, {"class_": "tools"}),
            [("class-changed", "class")],
        ),
        "by another proposer": (
            REFUSED,
            after(REFUSED, {"proposer": b.OUTSIDER}),
            [("round-not-allowed", "proposal")],
        ),
        "without a dissenter who is eligible": (
            BY_REVIEWER,
            after(BY_REVIEWER, voters=OTHERS),
            [("dissenter-dropped", "voters")],
        ),
        "without a dissenter who is eligible, whatever left_out says": (
            BY_REVIEWER,
            after(
                BY_REVIEWER,
                voters=OTHERS,
                left_out=(LeftOut(voter=REVIEWER, reason="no time"),),
            ),
            [("dissenter-dropped", "voters")],
        ),
        "without a dissenter, and without saying why": (
            BY_REVIEWER,
            after(BY_REVIEWER, rules=make_rules(GONE), voters=OTHERS),
            [("dissenter-dropped", "voters")],
        ),
        "without one whose late vote disagreed": (
            late,
            after(late, voters=OTHERS),
            [("dissenter-dropped", "voters")],
        ),
        "without an answer": (
            bare := objecting(REVIEWER, **b.MAJOR),
            after(bare),
            [("objection-unanswered", "")],
        ),
        "without the answer to one category of two": (
            partly := b.resolve(
                objecting(REVIEWER, **b.MAJOR | {"categories": ("YAGNI", "SCOPE_CREEP")}),
                b.answer(REVIEWER),
            ),
            after(partly),
            [("objection-unanswered", "answers")],
        ),
        "without an answer to an abstention": (
            unheard := b.resolve(objecting(REVIEWER, **b.ABSTAIN)),
            after(unheard),
            [("objection-unanswered", "answers")],
        ),
        "without an answer to a retraction": (
            back := b.resolve(b.affirm(b.cast_all(b.open_round()), reviewer=b.RETRACT)),
            after(back),
            [("objection-unanswered", "answers")],
        ),
        "answered by somebody who may not": (
            usurped := replace(
                bare,
                resolution=replace(b.resolution_file(bare, b.answer(REVIEWER)), signer=IMPLEMENTER),
            ),
            after(usurped),
            [("objection-unanswered", ""), ("signer-lacks-role", "")],
        ),
        "answered before the last vote": (
            stale := b.resolve(bare, b.answer(REVIEWER), transcript=b.digest_of("older")),
            after(stale),
            [("objection-unanswered", "")],
        ),
        "answered in another round": (
            misplaced := b.resolve(bare, b.answer(REVIEWER), round=2),
            after(misplaced),
            [("ballot-mismatch", "round"), ("objection-unanswered", "")],
        ),
        "answered upon another ballot": (
            unbound := b.resolve(bare, b.answer(REVIEWER), ballot=b.digest_of("other")),
            after(unbound),
            [("objection-unanswered", "")],
        ),
        "called addressed, with nothing changed": (
            REFUSED,
            after(REFUSED, {"text": "Index open orders only."}),
            [("not-addressed", "answers[0].disposition")],
        ),
        "called addressed, with the evidence in another order": (
            REFUSED,
            after(REFUSED, {"text": "Index open orders only.", "evidence": b.MANIFEST[::-1]}),
            [("not-addressed", "answers[0].disposition")],
        ),
        "an abstention called addressed, with nothing changed": (
            abstained,
            after(abstained, {"text": "Index open orders only."}),
            [("not-addressed", "answers[0].disposition")],
        ),
    },
)
def test_a_next_round_is_refused(
    before: RoundFiles, next_round: RoundFiles, faults: list[tuple[str, str]]
) -> None:
    assert found(before, next_round) == faults
    assert counted(before, next_round) == 1


# A round that was closed because the policy changed.

ONE_ROUND = b.make_rules(max_rounds=1)
OTHER_RULES: dict[str, Any] = {"rules": b.make_rules(max_rounds=1, vias=("simulated",))}


@table(
    ("before", "ballot", "faults"),
    {
        "closed, no vote, other rules": (
            b.close(b.open_round(rules=ONE_ROUND)),
            OTHER_RULES,
            [],
        ),
        "closed, no vote, same rules": (
            b.close(b.open_round(rules=ONE_ROUND)),
            {},
            [("round-limit-exceeded", "round")],
        ),
        "closed, with a vote": (
            b.close(b.cast(b.open_round(rules=ONE_ROUND), implementer={})),
            OTHER_RULES,
            [("round-limit-exceeded", "round")],
        ),
        "closed over a vote that is there": (
            b.cast(b.close(b.open_round(rules=ONE_ROUND)), implementer={}),
            OTHER_RULES,
            [("round-limit-exceeded", "round")],
        ),
        "not closed": (
            b.open_round(rules=ONE_ROUND),
            OTHER_RULES,
            [("round-limit-exceeded", "round")],
        ),
    },
)
def test_where_one_round_is_allowed_only_a_policy_change_gives_another(
    before: RoundFiles, ballot: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    assert found(before, after(before, **ballot)) == faults


ONLY = b.close(b.open_round(rules=ONE_ROUND))


@table(
    ("ballot", "fault"),
    {
        "other rules": (OTHER_RULES, False),
        "other officers": ({"officers": b.OFFICERS | {"new": OTHERS["newcomer"]}}, False),
        "a voter in another role": ({"voters": PROMOTED}, False),
        "another voter in the place of one": ({"voters": OTHERS}, True),
        "fewer voters": ({"voters": b.seats((CHALLENGER, IMPLEMENTER))}, True),
        "more voters": ({"voters": b.seats((*b.VOTERS, "newcomer"))}, True),
    },
)
def test_another_roster_is_no_other_policy(ballot: dict[str, Any], fault: bool) -> None:
    assert found(ONLY, after(ONLY, **ballot)) == (
        [("round-limit-exceeded", "round")] if fault else []
    )


def test_the_round_after_a_policy_change_is_the_last_again() -> None:
    voided = b.close(b.open_round(rules=ONE_ROUND))
    second = b.cast(after(voided, **OTHER_RULES), challenger=b.MAJOR, implementer={}, reviewer={})
    assert judge(voided, second).evaluation.status == "escalated"


# What the next ballot found, and what came later.


def test_what_comes_after_the_next_ballot_changes_nothing() -> None:
    silent = b.close(b.cast(b.open_round(), challenger={}, implementer={}))
    second = after(silent)
    before = judge(silent, second).evaluation
    came = b.affirm(b.cast(silent, reviewer=b.MAJOR), challenger=b.RETRACT)
    judgement = judge(came, second)
    assert judgement.evaluation == before
    assert [(finding.code, finding.severity) for finding in judgement.findings] == [
        ("late-vote", "warning"),
        ("late-vote", "warning"),
    ]


def test_a_ballot_cannot_leave_out_a_vote_that_the_close_lists() -> None:
    closed = b.close(objecting(REVIEWER, **b.MAJOR))
    votes = {
        voter: digest for voter, digest in b.previous_of(closed).votes.items() if voter != REVIEWER
    }
    second = after(closed, previous=b.previous_of(closed, votes=votes), voters=OTHERS)
    assert ("round-not-allowed", "previous.votes") in found(closed, second)
    assert judge(closed, second).evaluation.round == 1


def test_a_ballot_cannot_leave_out_an_affirmation_that_the_close_lists() -> None:
    files = b.close(b.affirm(objecting(REVIEWER, **b.MAJOR), implementer=b.RETRACT))
    files = b.resolve(files, b.answer(REVIEWER), b.answer(IMPLEMENTER, "MISALIGNED"))
    second = after(files, previous=b.previous_of(files, affirmations={}))
    assert found(files, second) == [("round-not-allowed", "previous.affirmations")]


@table(
    "bogus",
    {
        "signed by somebody who may not open": {"opened_by": b.OUTSIDER},
        "signed by an authority, too early": {},
    },
)
def test_a_ballot_that_is_refused_does_not_rewrite_the_round_before(
    bogus: dict[str, Any],
) -> None:
    agreed = b.agreed()
    retracted = b.affirm(agreed, reviewer={**b.RETRACT, "number": 2})
    previous = b.previous_of(agreed)  # as if the retraction had come later
    second = after(retracted, previous=previous, **bogus)
    judgement = judge(retracted, second)
    assert judgement.evaluation == judge(retracted).evaluation
    assert judgement.evaluation.status == "contested"
    assert judgement.counted == judge(retracted).counted


def test_a_close_that_lists_nobody_makes_all_votes_late() -> None:
    files = b.close(b.cast_all(b.open_round()), counted=Counted())
    judgement = judge(files)
    assert judgement.evaluation.outcome == "inconclusive"
    assert [finding.code for finding in judgement.findings] == ["late-vote"] * 3


# Dissenters who are all gone.


def gone(**second: Any) -> tuple[RoundFiles, RoundFiles]:
    """A second round, agreed, from which the only dissenter is left out."""
    next_round = after(
        BY_REVIEWER,
        rules=make_rules(GONE),
        voters=b.seats((CHALLENGER, IMPLEMENTER)),
        left_out=(LeftOut(voter=REVIEWER, reason="left the project"),),
        **second,
    )
    return BY_REVIEWER, b.affirm_all(b.cast_all(next_round))


def test_when_no_dissenter_is_left_the_round_ends_at_best_escalated() -> None:
    evaluation = judge(*gone()).evaluation
    assert (evaluation.verdict, evaluation.status) == ("UNANIMITY_VERIFIED", "escalated")
    assert "none of those who dissented" in evaluation.directive.sentence


def test_one_dissenter_who_is_left_is_enough() -> None:
    both = b.resolve(
        b.cast(b.open_round(), challenger=b.MAJOR, implementer={}, reviewer=b.MAJOR),
        b.answer(CHALLENGER),
        b.answer(REVIEWER),
    )
    second = after(
        both,
        rules=make_rules(GONE),
        voters=b.seats((CHALLENGER, IMPLEMENTER)),
        left_out=(LeftOut(voter=REVIEWER, reason="left the project"),),
    )
    assert judge(both, b.affirm_all(b.cast_all(second))).evaluation.status == "accepted"


@table(
    ("rounds", "codes"),
    {
        "the first is missing": ((after(REFUSED),), ["round-gap"]),
        "one in between is missing": (
            (REFUSED, replace(after(REFUSED), number=3)),
            ["round-gap"],
        ),
        "the first has no ballot that counts": (
            (replace(REFUSED, proposal=None), after(REFUSED)),
            ["proposal-changed"],
        ),
    },
)
def test_rounds_without_gaps(rounds: tuple[RoundFiles, ...], codes: list[str]) -> None:
    assert [code for code, _ in found(*rounds)] == codes


def test_who_objected_to_a_minor_thing_that_was_taken_in_is_still_a_dissenter() -> None:
    minor = b.amend(objecting(REVIEWER, **b.MINOR))
    failed = b.resolve(b.close(b.affirm(minor, challenger={})), b.answer(REVIEWER))
    assert judge(failed).evaluation.status == "contested"
    assert found(failed, after(failed, voters=OTHERS)) == [("dissenter-dropped", "voters")]


def test_who_sealed_and_did_not_open_is_a_dissenter() -> None:
    sealed = b.cast_all(b.open_round(rules=b.SEALED))
    files = b.close(replace(sealed, votes=sealed.votes[:2]))
    assert judge(files).rounds[0].unopened == {REVIEWER}
    assert found(files, after(files, voters=OTHERS)) == [("dissenter-dropped", "voters")]


def test_what_is_not_answered_is_named_objection_by_objection() -> None:
    files = b.cast(
        b.open_round(),
        challenger={**b.MAJOR, "categories": ("YAGNI", "SCOPE_CREEP")},
        implementer=b.ABSTAIN,
        reviewer=b.MAJOR,
    )
    path = f"decisions/{b.ID}/rounds/1/resolution.yaml"
    for before, answered in ((files, 0), (b.resolve(files, b.answer(REVIEWER)), 1)):
        findings = judge(before, after(before)).findings
        assert {(finding.code, finding.path) for finding in findings} == {
            ("objection-unanswered", path)
        }
        assert [finding.message for finding in findings] == [
            "challenger's SCOPE_CREEP of round 1 is not answered",
            "challenger's YAGNI of round 1 is not answered",
            "implementer's abstention of round 1 is not answered",
            "reviewer's YAGNI of round 1 is not answered",
        ][: 4 - answered]


def test_two_objections_of_one_voter_are_told_in_order() -> None:
    """An abstention first: a voter may abstain and retract."""
    files = b.affirm(
        b.cast(b.open_round(), challenger={}, implementer={}, reviewer=b.ABSTAIN),
        reviewer=b.RETRACT,
    )
    messages = [finding.message for finding in judge(files, after(files)).findings]
    assert messages == [
        "reviewer's abstention of round 1 is not answered",
        "reviewer's MISALIGNED of round 1 is not answered",
    ]


@table(
    ("ballot", "words", "hint"),
    {
        "eligible": (
            {"voters": OTHERS},
            "reviewer dissented before and is not on the roster",
            "Open the round with reviewer as a voter.",
        ),
        "not eligible": (
            {"rules": make_rules(GONE), "voters": OTHERS},
            "reviewer dissented before and is not on the roster, and left_out does not say why",
            "Open the round with accord open, which lists reviewer under left_out.",
        ),
    },
)
def test_what_to_do_about_a_dissenter_who_is_not_there(
    ballot: dict[str, Any], words: str, hint: str
) -> None:
    (finding,) = judge(BY_REVIEWER, after(BY_REVIEWER, **ballot)).findings
    assert (finding.message, finding.hint) == (words, hint)
