"""Which verb counts where: every status, every verb."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from accord.model.evaluation import Status
from accord.model.snapshot import DecisionFiles, Stored
from accord.rules.evaluate import evaluate
from accord.rules.verbs import Verb, find_refusal
from tests.rules.situations import CORRELATED, ESCALATED, IMPORTED, SHARED_CLAIM, minor
from tests.rules.test_waiting import ACKNOWLEDGED, LESS, draft
from tests.support import aftermath as a
from tests.support import files as b

TAKEN_OVER = b.decide(
    record=Stored(IMPORTED, f"decisions/{b.ID}/record.yaml", b.digest_of("record"))
)
AFFIRMING = "affirm retract close check rederive withdraw"
REFUSED = b.refused()
RETRACTED = b.affirm(
    b.cast_all(b.open_round()),
    implementer={
        "stance": "retract",
        "reason": "The log is another one.",
        "categories": ("MISALIGNED",),
        "severity": "major",
    },
)
SYNTHESIS = a.synthesis_file(ESCALATED)
UNMET = b.cast(b.open_round(), challenger={}, implementer=LESS, reviewer={})

# A decision → where it stands, and the verbs that can count there.
SITUATIONS: dict[str, tuple[DecisionFiles, Status, str]] = {
    "nothing at all": (b.decide(), "draft", "open withdraw"),
    "a draft": (draft(), "draft", "open withdraw"),
    "an open round": (b.decide(b.open_round()), "open", "vote close check withdraw"),
    "minor objections": (b.decide(minor()), "amending", "retract amend close withdraw"),
    "an amendment": (b.decide(b.amend(minor())), "amending", AFFIRMING),
    "not affirmed": (b.decide(b.cast_all(b.open_round())), "unconverged", AFFIRMING),
    "an asymmetry": (b.decide(b.affirm_all(UNMET)), "conditional", AFFIRMING),
    "an asymmetry that all acknowledged": (
        b.decide(ACKNOWLEDGED),
        "conditional",
        "affirm retract check rederive withdraw synthesize",
    ),
    "a refusal": (
        b.decide(replace(REFUSED, resolution=None)),
        "contested",
        "open retract resolve revise withdraw",
    ),
    "a refusal that is answered": (
        b.decide(REFUSED),
        "contested",
        "open retract revise withdraw",
    ),
    "a closed refusal": (
        b.decide(b.close(b.cast(b.open_round(), challenger={}))),
        "contested",
        "open retract resolve revise withdraw",
    ),
    "a retraction": (
        b.decide(RETRACTED),
        "contested",
        "open affirm retract resolve revise close withdraw",
    ),
    "no round left": (b.decide(ESCALATED), "escalated", "retract withdraw synthesize"),
    "a synthesis": (
        b.decide(ESCALATED, synthesis=SYNTHESIS),
        "escalated",
        "retract withdraw rule",
    ),
    "a correlated quorum": (
        b.decide(CORRELATED),
        "escalated",
        "affirm retract withdraw synthesize check",
    ),
    "nobody voted": (
        b.decide(b.close(b.open_round(rules=b.make_rules(max_rounds=1)))),
        "escalated",
        "retract withdraw",
    ),
    "one claim in all votes": (
        b.decide(SHARED_CLAIM),
        "provisional",
        "affirm retract check rederive withdraw synthesize",
    ),
    "an agreement": (b.decide(b.agreed()), "accepted", "rederive reopen"),
    "an amended agreement": (
        b.decide(b.affirm_all(b.amend(minor()))),
        "approved_with_amendments",
        "rederive reopen",
    ),
    "a ruling against it": (
        b.decide(
            ESCALATED,
            synthesis=SYNTHESIS,
            ruling=a.ruling_file(ESCALATED, SYNTHESIS, ruling="reject"),
        ),
        "rejected",
        "reopen",
    ),
    "a withdrawal": (
        b.decide(REFUSED, withdrawal=a.withdrawal_file(REFUSED)),
        "withdrawn",
        "",
    ),
    "an import": (TAKEN_OVER, "imported", ""),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_counts(name: str) -> None:
    decision, status, able = SITUATIONS[name]
    judgement = evaluate(decision)
    assert judgement.evaluation.status == status
    verbs = get_args(Verb)
    found = [verb for verb in verbs if find_refusal(verb, decision, judgement) is None]
    assert sorted(found) == sorted(able.split())


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_refusal_says_what_else(name: str) -> None:
    decision, _, _ = SITUATIONS[name]
    judgement = evaluate(decision)
    for verb in get_args(Verb):
        refusal = find_refusal(verb, decision, judgement)
        assert refusal is None or (refusal.cause and "accord " in refusal.way_out)


def test_every_status_is_there() -> None:
    assert {status for _, status, _ in SITUATIONS.values()} == set(get_args(Status))
