"""Which files of a round count, and what the round has come to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.policy import Seats
from accord.model.proposal import Enacted, Waiver
from accord.model.resolution import Adopted
from accord.model.snapshot import RoundFiles
from accord.rules.counting import CountedRound, affirmation_digests
from accord.rules.evaluate import Judgement, evaluate
from tests.rules.situations import AGREED, REFUSED, SEALED
from tests.support import files as b
from tests.support.tables import table


def judge(files: RoundFiles) -> Judgement:
    return evaluate(b.decide(files))


def count(files: RoundFiles) -> CountedRound:
    (round_,) = judge(files).rounds
    return round_


def codes(files: RoundFiles) -> list[str]:
    return [f"{found.code} {found.path.split('/')[-1]}" for found in judge(files).findings]


VOTED = b.cast_all(b.open_round())
TWO_AFFIRM = b.affirm(VOTED, challenger={}, implementer={})
OPEN_SEALED = b.open_round(rules=b.SEALED)
MINOR = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})


def with_affirmation(files: RoundFiles, voter: str, number: int, /, **fields: Any) -> RoundFiles:
    file = b.affirmation_file(files, voter, number=number, **fields)
    return replace(files, affirmations=(file, *files.affirmations))


STALE = {"transcript": b.digest_of("older")}


@table(
    ("files", "status", "findings"),
    {
        "all affirm": (AGREED, "accepted", []),
        "one affirms another transcript": (
            with_affirmation(
                b.affirm(VOTED, challenger={}, implementer={}), "reviewer", 1, **STALE
            ),
            "unconverged",
            ["stale-file reviewer.1.yaml"],
        ),
        "and then the right one": (
            with_affirmation(b.affirm_all(VOTED, number=2), "reviewer", 1, **STALE),
            "accepted",
            [],
        ),
        "one affirms, then another transcript": (
            with_affirmation(AGREED, "reviewer", 2, **STALE),
            "accepted",
            [],
        ),
        "one affirms, then retracts": (
            with_affirmation(AGREED, "reviewer", 2, **b.RETRACT),
            "contested",
            [],
        ),
        "one retracts, then affirms": (
            with_affirmation(b.affirm_all(VOTED, number=10), "reviewer", 9, **b.RETRACT),
            "accepted",
            [],
        ),
        "a retraction is never stale": (
            with_affirmation(AGREED, "reviewer", 2, **(b.RETRACT | STALE)),
            "contested",
            [],
        ),
        "a retraction is never late": (
            with_affirmation(b.close(AGREED), "reviewer", 2, **b.RETRACT),
            "contested",
            [],
        ),
        "an affirmation may be late": (
            b.affirm(b.close(TWO_AFFIRM), reviewer={}),
            "contested",
            ["late-vote reviewer.1.yaml"],
        ),
        "a bare retraction does not count": (
            with_affirmation(AGREED, "reviewer", 2, stance="retract"),
            "accepted",
            ["vote-incomplete reviewer.2.yaml", "vote-incomplete reviewer.2.yaml"],
        ),
        "a retraction of a stranger does not count": (
            with_affirmation(AGREED, b.OUTSIDER, 1, **b.RETRACT),
            "accepted",
            ["not-a-voter outsider.1.yaml"],
        ),
        "a retraction of another ballot does not count": (
            with_affirmation(AGREED, "reviewer", 2, **b.RETRACT, ballot=b.digest_of("x")),
            "accepted",
            ["ballot-mismatch reviewer.2.yaml"],
        ),
        "who has not voted takes nothing back": (
            with_affirmation(
                b.cast(b.open_round(), challenger={}, implementer={}), "reviewer", 1, **b.RETRACT
            ),
            "open",
            [],
        ),
        "who never voted retracts after the close": (
            with_affirmation(
                b.close(b.cast(b.open_round(), challenger={}, implementer={})),
                "reviewer",
                1,
                **b.RETRACT,
            ),
            "contested",
            [],
        ),
    },
)
def test_affirmations(files: RoundFiles, status: str, findings: list[str]) -> None:
    assert judge(files).evaluation.status == status
    assert codes(files) == findings


def test_who_retracted_has_to_be_answered() -> None:
    retracted = with_affirmation(AGREED, "reviewer", 2, **b.RETRACT)
    assert count(retracted).objections == {("reviewer", "MISALIGNED")}
    assert count(retracted).dissenters == {"reviewer"}
    assert set(affirmation_digests(count(retracted))) == {
        "challenger.1",
        "implementer.1",
        "reviewer.1",
        "reviewer.2",
    }


def test_stale_affirmations_are_not_listed() -> None:
    stale = with_affirmation(AGREED, "reviewer", 2, **STALE)
    assert "reviewer.2" not in affirmation_digests(count(stale))


def test_sealed_and_all_opened() -> None:
    assert codes(SEALED) == []
    assert judge(SEALED).evaluation.status == "accepted"


def test_a_sealed_incomplete_vote_stands_as_an_abstention() -> None:
    files = b.cast(OPEN_SEALED, challenger={}, implementer=b.MAJOR, reviewer={"rationale": None})
    files = replace(files, votes=tuple(v for v in files.votes if v.signer != "implementer"))
    files = b.cast(
        replace(files, seals=tuple(s for s in files.seals if s.signer != "implementer")),
        implementer={},
    )
    round_ = count(files)
    assert (round_.cast["reviewer"], round_.outcome) == ("abstain", "inconclusive")
    assert round_.objections == {("reviewer", None)}
    assert not round_.objects("reviewer")
    assert files.votes[-1].path in round_.counted


def test_an_incomplete_open_vote_is_none_yet() -> None:
    files = b.cast(b.open_round(), challenger={}, implementer={}, reviewer={"rationale": None})
    round_ = count(files)
    assert (round_.cast["reviewer"], round_.outcome) == ("pending", "open")
    assert f"decisions/{b.ID}/rounds/1/votes/reviewer.yaml" not in round_.counted


UNOPENED = b.close(
    replace(b.cast(OPEN_SEALED, challenger={}, implementer={}, reviewer={}), votes=())
)


def test_a_seal_that_the_close_lists_may_still_be_opened() -> None:
    voted = b.cast_all(OPEN_SEALED)
    opened = replace(UNOPENED, votes=voted.votes[:2])
    assert count(UNOPENED).unopened == set(b.VOTERS)
    assert count(UNOPENED).dissenters == set(b.VOTERS)
    round_ = count(opened)
    assert set(round_.votes) == {"challenger", "implementer"}
    assert round_.unopened == {"reviewer"}
    assert round_.outcome == "inconclusive"
    assert codes(opened) == ["seal-unopened reviewer.yaml"]


def test_a_seal_after_the_close_is_late_and_so_is_its_vote() -> None:
    closed = b.close(b.cast(OPEN_SEALED, challenger={}, implementer={}))
    late = b.cast(closed, reviewer=b.MAJOR)
    round_ = count(late)
    assert codes(late) == ["late-vote reviewer.yaml", "late-vote reviewer.yaml"]
    assert set(round_.votes) == {"challenger", "implementer"}
    assert round_.objections == {("reviewer", "YAGNI")}
    assert round_.dissenters == {"reviewer"}


def test_a_seal_of_a_stranger_takes_nobodys_place() -> None:
    vote = b.vote_file(OPEN_SEALED, b.OUTSIDER)
    files = replace(SEALED, seals=(b.seal_file(OPEN_SEALED, vote), *SEALED.seals))
    assert codes(files) == ["not-a-voter outsider.yaml"]
    assert b.OUTSIDER not in count(files).seals


def test_a_close_by_no_authority_closes_nothing() -> None:
    files = b.close(b.cast(b.open_round(), challenger={}))
    assert files.close is not None
    forged = replace(files, close=replace(files.close, signer="challenger"))
    assert judge(files).evaluation.outcome == "inconclusive"
    assert judge(forged).evaluation.outcome == "open"
    assert codes(forged) == ["signer-lacks-role close.yaml"]


ENACTS = (Enacted(path="db/schema.sql", digest=b.digest_of("schema")),)
VOTE = next(vote for vote in MINOR.votes if vote.signer == "challenger")
TAKEN_IN = Adopted(voter="challenger", vote=VOTE.digest, alternative=VOTE.record.alternative or "")


@table(
    ("fields", "found"),
    {
        "as it is": ({}, []),
        "nothing is taken in": ({"amendments": ()}, ["amendments"]),
        "an agreement is taken in": (
            {
                "amendments": (
                    TAKEN_IN,
                    Adopted(voter="reviewer", vote=VOTE.digest, alternative="x"),
                )
            },
            ["amendments[1]"],
        ),
        "another vote": (
            {"amendments": (b.change(TAKEN_IN, vote=b.digest_of("x")),)},
            ["amendments[0]"],
        ),
        "other words": (
            {"amendments": (b.change(TAKEN_IN, alternative="Drop it."),)},
            ["amendments[0]"],
        ),
        "it enacts more than was proposed": ({"enacts": ENACTS}, ["enacts"]),
    },
)
def test_amendments(fields: dict[str, Any], found: list[str]) -> None:
    amended = b.affirm_all(b.amend(MINOR, **fields))
    findings = [finding for finding in judge(amended).findings if finding.code != "stale-file"]
    assert [finding.field for finding in findings] == found
    assert {finding.code for finding in findings} <= {"amendment-differs"}
    assert judge(amended).evaluation.status == ("amending" if found else "approved_with_amendments")


def test_nobody_assents_to_an_amendment_without_having_affirmed_it() -> None:
    amended = b.affirm(b.amend(MINOR), challenger={}, implementer={})
    assert count(amended).assenting == {"challenger", "implementer"}
    assert judge(amended).evaluation.status == "amending"
    assert judge(b.close(amended)).evaluation.status == "contested"


def test_an_amendment_of_a_major_objection_is_ignored() -> None:
    amended = b.amend(REFUSED)
    assert codes(amended) == ["amendment-unfounded amendment.yaml"]
    assert judge(amended).evaluation.text_digest == b.proposal_of(REFUSED).digest


@table(
    ("proposal", "ballot", "faults"),
    {
        "a waiver that the proposal does not have": (
            {},
            {"waiver": Waiver(kind="trivially_reversible")},
            ["ballot-mismatch waiver", "waiver-not-allowed waiver.kind"],
        ),
        "a waiver that the class does not know": (
            {"waiver": Waiver(kind="trivially_reversible"), "reversibility": "trivial"},
            {"rules": b.make_rules(waivers=())},
            ["waiver-not-allowed waiver.kind"],
        ),
        "a waiver of a check that there is not": (
            {"waiver": Waiver(kind="path_independent", check="other")},
            {},
            ["waiver-not-allowed waiver.kind"],
        ),
        "a waiver of no check": (
            {"waiver": Waiver(kind="path_independent")},
            {},
            ["waiver-not-allowed waiver.kind"],
        ),
        "another manifest": (
            {},
            {"evidence_set": b.digest_of("x")},
            ["ballot-mismatch evidence_set"],
        ),
        "too many voters": (
            {},
            {
                "rules": b.make_rules(voters=Seats(min=2, max=2, eligible=b.VOTERS)),
            },
            ["voter-count voters"],
        ),
        "a voter with no role to vote": (
            {},
            {"voters": b.seats(b.VOTERS) | {"newcomer": b.OFFICERS[b.AUTHORITY]}},
            ["voter-not-eligible voters.newcomer"],
        ),
    },
)
def test_ballots(proposal: dict[str, Any], ballot: dict[str, Any], faults: list[str]) -> None:
    judgement = judge(b.open_round(proposal, **ballot))
    assert [f"{found.code} {found.field}" for found in judgement.findings] == faults
    tolerated = faults == ["waiver-not-allowed waiver.kind"]
    assert judgement.evaluation.status == ("open" if tolerated else "draft")


def test_a_waived_convergence_needs_no_affirmation() -> None:
    waiver = {"waiver": Waiver(kind="trivially_reversible"), "reversibility": "trivial"}
    waived = b.cast_all(b.open_round(waiver))
    assert judge(waived).evaluation.status == "accepted"
    refused = b.cast_all(b.open_round(waiver, rules=b.make_rules(waivers=())))
    assert judge(refused).evaluation.status == "unconverged"


def test_a_ballot_without_a_signed_proposal_does_not_count() -> None:
    judgement = judge(replace(AGREED, proposal=None))
    assert [finding.code for finding in judgement.findings] == ["proposal-changed"]
    assert judgement.evaluation.status == "draft"


def test_a_forged_close_brings_no_late_file_into_a_round_that_is_over() -> None:
    following = b.follow(REFUSED)
    late = b.affirm(REFUSED, reviewer=b.RETRACT)
    forged = replace(late, close=replace(b.close_file(late), signer="reviewer"))
    for files in (late, forged):
        judgement = evaluate(b.decide(files, following))
        assert (judgement.evaluation.round, judgement.evaluation.status) == (2, "open")
        assert "late-vote" in {finding.code for finding in judgement.findings}
