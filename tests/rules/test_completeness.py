"""What makes an answer a vote, and a retraction an answer."""

from __future__ import annotations

from typing import Any

from accord.model.ballot import Rules
from accord.model.evidence import UsedEvidence
from accord.model.policy import WaiverKind
from accord.model.proposal import Waiver
from accord.model.vote import Assessment, Concern
from accord.rules.completeness import check_affirmation, check_vote
from tests.support import files as b
from tests.support.tables import table

SEALED = b.make_rules(ballots="sealed")
OWN_WORD = b.make_rules(vias=("fuzzed",))
BLOCKING = (Concern(text="It drifts."), Concern(text="No way back.", blocking=True))


@table(
    ("voter", "fields", "rules", "faults"),
    {
        "an agreement": ("implementer", {}, None, []),
        "a disagreement": ("implementer", b.MAJOR, None, []),
        "an abstention rates nothing": (
            "implementer",
            b.ABSTAIN | {"assessment": None},
            None,
            [],
        ),
        "a concern of whoever objects blocks": (
            "implementer",
            b.MAJOR | {"concerns": BLOCKING},
            None,
            [],
        ),
        "an own word of use": (
            "implementer",
            {"evidence": (UsedEvidence(id="log", via="fuzzed"),)},
            OWN_WORD,
            [],
        ),
        "a category of the project": (
            "implementer",
            b.MAJOR | {"categories": ("X_LICENSING",)},
            None,
            [],
        ),
        "no rationale": ("implementer", {"rationale": None}, None, ["vote-incomplete rationale"]),
        "an abstention without a reason": (
            "implementer",
            b.ABSTAIN | {"rationale": " \n"},
            None,
            ["vote-incomplete rationale"],
        ),
        "no nonce under seal": (
            "implementer",
            {"nonce": None},
            SEALED,
            ["vote-incomplete nonce"],
        ),
        "no nonce in the open": ("implementer", {"nonce": None}, None, []),
        "a blocking concern under agreement": (
            "implementer",
            {"concerns": BLOCKING},
            None,
            ["blocking-concern-under-agree concerns[1]"],
        ),
        "a bare disagreement": (
            "implementer",
            {"vote": "disagree"},
            None,
            [
                "vote-incomplete severity",
                "vote-incomplete categories",
                "vote-incomplete alternative",
            ],
        ),
        "an unknown category": (
            "implementer",
            b.MAJOR | {"categories": ("YAGNI", "UGLY")},
            None,
            ["unknown-category categories[1]"],
        ),
        "an unknown word of use": (
            "implementer",
            {"evidence": (UsedEvidence(id="log"), UsedEvidence(id="log", via="fuzzed"))},
            None,
            ["vote-incomplete evidence[1].via"],
        ),
        "nothing is rated": (
            "implementer",
            {"assessment": None},
            None,
            [
                "vote-incomplete assessment.testability",
                "vote-incomplete assessment.workflow_integration",
                "vote-incomplete assessment.incremental_verifiability",
            ],
        ),
        "one thing is rated": (
            "implementer",
            {"assessment": Assessment(testability=b.RATED)},
            None,
            [
                "vote-incomplete assessment.workflow_integration",
                "vote-incomplete assessment.incremental_verifiability",
            ],
        ),
        "a silent challenger": (
            "challenger",
            {"concerns": ()},
            None,
            ["challenger-silent concerns"],
        ),
        "a challenger of blanks": (
            "challenger",
            {"concerns": (Concern(text="  "),)},
            None,
            ["challenger-silent concerns"],
        ),
        "a silent voter": ("implementer", {"concerns": ()}, None, []),
        "a silent stranger": (b.OUTSIDER, {"concerns": ()}, None, []),
    },
)
def test_votes(voter: str, fields: dict[str, Any], rules: Rules | None, faults: list[str]) -> None:
    files = b.open_round(rules=rules or b.make_rules())
    vote = b.vote_file(files, voter, **fields).record
    found = check_vote(vote, b.ballot_of(files), b.proposal_of(files), "votes/v.yaml")
    assert [f"{finding.code} {finding.field}" for finding in found] == faults
    assert {finding.path for finding in found} <= {"votes/v.yaml"}


def test_a_class_may_ask_for_no_assessment() -> None:
    rules = b.make_rules()
    rules = b.change(rules, require=b.change(rules.require, assessment=False))
    files = b.open_round(rules=rules)
    vote = b.vote_file(files, "implementer", assessment=None).record
    assert check_vote(vote, b.ballot_of(files), b.proposal_of(files), "v") == ()


@table(
    ("fields", "faults"),
    {
        "an affirmation": ({}, []),
        "an affirmation without a reason": ({"reason": " \n"}, ["vote-incomplete reason"]),
        "a retraction": (b.RETRACT, []),
        "a bare retraction": (
            {"stance": "retract"},
            ["vote-incomplete categories", "vote-incomplete severity"],
        ),
        "an affirmation that objects": (
            b.RETRACT | {"stance": "affirm"},
            [
                "vote-incomplete categories",
                "vote-incomplete severity",
                "vote-incomplete commitment",
            ],
        ),
        "an affirmation without commitment": (
            {"commitment": None},
            ["vote-incomplete commitment"],
        ),
        "a retraction commits to nothing": (b.RETRACT | {"commitment": None}, []),
        "an unknown category": (
            b.RETRACT | {"categories": ("UGLY",)},
            ["unknown-category categories[0]"],
        ),
    },
)
def test_affirmations(fields: dict[str, Any], faults: list[str]) -> None:
    files = b.cast_all(b.open_round())
    affirmation = b.affirmation_file(files, "implementer", **fields).record
    found = check_affirmation(
        affirmation, b.ballot_of(files).record, b.proposal_of(files).record, "a.yaml"
    )
    assert [f"{finding.code} {finding.field}" for finding in found] == faults


TRIVIAL: dict[str, Any] = {
    "reversibility": "trivial",
    "waiver": Waiver(kind="trivially_reversible", justification="One flag."),
}


@table(
    ("proposal", "waivers", "complete"),
    {
        "under a waiver": (TRIVIAL, ("trivially_reversible",), True),
        "under a waiver that the class does not allow": (TRIVIAL, (), False),
        "under a waiver that claims too much": (
            TRIVIAL | {"reversibility": "costly"},
            ("trivially_reversible",),
            False,
        ),
    },
)
def test_only_a_waiver_spares_the_commitment(
    proposal: dict[str, Any], waivers: tuple[WaiverKind, ...], complete: bool
) -> None:
    files = b.cast_all(b.open_round(proposal, rules=b.make_rules(waivers=waivers)))
    record = b.affirmation_file(files, "implementer", commitment=None).record
    found = check_affirmation(
        record, b.ballot_of(files).record, b.proposal_of(files).record, "a.yaml"
    )
    assert (not found) is complete
