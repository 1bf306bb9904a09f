"""Who says less never gets more: assents, late votes, copies of a vote."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.model.ballot import Rules
from accord.model.evaluation import IN_FORCE, Outcome
from accord.model.paths import path_of
from accord.model.snapshot import DecisionFiles, RoundFiles
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.tally import Cast, tally
from tests.properties.worlds import FOUR, RULES, answers, decisions, rounds
from tests.support import files as b
from tests.support.tables import table

CASTS: tuple[Cast, ...] = (
    "agree",
    "minor",
    "major",
    "abstain",
    "retracted",
    "pending",
    "missing",
)


def _oracle(rules: Rules, cast: dict[str, Cast]) -> Outcome:
    """The two tables of section 4, row by row."""
    votes = list(cast.values())
    if "pending" in votes:
        return "open"
    if rules.rule == "bft_quorum":
        agree, missing = votes.count("agree"), votes.count("missing")
        if agree >= 3:
            return "quorum"
        return "inconclusive" if missing and agree + missing >= 3 else "decision_triggered"
    if any(vote in ("major", "retracted") for vote in votes):
        return "decision_triggered"
    if any(vote in ("abstain", "missing") for vote in votes):
        return "inconclusive"
    return "approved_with_amendments" if "minor" in votes else "unanimous"


@table(("rule",), {"unanimity": ("unanimity",), "quorum": ("quorum",)})
def test_the_tally_is_that_of_the_tables(rule: str) -> None:
    """Whatever up to four voters cast: there are few enough ways to try them all."""
    for voters in range(1, 5):
        for combination in product(CASTS, repeat=voters):
            cast = dict(zip(FOUR, combination, strict=False))
            assert tally(RULES[rule], cast) == _oracle(RULES[rule], cast), cast


@table(("rule",), {"unanimity": ("unanimity",), "quorum": ("quorum",)})
def test_nobody_is_never_agreement(rule: str) -> None:
    assert tally(RULES[rule], {}) in ("inconclusive", "decision_triggered")


def test_f_follows_from_the_roster_where_no_independence_is_asked() -> None:
    rules = msgspec.structs.replace(RULES["quorum"], independence=None)
    cast: dict[str, Cast] = {**dict.fromkeys(FOUR, "agree"), "challenger": "major"}
    assert tally(rules, cast) == "quorum"
    assert tally(rules, {**cast, "voter_1": "minor"}) == "decision_triggered"


@given(decisions(), st.sampled_from(FOUR))
def test_removing_an_assent_never_helps(decision: DecisionFiles, voter: str) -> None:
    (files,) = decision.rounds
    without = replace(
        files,
        votes=tuple(v for v in files.votes if v.signer != voter or v.record.vote != "agree"),
    )
    before, after = evaluate(decision), evaluate(replace(decision, rounds=(without,)))
    if after.evaluation.status in IN_FORCE and len(without.votes) < len(files.votes):
        assert before.evaluation.status in IN_FORCE
        assert files.ballot is not None
        assert files.ballot.record.rules.rule == "bft_quorum"


@given(decisions(), st.sampled_from(FOUR))
def test_removing_an_affirmation_never_accepts(decision: DecisionFiles, voter: str) -> None:
    (files,) = decision.rounds
    without = replace(
        files,
        affirmations=tuple(
            file
            for file in files.affirmations
            if file.signer != voter or file.record.stance == "retract"
        ),
    )
    after = evaluate(replace(decision, rounds=(without,)))
    if after.evaluation.status in IN_FORCE:
        assert evaluate(decision).evaluation.status in IN_FORCE


def _without_digest(judgement: Judgement) -> object:
    return judgement.evaluation


@given(st.data(), rounds(), st.sampled_from(FOUR))
def test_a_late_vote_never_changes_anything(
    data: st.DataObject, files: RoundFiles, voter: str
) -> None:
    without = replace(files, votes=tuple(v for v in files.votes if v.signer != voter))
    without = replace(without, seals=tuple(s for s in without.seals if s.signer != voter))
    closed = b.close(without)
    late = replace(closed, votes=(*closed.votes, b.vote_file(closed, voter, **data.draw(answers))))
    judged = evaluate(b.decide(late))
    assert _without_digest(judged) == _without_digest(evaluate(b.decide(closed)))
    assert "late-vote" in {finding.code for finding in judged.findings}


@given(st.data(), rounds(), st.sampled_from(FOUR))
def test_a_second_vote_of_one_voter_never_changes_anything(
    data: st.DataObject, files: RoundFiles, voter: str
) -> None:
    elsewhere = path_of("vote", b.ID, round_number=1, name="somebody_else")
    second = replace(b.vote_file(files, voter, **data.draw(answers)), path=elsewhere)
    twice = replace(files, votes=(*files.votes, second))
    judged = evaluate(b.decide(twice))
    assert judged.evaluation == evaluate(b.decide(files)).evaluation
    assert "ballot-mismatch" in {finding.code for finding in judged.findings}


@given(st.data(), rounds())
def test_a_vote_of_a_stranger_never_changes_anything(
    data: st.DataObject, files: RoundFiles
) -> None:
    vote = b.vote_file(files, b.OUTSIDER, **data.draw(answers))
    judged = evaluate(b.decide(replace(files, votes=(vote, *files.votes))))
    assert judged.evaluation == evaluate(b.decide(files)).evaluation
    assert "not-a-voter" in {finding.code for finding in judged.findings}


@given(st.data(), rounds(), st.sampled_from([b.AUTHORITY, b.OUTSIDER]))
def test_a_ballot_that_does_not_count_never_changes_anything(
    data: st.DataObject, files: RoundFiles, opener: str
) -> None:
    """Whatever it says it found: a vote or retraction less must not let the round before pass."""
    full = b.previous_of(files)

    def some(digests: dict[str, str]) -> dict[str, str]:
        kept = data.draw(st.sets(st.sampled_from(sorted(digests) or [""])))
        return {name: digest for name, digest in digests.items() if name in kept}

    previous = b.previous_of(files, votes=some(full.votes), affirmations=some(full.affirmations))
    roster = b.ballot_of(files).record.voters
    second = b.follow(files, previous=previous, opened_by=opener, voters=roster)
    judged = evaluate(b.decide(files, second))
    if len(judged.rounds) == 1:
        alone = evaluate(b.decide(files))
        assert judged.evaluation == alone.evaluation
        assert judged.counted == alone.counted
    else:
        assert opener == b.AUTHORITY
        assert judged.rounds[0].outcome != "open"


@given(decisions())
def test_what_is_accepted_was_verified_by_all_gates(decision: DecisionFiles) -> None:
    evaluation = evaluate(decision).evaluation
    if evaluation.status in IN_FORCE and evaluation.basis in ("vote", "amendments"):
        assert all(gate.met for gate in evaluation.gates)
        assert evaluation.verdict in ("UNANIMITY_VERIFIED", "QUORUM_VERIFIED")
