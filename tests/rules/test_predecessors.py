"""What an older decision hands down to one that continues, reopens or supersedes it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from accord.model.ballot import LeftOut, Required
from accord.model.evidence import ManifestEntry
from accord.model.policy import Seats
from accord.model.snapshot import Predecessor, RoundFiles, Settled
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.predecessors import digest_text, hand_down
from tests.rules.situations import CORRELATED, ESCALATED, REFUSED
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

OLDER = "2026-01-02-older"
TEXT = "Index open orders only."


def handed(files: RoundFiles, **others: Any) -> Predecessor:
    """What a decision that ended like this hands down, under the id of an older one."""
    judgement = evaluate(b.decide(files, **others))
    return hand_down(OLDER, judgement.evaluation, judgement.rounds)


def judge(older: Predecessor, proposal: dict[str, Any], **ballot: Any) -> Judgement:
    files = b.affirm_all(b.cast_all(b.open_round(proposal, **ballot)))
    return evaluate(b.decide(files), {older.id: older})


NEW = ManifestEntry(id="bench", kind="primary", artifact="b.txt", digest=b.digest_of("bench"))
REJECTED_BY_RULING = handed(
    ESCALATED,
    synthesis=a.synthesis_file(ESCALATED),
    ruling=a.ruling_file(ESCALATED, a.synthesis_file(ESCALATED), ruling="reject"),
)
ACCEPTED = handed(b.agreed())
GONE_RULES = b.make_rules(voters=Seats(min=2, max=4, eligible=("challenger", "implementer")))
ALL_RULES = b.make_rules(voters=Seats(min=2, max=4, eligible=(*b.VOTERS, b.PROPOSER, b.AUTHORITY)))
QUORUM_RULES = b.change(ALL_RULES, voters=Seats(min=6, max=7, eligible=b.SEVEN))
TWO = b.seats(("challenger", "implementer"))


def test_what_is_handed_down() -> None:
    older = handed(ESCALATED)
    assert (older.status, older.verdict, older.basis) == ("escalated", "NOT_UNANIMOUS", None)
    assert older.texts == {digest_text(TEXT)}
    assert older.dissenters == {"challenger"}
    assert older.voters == set(b.VOTERS)
    assert older.evidence >= {b.digest_of("schema"), b.digest_of("log")}
    assert ACCEPTED.voters == set(b.VOTERS)
    assert ACCEPTED.dissenters == frozenset()


def test_who_decided_is_asked_again_whatever_they_signed() -> None:
    """In a class that asks for no affirmation nobody commits in so many words."""
    quiet = b.make_rules(
        require=Required(evidence_consensus=True, reasoning_convergence=False, assessment=True)
    )
    assert handed(b.cast_all(b.open_round(rules=quiet))).voters == set(b.VOTERS)
    silent = b.close(b.cast(b.open_round(rules=b.QUORUM), **{voter: {} for voter in b.SEVEN[:6]}))
    assert handed(silent).voters == set(b.SEVEN)


def test_amended_texts_are_handed_down_too() -> None:
    minor = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})
    amended = b.amend(minor)
    assert amended.amendment is not None
    assert handed(amended).texts == {
        digest_text(TEXT),
        digest_text(amended.amendment.record.text),
    }


def test_a_draft_hands_down_nothing() -> None:
    judgement = evaluate(b.decide())
    older = hand_down(OLDER, judgement.evaluation, judgement.rounds)
    assert not (older.texts | older.dissenters | older.opposed)
    assert older.evidence_set is None


@table(
    ("older", "proposal", "ballot", "faults"),
    {
        "another text": (handed(ESCALATED), {"text": "Index everything."}, {}, []),
        "the same text": (handed(ESCALATED), {}, {}, ["proposed-before text"]),
        "the same text, accepted before": (ACCEPTED, {}, {}, []),
        "continued": (handed(ESCALATED), {"continues": OLDER}, {}, []),
        "continued with another text": (
            handed(ESCALATED),
            {"continues": OLDER, "text": "Index less."},
            {},
            [],
        ),
        "what is still voted on is not continued": (
            handed(REFUSED),
            {"continues": OLDER},
            {},
            ["proposed-before continues"],
        ),
        "what nobody knows is not continued": (
            handed(ESCALATED),
            {"continues": "2026-01-01-unknown", "text": "x"},
            {},
            ["proposed-before continues"],
        ),
        "its dissenter is dropped": (
            replace(handed(ESCALATED), dissenters=frozenset({"reviewer"})),
            {"continues": OLDER},
            {"voters": TWO},
            ["dissenter-dropped voters"],
        ),
        "more voters on the same evidence": (
            handed(CORRELATED),
            {"continues": OLDER},
            {},
            ["only-voters-added evidence"],
        ),
        "the same bytes under other names": (
            handed(CORRELATED),
            {
                "continues": OLDER,
                "evidence": (
                    msgspec.structs.replace(b.SCHEMA, artifact="copy.sql", revision=None),
                    b.LOG,
                    b.SUMMARY,
                ),
            },
            {},
            ["only-voters-added evidence"],
        ),
        "other evidence": (
            handed(CORRELATED),
            {"continues": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {},
            [],
        ),
        "reopened": (ACCEPTED, {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)}, {}, []),
        "superseded": (ACCEPTED, {"supersedes": OLDER, "evidence": (*b.MANIFEST, NEW)}, {}, []),
        "nothing new": (ACCEPTED, {"reopens": OLDER}, {}, ["reopens-invalid reopens"]),
        "only a new claim": (
            ACCEPTED,
            {
                "supersedes": OLDER,
                "evidence": (*b.MANIFEST, msgspec.structs.replace(NEW, kind="claim")),
            },
            {},
            ["reopens-invalid supersedes"],
        ),
        "only something new that nobody pinned": (
            ACCEPTED,
            {
                "reopens": OLDER,
                "evidence": (*b.MANIFEST, msgspec.structs.replace(NEW, digest=None)),
            },
            {},
            ["reopens-invalid reopens"],
        ),
        "only what was said elsewhere": (
            ACCEPTED,
            {
                "reopens": OLDER,
                "evidence": (
                    *b.MANIFEST,
                    msgspec.structs.replace(NEW, artifact=f"decisions/{OLDER}/record.yaml"),
                ),
            },
            {},
            ["reopens-invalid reopens"],
        ),
        "of another class": (
            replace(ACCEPTED, class_="governance"),
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {},
            ["reopens-invalid reopens"],
        ),
        "while another does": (
            replace(ACCEPTED, redecided_by=frozenset({"2026-02-02-other"})),
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {},
            ["reopens-invalid reopens"],
        ),
        "what is not decided is not reopened": (
            handed(ESCALATED),
            {"reopens": OLDER, "text": "x"},
            {},
            ["reopens-invalid reopens"],
        ),
        "what nobody knows is not superseded": (
            ACCEPTED,
            {"supersedes": "2026-01-01-unknown"},
            {},
            ["reopens-invalid supersedes"],
        ),
        "without one who now proposes, and one who opens": (
            replace(ACCEPTED, voters=frozenset({*b.VOTERS, b.PROPOSER, b.AUTHORITY})),
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {"rules": ALL_RULES, "voters": b.seats(b.VOTERS)},
            [],
        ),
        "without one who did not even vote": (
            handed(b.close(b.cast(b.open_round(rules=b.QUORUM), **{v: {} for v in b.SEVEN[:6]}))),
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {"rules": QUORUM_RULES, "voters": b.seats(b.SEVEN[:6])},
            ["reopens-invalid voters"],
        ),
        "without a voter": (
            ACCEPTED,
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {"voters": TWO},
            ["reopens-invalid voters"],
        ),
        "without one who is not eligible any more": (
            ACCEPTED,
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            {"rules": GONE_RULES, "voters": TWO},
            [],
        ),
    },
)
def test_what_names_an_older_decision(
    older: Predecessor, proposal: dict[str, Any], ballot: dict[str, Any], faults: list[str]
) -> None:
    judgement = judge(older, proposal, **ballot)
    assert [f"{finding.code} {finding.field}" for finding in judgement.findings] == faults
    assert (judgement.evaluation.status == "accepted") == (not faults)


@table(("field",), {"reopened": ("reopens",), "superseded": ("supersedes",)})
def test_what_a_ruling_ended_only_a_ruling_undoes(field: str) -> None:
    proposal = {field: OLDER, "text": "Anew.", "evidence": (*b.MANIFEST, NEW)}
    barred = judge(REJECTED_BY_RULING, proposal).evaluation
    assert (barred.verdict, barred.status) == ("UNANIMITY_VERIFIED", "escalated")
    assert "ended by a ruling" in barred.directive.sentence
    files = b.affirm_all(b.cast_all(b.open_round(proposal)))
    synthesis = a.synthesis_file(files)
    decision = b.decide(files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis))
    ruled = evaluate(decision, {OLDER: REJECTED_BY_RULING}).evaluation
    assert (ruled.status, ruled.basis) == ("accepted", "ruling")


@table(
    ("older", "proposal"),
    {
        "it is voted on again": (handed(REFUSED), {"continues": OLDER}),
        "it was accepted after all": (ACCEPTED, {"continues": OLDER}),
        "it is gone": (replace(ACCEPTED, id="2026-02-02-other"), {"continues": OLDER}),
        "it was refused after all": (handed(ESCALATED), {}),
        "it is not decided any more": (handed(REFUSED), {"reopens": OLDER, "text": "x"}),
        "somebody dissented late": (
            replace(handed(ESCALATED), dissenters=frozenset({"challenger", "newcomer"})),
            {"continues": OLDER},
        ),
    },
)
def test_what_an_older_decision_does_later_undoes_nothing(
    older: Predecessor, proposal: dict[str, Any]
) -> None:
    decision = b.decide(b.affirm_all(b.cast_all(b.open_round(proposal))))
    settled = Settled(ballots=frozenset({b.ballot_of(decision.rounds[0]).path}))
    alone = evaluate(decision, {}, settled)
    assert alone.evaluation.status == "accepted"
    assert evaluate(decision, {older.id: older}, settled) == alone
    entering = evaluate(decision, {older.id: older})
    assert entering.evaluation.status == "draft"
    assert entering.findings


def test_what_a_ruling_ended_stays_undone_only_by_a_ruling() -> None:
    files = b.affirm_all(b.cast_all(b.open_round({"reopens": OLDER, "text": "x"})))
    settled = Settled(ballots=frozenset({b.ballot_of(files).path}))
    judgement = evaluate(b.decide(files), {OLDER: REJECTED_BY_RULING}, settled)
    assert (judgement.findings, judgement.evaluation.status) == ((), "escalated")


@table(
    ("opposed", "status"),
    {
        "one who is on the roster": (frozenset({"challenger"}), "accepted"),
        "nobody whose vote counted": (frozenset(), "escalated"),
    },
)
def test_late_dissent_lets_nobody_decide(opposed: frozenset[str], status: str) -> None:
    older = replace(
        handed(ESCALATED), dissenters=frozenset({"reviewer", "implementer"}), opposed=opposed
    )
    left = (LeftOut(voter="reviewer", reason="left the team"),)
    judgement = judge(older, {"continues": OLDER}, rules=GONE_RULES, voters=TWO, left_out=left)
    assert judgement.findings == ()
    assert judgement.evaluation.status == status


def test_only_counted_votes_oppose() -> None:
    abstained = b.cast(b.open_round(), challenger=b.MAJOR, implementer={"vote": "abstain"})
    late = b.cast(b.close(abstained), reviewer=b.MAJOR)
    older = handed(late)
    assert older.dissenters == {"challenger", "implementer", "reviewer"}
    assert older.opposed == {"challenger", "implementer"}
    sealed = b.cast(b.open_round(rules=b.SEALED), implementer={"rationale": None})
    assert handed(sealed).opposed == {"implementer"}


FIRST = replace(
    handed(ESCALATED),
    id="2026-01-01-first",
    dissenters=frozenset({"newcomer"}),
    opposed=frozenset(),
)
SECOND = replace(handed(ESCALATED), continues=frozenset({FIRST.id}))
BESIDE = replace(
    handed(ESCALATED),
    id="2026-01-03-beside",
    dissenters=frozenset({"reviewer"}),
    continues=frozenset({FIRST.id}),
)
CHAIN = {older.id: older for older in (FIRST, SECOND)}
FORK = CHAIN | {BESIDE.id: BESIDE}
ALL = b.seats((*b.VOTERS, "newcomer"))


@table(
    ("older", "proposal", "voters", "faults"),
    {
        "the latest of a chain": (CHAIN, {"continues": OLDER}, ALL, []),
        "the first of a chain": (CHAIN, {"continues": FIRST.id}, ALL, []),
        "one branch of two": (FORK, {"continues": OLDER}, ALL, []),
        "the root of two branches": (FORK, {"continues": FIRST.id}, ALL, []),
        "none of them": (CHAIN, {}, ALL, ["proposed-before text", "proposed-before text"]),
        "another chain": (
            CHAIN | {BESIDE.id: replace(BESIDE, continues=frozenset())},
            {"continues": OLDER},
            ALL,
            ["proposed-before text"],
        ),
        "without a dissenter of the first": (
            CHAIN,
            {"continues": OLDER},
            b.seats(b.VOTERS),
            ["dissenter-dropped voters"],
        ),
        "without a dissenter of another branch": (
            FORK,
            {"continues": OLDER},
            b.seats(("challenger", "implementer", "newcomer")),
            ["dissenter-dropped voters"],
        ),
        "on the evidence that failed in the first": (
            CHAIN | {FIRST.id: replace(FIRST, verdict="CORRELATED_QUORUM")},
            {"continues": OLDER},
            ALL,
            ["only-voters-added evidence"],
        ),
        "decided anew, after it was taken up": (
            {
                FIRST.id: FIRST,
                OLDER: replace(ACCEPTED, continues=frozenset({FIRST.id})),
            },
            {"reopens": OLDER, "evidence": (*b.MANIFEST, NEW)},
            ALL,
            [],
        ),
        "a circle": (
            CHAIN | {FIRST.id: replace(FIRST, continues=frozenset({OLDER}))},
            {"continues": OLDER},
            ALL,
            [],
        ),
    },
)
def test_naming_one_of_a_chain_names_the_chain(
    older: dict[str, Predecessor], proposal: dict[str, Any], voters: Any, faults: list[str]
) -> None:
    judgement = evaluate(b.decide(b.open_round(proposal, voters=voters)), older)
    assert [f"{finding.code} {finding.field}" for finding in judgement.findings] == faults


def test_who_opposed_the_first_of_a_chain_is_heard_in_the_last() -> None:
    left = (LeftOut(voter="reviewer", reason="left the team"),)
    second = replace(SECOND, dissenters=frozenset({"reviewer"}), opposed=frozenset({"reviewer"}))
    files = b.open_round({"continues": OLDER}, rules=GONE_RULES, voters=TWO, left_out=left)
    decision = b.decide(b.affirm_all(b.cast_all(files)))
    settled = Settled(ballots=frozenset({b.ballot_of(files).path}))
    for opposed, status in ((frozenset({"challenger"}), "accepted"), (frozenset(), "escalated")):
        first = replace(FIRST, opposed=opposed)
        judgement = evaluate(decision, {FIRST.id: first, OLDER: second}, settled)
        assert judgement.evaluation.status == status


def test_what_it_continued_is_handed_down() -> None:
    files = b.open_round({"continues": FIRST.id})
    judgement = evaluate(b.decide(files), {FIRST.id: replace(FIRST, dissenters=frozenset())})
    older = hand_down(OLDER, judgement.evaluation, judgement.rounds)
    assert older.continues == {FIRST.id}


def test_when_all_who_dissented_are_gone_votes_decide_nothing() -> None:
    gone = frozenset({"reviewer"})
    older = replace(handed(ESCALATED), dissenters=gone, opposed=gone)
    left = (LeftOut(voter="reviewer", reason="left the team"),)
    judgement = judge(older, {"continues": OLDER}, rules=GONE_RULES, voters=TWO, left_out=left)
    assert judgement.findings == ()
    assert judgement.evaluation.status == "escalated"


def test_when_all_who_dissented_in_a_round_are_gone_votes_decide_nothing() -> None:
    voters: dict[str, Any] = {"challenger": {}, "implementer": {}, "reviewer": b.MAJOR}
    first = b.resolve(b.cast(b.open_round(), **voters), b.answer("reviewer"))
    left = (LeftOut(voter="reviewer", reason="left the team"),)
    second = b.affirm_all(b.cast_all(b.follow(first, rules=GONE_RULES, voters=TWO, left_out=left)))
    judgement = evaluate(b.decide(first, second))
    assert judgement.findings == ()
    assert judgement.evaluation.status == "escalated"
    assert "none of those who dissented" in judgement.evaluation.directive.sentence


def test_who_left_and_is_not_listed_was_dropped() -> None:
    voters: dict[str, Any] = {"challenger": {}, "implementer": {}, "reviewer": b.MAJOR}
    first = b.resolve(b.cast(b.open_round(), **voters), b.answer("reviewer"))
    second = b.follow(first, rules=GONE_RULES, voters=TWO)
    (finding,) = evaluate(b.decide(first, second)).findings
    assert finding.code == "dissenter-dropped"
    assert "left_out" in finding.hint
