"""Authenticated is not counted: what stands in the wrong place, or is of the wrong hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from accord.model.evidence import Input, UsedEvidence
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles
from accord.model.vote import Lineage
from accord.rules.evaluate import evaluate
from tests.rules.situations import (
    CORRELATED,
    DECIDED,
    ESCALATED,
    OLD,
    SEALED,
    SHARED_CLAIM,
    SYNTHESIS,
)
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

ELSEWHERE: Mapping[str, Any] = {"decision": "2026-01-01-elsewhere"}
CLOSED = b.close(b.cast(b.open_round(), implementer={}))
MINOR = b.affirm_all(b.amend(b.cast_all(b.open_round(), **b.MINOR)))
AGREED = b.agreed()

Move = Callable[[Authenticated[Any]], Authenticated[Any]]


def moved(file: Authenticated[Any]) -> Authenticated[Any]:
    """The file as it was signed for another decision."""
    return b.changed(file, **ELSEWHERE)


def in_round(kind: str, files: RoundFiles) -> Callable[[Move], DecisionFiles]:
    def build(move: Move) -> DecisionFiles:
        found = getattr(files, kind)
        edited: dict[str, Any] = {
            kind: (move(found[0]), *found[1:]) if isinstance(found, tuple) else move(found)
        }
        return b.decide(replace(files, **edited))

    return build


def beside(kind: str, files: RoundFiles, file: Authenticated[Any]) -> Callable[[Move], Any]:
    def build(move: Move) -> DecisionFiles:
        many = kind in ("checks", "rederivations")
        placed: dict[str, Any] = {kind: (move(file),) if many else move(file)}
        return b.decide(files, **placed)

    return build


@table(
    ("build", "path"),
    {
        "ballot": (in_round("ballot", AGREED), b.ballot_of(AGREED).path),
        "seal": (in_round("seals", SEALED), SEALED.seals[0].path),
        "vote": (in_round("votes", AGREED), AGREED.votes[0].path),
        "affirmation": (in_round("affirmations", AGREED), AGREED.affirmations[0].path),
        "amendment": (in_round("amendment", MINOR), f"decisions/{b.ID}/rounds/1/amendment.yaml"),
        "close": (in_round("close", CLOSED), f"decisions/{b.ID}/rounds/1/close.yaml"),
        "resolution": (
            in_round("resolution", b.refused()),
            f"decisions/{b.ID}/rounds/1/resolution.yaml",
        ),
        "check": (
            beside("checks", AGREED, a.check_file(AGREED)),
            f"decisions/{b.ID}/checks/plan.1.yaml",
        ),
        "second look": (
            beside("rederivations", SHARED_CLAIM, a.rederivation_file(SHARED_CLAIM)),
            f"decisions/{b.ID}/rederivations/outsider.yaml",
        ),
        "synthesis": (
            beside("synthesis", ESCALATED, SYNTHESIS),
            f"decisions/{b.ID}/synthesis.yaml",
        ),
        "withdrawal": (
            beside("withdrawal", AGREED, a.withdrawal_file(AGREED)),
            f"decisions/{b.ID}/withdrawal.yaml",
        ),
    },
)
def test_what_was_written_for_elsewhere_does_not_count(
    build: Callable[[Move], DecisionFiles], path: str
) -> None:
    here = evaluate(build(lambda file: file))
    assert path in here.counted
    assert "ballot-mismatch" not in {finding.code for finding in here.findings}
    there = evaluate(build(moved))
    assert path not in there.counted
    assert ("ballot-mismatch", path, "decision") in {
        (finding.code, finding.path, finding.field) for finding in there.findings
    }


def test_a_ruling_for_elsewhere_has_no_effect() -> None:
    ruling = a.ruling_file(ESCALATED, SYNTHESIS)
    judgement = evaluate(b.decide(ESCALATED, synthesis=SYNTHESIS, ruling=moved(ruling)))
    assert judgement.evaluation.status == "escalated"
    assert [finding.code for finding in judgement.findings] == ["ballot-mismatch"]


@table(
    ("fields", "status"),
    {
        "as it stands": ({}, "accepted"),
        "upon another ballot": ({"ballot": b.digest_of("other")}, "escalated"),
        "upon other votes": ({"transcript": b.digest_of("other")}, "escalated"),
    },
)
def test_a_synthesis_is_about_these_votes(fields: dict[str, Any], status: str) -> None:
    synthesis = a.synthesis_file(ESCALATED, **fields)
    ruling = a.ruling_file(ESCALATED, synthesis)
    decision = b.decide(ESCALATED, synthesis=synthesis, ruling=ruling)
    assert evaluate(decision).evaluation.status == status


# Seals.


@table(
    ("files", "outcome"),
    {
        "as sealed": (SEALED, "unanimous"),
        "another vote was sealed": (
            replace(
                SEALED,
                seals=(b.changed(SEALED.seals[0], vote=b.digest_of("no")), *SEALED.seals[1:]),
            ),
            "open",
        ),
        "nothing was sealed": (replace(SEALED, seals=SEALED.seals[1:]), "open"),
        "the seal is of another ballot": (
            replace(
                SEALED,
                seals=(b.changed(SEALED.seals[0], ballot=b.digest_of("no")), *SEALED.seals[1:]),
            ),
            "open",
        ),
    },
)
def test_only_the_vote_that_was_sealed_counts(files: RoundFiles, outcome: str) -> None:
    judgement = evaluate(b.decide(files))
    assert judgement.evaluation.outcome == outcome
    assert (SEALED.votes[0].path in judgement.counted) == (outcome == "unanimous")


# When a ruling is possible.

ACKNOWLEDGED = {"asymmetry_acknowledged": True}


@table(
    ("files", "checks", "codes"),
    {
        "contested, whatever a check says": (
            b.refused(),
            (a.check_file(b.refused(), by=b.OUTSIDER, exit_code=1, passed=False),),
            ["ruling-too-early"],
        ),
        "open, whatever a check says": (
            voting := b.cast(b.open_round(), implementer={}),
            (a.check_file(voting, exit_code=1, passed=False),),
            ["ruling-too-early"],
        ),
        "contested, though all acknowledge": (
            b.affirm_all(b.refused(), **ACKNOWLEDGED),
            (),
            ["ruling-too-early"],
        ),
        "accepted": (AGREED, (a.check_file(AGREED),), ["ruling-too-early"]),
        "accepted, but for a check that fails": (
            AGREED,
            (a.check_file(AGREED, exit_code=1, passed=False),),
            [],
        ),
        "accepted, but for a check that ends otherwise than planned": (
            AGREED,
            (a.check_file(AGREED, exit_code=1),),
            [],
        ),
    },
)
def test_when_the_decider_may_rule(
    files: RoundFiles, checks: tuple[Any, ...], codes: list[str]
) -> None:
    synthesis = a.synthesis_file(files)
    ruling = a.ruling_file(files, synthesis)
    judgement = evaluate(b.decide(files, checks=checks, synthesis=synthesis, ruling=ruling))
    assert [finding.code for finding in judgement.findings] == codes
    assert (judgement.evaluation.basis == "ruling") == (not codes)


# Checks.

UNDECLARED = {"name": "replay", "argv": ("make", "replay")}


@table(
    ("fields", "status"),
    {
        "declared, by anybody outside": ({}, "accepted"),
        "undeclared, by the decider": ({"by": b.DECIDER, **UNDECLARED}, "accepted"),
        "undeclared, by somebody outside": (UNDECLARED, "escalated"),
        "undeclared, by another officer": ({"by": "second", **UNDECLARED}, "escalated"),
        "over another artifact": (
            {"by": b.DECIDER, "inputs": (Input(artifact="x", digest=b.digest_of("x")),)},
            "escalated",
        ),
        "over nothing": ({"by": b.DECIDER, "inputs": ()}, "escalated"),
        "over what was marked by its place": (
            {
                "by": b.DECIDER,
                "inputs": (Input(artifact="db/schema.sql", revision=b.SCHEMA.revision),),
            },
            "accepted",
        ),
    },
)
def test_which_checks_settle_a_correlated_quorum(fields: dict[str, Any], status: str) -> None:
    officers = b.OFFICERS | {"second": b.OFFICERS[b.AUTHORITY]}
    files = b.cast(
        b.open_round(rules=b.QUORUM, officers=officers),
        **{
            vote.signer: {"evidence": vote.record.evidence, "concerns": vote.record.concerns}
            for vote in CORRELATED.votes
        },
    )
    decision = b.decide(files, checks=(a.check_file(files, **fields),))
    assert evaluate(decision).evaluation.status == status


@table(
    ("last", "status"), {"the tenth passes": (True, "accepted"), "it fails": (False, "provisional")}
)
def test_the_last_run_counts_by_number(last: bool, status: str) -> None:
    runs = [
        a.check_file(AGREED, number=number, passed=passed, exit_code=0 if passed else 1)
        for number, passed in ((10, last), (2, not last), (9, not last))
    ]
    decision = b.decide(AGREED, checks=tuple(runs))
    assert evaluate(decision).evaluation.status == status


# Second looks.


@table(
    ("lineages", "look", "status"),
    {
        "of a session of its own": (("s1", "s2", "s3"), "s4", "accepted"),
        "of a session of the round": (("s1", "s2", "s3"), "s2", "provisional"),
        "no session is known": ((None, None, None), None, "accepted"),
    },
)
def test_the_session_of_a_second_look(
    lineages: tuple[str | None, ...], look: str | None, status: str
) -> None:
    votes: dict[str, Any] = {
        voter: {
            "evidence": (*b.READ, UsedEvidence(id="summary")),
            "lineage": Lineage(model="m", session=session),
        }
        for voter, session in zip(b.VOTERS, lineages, strict=True)
    }
    files = b.affirm_all(b.cast(b.open_round(rules=b.COUNTED), **votes))
    again = a.rederivation_file(files, lineage=Lineage(model="m", session=look))
    assert evaluate(b.decide(files, rederivations=(again,))).evaluation.status == status


def test_who_sealed_and_did_not_open_has_taken_a_side() -> None:
    rules = b.make_rules(
        rule="bft_quorum",
        ballots="sealed",
        voters=b.QUORUM.voters,
        independence=b.QUORUM.independence,
    )
    leaning = {"evidence": (*b.READ, UsedEvidence(id="summary"))}
    sealed = b.cast(b.open_round(rules=rules), **dict.fromkeys(b.SEVEN, leaning))
    silent = b.SEVEN[6]
    files = b.close(
        replace(sealed, votes=tuple(vote for vote in sealed.votes if vote.signer != silent))
    )
    for member, status in ((silent, "provisional"), (b.OUTSIDER, "accepted")):
        look = a.rederivation_file(files, by=member)
        assert evaluate(b.decide(files, rederivations=(look,))).evaluation.status == status


# What checks and second looks do not touch.

LOOKS = {"confirms": (True,), "contradicts": (False,)}
PASSES: dict[str, Any] = {}
FAILS: dict[str, Any] = {"exit_code": 1, "passed": False}
SHORT = b.cast_all(b.open_round())


@table(
    ("files", "status"),
    {
        "open": (b.cast(b.open_round(), implementer={}), "open"),
        "amending": (
            b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={}),
            "amending",
        ),
        "unconverged": (SHORT, "unconverged"),
        "conditional": (
            b.affirm_all(
                b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
            ),
            "conditional",
        ),
        "contested": (b.refused(), "contested"),
        "escalated, for no round is left": (ESCALATED, "escalated"),
    },
)
def test_no_check_and_no_second_look_changes_what_voting_left_open(
    files: RoundFiles, status: str
) -> None:
    for fields in (PASSES, FAILS):
        for confirms in (True, False):
            checks = (a.check_file(files, by=b.DECIDER, **fields),)
            looks = (a.rederivation_file(files, confirms=confirms),)
            evaluation = evaluate(b.decide(files, checks=checks, rederivations=looks)).evaluation
            assert (evaluation.status, evaluation.basis) == (status, None)


@table(("confirms",), LOOKS)
def test_a_second_look_at_what_is_durable_changes_nothing(confirms: bool) -> None:
    look = a.rederivation_file(AGREED, confirms=confirms)
    looked = evaluate(b.decide(AGREED, rederivations=(look,))).evaluation
    assert looked == evaluate(b.decide(AGREED)).evaluation


def test_no_check_undoes_a_ruling() -> None:
    """A correlated quorum that would undo a ruling needs a ruling, whatever a check says."""
    files = b.cast(
        b.open_round({"reopens": OLD.id}, rules=b.QUORUM),
        **{vote.signer: {"evidence": vote.record.evidence} for vote in CORRELATED.votes},
    )
    decision = b.decide(files, checks=(a.check_file(files),))
    ruled = replace(DECIDED, basis="ruling")
    for older, status in ((DECIDED, "accepted"), (ruled, "escalated")):
        assert evaluate(decision, {OLD.id: older}).evaluation.status == status


def test_nobody_is_warned_of_an_agreement_that_is_not_there_yet() -> None:
    leaning = {"evidence": (*b.READ, UsedEvidence(id="summary"))}
    voting = b.cast(b.open_round(), challenger=leaning, implementer=leaning)
    judgement = evaluate(b.decide(voting))
    assert (judgement.evaluation.warnings, judgement.findings) == ((), ())
    done = evaluate(b.decide(b.cast(voting, reviewer=leaning)))
    assert "correlated-quorum-warning" in {finding.code for finding in done.findings}
