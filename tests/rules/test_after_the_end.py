"""What comes after the end, or does not count, changes neither status nor record (section 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.escalation import Rederivation
from accord.model.evidence import UsedEvidence
from accord.model.record import DecisionRecord
from accord.model.resolution import Counted
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles, Settled, Stored
from accord.rules.evaluate import evaluate
from accord.rules.record import build_record
from tests.rules.situations import ESCALATED
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

CHALLENGER, IMPLEMENTER, REVIEWER = b.VOTERS
LATER = "2026-12-24T09:00:00.5Z"
ONE_ROUND = b.make_rules(max_rounds=1)


def record_of(decision: DecisionFiles) -> DecisionRecord:
    return build_record(decision, evaluate(decision))


def ruled(files: RoundFiles, ruling: str = "accept", **others: Any) -> DecisionFiles:
    synthesis = a.synthesis_file(files)
    return b.decide(
        files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis, ruling=ruling), **others
    )


def cast(**votes: Any) -> RoundFiles:
    """The only round of a class: all agree but those who are named."""
    return b.cast(b.open_round(rules=ONE_ROUND), **dict.fromkeys(b.VOTERS, b.AGREE) | votes)


def test_late_votes_overrule_nobody() -> None:
    listed = cast(challenger=b.MAJOR)
    late = listed.votes[-1]
    counted = Counted(votes={vote.signer: vote.digest for vote in listed.votes[:-1]})
    closed = b.close(replace(listed, votes=listed.votes[:-1]), counted=counted)
    before = ruled(closed)
    for vote in (late, b.changed(late, **b.MAJOR)):
        after = replace(before, rounds=(replace(closed, votes=(*closed.votes, vote)),))
        assert record_of(after) == record_of(before)
        assert [finding.code for finding in evaluate(after).findings] == ["late-vote"]


def test_second_looks_change_no_ruling() -> None:
    for confirms in (True, False):
        look = a.rederivation_file(ESCALATED, at=LATER, confirms=confirms)
        looked = record_of(ruled(ESCALATED, rederivations=(look,)))
        assert looked == record_of(ruled(ESCALATED))


def test_a_late_vote_does_not_undo_the_second_look_of_the_same_member() -> None:
    leaning = {voter: {"evidence": (*b.READ, UsedEvidence(id="summary"))} for voter in b.SEVEN[:6]}
    closed = b.close(b.cast(b.open_round(rules=b.QUORUM), **leaning))
    silent = b.SEVEN[6]
    look = a.rederivation_file(closed, by=silent)
    late = replace(closed, votes=(*closed.votes, b.vote_file(closed, silent)))
    before = b.decide(closed, rederivations=(look,))
    assert record_of(before).status == "accepted"
    assert record_of(b.decide(late, rederivations=(look,))) == record_of(before)


def test_a_vote_that_counts_undoes_the_second_look_of_the_same_member() -> None:
    files = b.cast_all(
        b.open_round(rules=b.COUNTED), evidence=(*b.READ, UsedEvidence(id="summary"))
    )
    files = b.affirm_all(files)
    look = a.rederivation_file(files, by=REVIEWER)
    assert evaluate(b.decide(files, rederivations=(look,))).evaluation.status == "provisional"


LEANING = b.affirm_all(
    b.cast_all(b.open_round(rules=b.COUNTED), evidence=(*b.READ, UsedEvidence(id="summary")))
)
LOOK = a.rederivation_file(LEANING)
AGAIN = a.rederivation_file(LEANING, by="newcomer", at=LATER)
AGAINST = a.rederivation_file(LEANING, by="newcomer", at=LATER, confirms=False)


def test_a_record_lists_the_second_looks_that_it_rests_on() -> None:
    assert record_of(b.decide(LEANING, rederivations=(AGAIN, LOOK))).rederivations == {
        LOOK.signer: LOOK.digest,
        AGAIN.signer: AGAIN.digest,
    }
    assert record_of(b.decide(b.agreed(), rederivations=(LOOK,))).rederivations == {}


@table(
    ("late", "codes"),
    {
        "one that confirms": (AGAIN, []),
        "one that contradicts": (AGAINST, ["rederivation-contradicts"]),
        "one that is not fresh": (
            a.rederivation_file(LEANING, by=REVIEWER),
            ["rederivation-not-independent"],
        ),
    },
)
def test_a_second_look_after_the_record_changes_nothing(
    late: Authenticated[Rederivation], codes: list[str]
) -> None:
    settled = Settled(looks=frozenset({LOOK.digest}))
    before = b.decide(LEANING, rederivations=(LOOK,))
    after = b.decide(LEANING, rederivations=(LOOK, late))
    judgement = evaluate(after, settled=settled)
    assert build_record(after, judgement) == record_of(before)
    assert late.path not in judgement.counted
    assert {finding.code for finding in judgement.findings} >= set(codes)


def test_a_record_that_enters_hides_no_second_look() -> None:
    judgement = evaluate(b.decide(LEANING, rederivations=(LOOK, AGAINST)))
    assert judgement.evaluation.status == "contested"
    assert {LOOK.path, AGAINST.path} <= judgement.counted


@table(
    ("decision", "overruled", "never_voted"),
    {
        "an abstention and a retraction are": (
            ruled(b.affirm(cast(reviewer=b.ABSTAIN), implementer=b.RETRACT)),
            (IMPLEMENTER, REVIEWER),
            (),
        ),
        "who sealed and did not open has said nothing": (
            ruled(
                b.close(
                    replace(
                        sealed := b.cast_all(
                            b.open_round(rules=b.make_rules(max_rounds=1, ballots="sealed"))
                        ),
                        votes=sealed.votes[:2],
                    )
                )
            ),
            (),
            (REVIEWER,),
        ),
    },
)
def test_who_is_overruled(
    decision: DecisionFiles, overruled: tuple[str, ...], never_voted: tuple[str, ...]
) -> None:
    record = record_of(decision)
    assert (record.overruled, record.never_voted) == (overruled, never_voted)


def test_only_objections_are_rejections() -> None:
    loose = {"categories": ("SCOPE_CREEP",), "severity": "minor"}
    record = record_of(b.decide(b.affirm_all(cast(reviewer=loose))))
    assert record.status == "accepted"
    assert record.rejections == {}
    assert record.rounds[0].votes[REVIEWER].severity is None


def test_a_sealed_vote_that_is_incomplete_abstains_and_rejects_nothing() -> None:
    files = b.cast(
        b.open_round(rules=b.make_rules(ballots="sealed", max_rounds=1)),
        challenger={},
        implementer={},
        reviewer={**b.MAJOR, "alternative": None},
    )
    (round_,) = evaluate(b.decide(files)).rounds
    assert round_.objections == {(REVIEWER, None)}
    record = record_of(ruled(files))
    assert record.rounds[0].votes[REVIEWER].stance == "abstain"
    assert record.rejections == {}
    assert record.overruled == (REVIEWER,)


def test_nobody_takes_back_what_was_not_cast() -> None:
    """Who has not voted still holds the round open, whatever else it signs."""
    files = b.cast(b.open_round(), challenger={}, implementer={})
    taken = b.affirm(files, reviewer=b.RETRACT)
    assert evaluate(b.decide(taken)).evaluation.outcome == "open"
    closed = evaluate(b.decide(b.close(taken))).evaluation
    assert (closed.outcome, closed.status) == ("decision_triggered", "contested")


def test_a_draft_of_the_next_round_gives_nobody_the_right_to_withdraw() -> None:
    """A draft is unsigned: whoever writes one names itself as proposer."""
    refused = b.refused()
    record = b.make_proposal(round=2, proposer=b.OUTSIDER)
    path = f"decisions/{b.ID}/rounds/2/proposal.yaml"
    draft = RoundFiles(number=2, draft=Stored(record, path, b.digest_of("draft")))
    withdrawal = a.withdrawal_file(refused, by=b.OUTSIDER)
    judgement = evaluate(b.decide(refused, draft, withdrawal=withdrawal))
    assert judgement.evaluation.status == "contested"
    assert [finding.code for finding in judgement.findings] == ["signer-lacks-role"]


def test_a_failing_check_leaves_room_for_a_ruling() -> None:
    agreed = b.agreed()
    failing = a.check_file(agreed, exit_code=1, passed=False)
    assert evaluate(ruled(agreed)).evaluation.basis == "vote"
    evaluation = evaluate(ruled(agreed, checks=(failing,))).evaluation
    assert (evaluation.status, evaluation.basis) == ("accepted", "ruling")


def test_a_check_that_ran_in_another_folder_is_not_the_one_that_was_proposed() -> None:
    agreed = b.agreed()
    failing = a.check_file(agreed, exit_code=1, passed=False, cwd="elsewhere")
    assert evaluate(b.decide(agreed, checks=(failing,))).evaluation.status == "accepted"
