"""Eight decisions, counted by hand."""

from __future__ import annotations

import pytest

from accord.analytics import count_statistics, select
from accord.model.statistics import (
    Answers,
    ClassShare,
    Hits,
    Pair,
    Resolved,
    Scope,
    Share,
)
from tests.analytics.story import JUDGEMENTS, STORY
from tests.support.tables import table

STATISTICS = count_statistics(JUDGEMENTS, Scope())


def shares(*rows: tuple[str, int, int]) -> tuple[Share, ...]:
    return tuple(Share(key=key, count=count, of=of) for key, count, of in rows)


def by_class(class_: str, *rows: tuple[str, int, int]) -> tuple[ClassShare, ...]:
    return tuple(ClassShare(class_=class_, key=key, count=count, of=of) for key, count, of in rows)


# Nine rounds: 4 + (3 + 3) + 3 + (3 + 3) + 2 + 3 + 3 votes.
BY_HAND: dict[str, tuple[object, object]] = {
    "decisions": (STATISTICS.decisions, 8),
    "rounds": (STATISTICS.rounds, 9),
    "votes": (STATISTICS.votes, 27),
    "voters": (STATISTICS.voters, 4),
    "pairs": (STATISTICS.pairs, 6),
    "rejections": ((STATISTICS.rejections.count, STATISTICS.rejections.of), (8, 27)),
    # Of the eight, one names two categories.
    "objections": (STATISTICS.rejections.objections, 9),
    "by category": (
        STATISTICS.rejections.by_category,
        shares(("YAGNI", 5, 8), ("MISALIGNED", 2, 8), ("SECURITY_RISK", 2, 8)),
    ),
    "by class": (
        STATISTICS.rejections.by_class,
        shares(("architecture", 6, 25), ("migration", 2, 2)),
    ),
    "by voter": (
        STATISTICS.rejections.by_voter,
        shares(("challenger", 6, 9), ("implementer", 1, 9), ("newcomer", 0, 1), ("reviewer", 1, 8)),
    ),
    "by proposer": (
        STATISTICS.rejections.by_proposer,
        shares(("planner", 2, 2), ("proposer", 6, 25)),
    ),
    "by month": (STATISTICS.rejections.by_month, shares(("2026-11", 6, 25), ("2026-12", 2, 2))),
    "rounds per decision": (
        STATISTICS.rounds_per_decision,
        shares(("0", 1, 8), ("1", 5, 8), ("2", 2, 8)),
    ),
    "outcomes": (
        STATISTICS.outcomes_by_class,
        by_class(
            "architecture",
            ("decision_triggered", 5, 8),
            ("unanimous", 2, 8),
            ("approved_with_amendments", 1, 8),
        )
        + by_class("migration", ("open", 1, 1)),
    ),
    "statuses": (
        STATISTICS.statuses_by_class,
        by_class(
            "architecture",
            ("accepted", 3, 7),
            ("approved_with_amendments", 1, 7),
            ("contested", 1, 7),
            ("draft", 1, 7),
            ("withdrawn", 1, 7),
        )
        + by_class("migration", ("open", 1, 1)),
    ),
    "refinement": ((STATISTICS.refinement.count, STATISTICS.refinement.of), (2, 5)),
    "what became of the five": (
        STATISTICS.refinement.ends,
        shares(
            ("passed_in_a_later_round", 1, 5),
            ("passed_by_amendment", 1, 5),
            ("accepted_by_ruling", 1, 5),
            ("rejected", 0, 5),
            ("withdrawn", 1, 5),
            ("undecided", 1, 5),
        ),
    ),
    # Taken in: one by amendment, one by agreeing to the second text. Not: the three of the torn
    # decision, and the overruled one. The one in the round that runs is pending.
    "challengers": (
        STATISTICS.challengers,
        (
            Hits(
                voter="challenger",
                count=2,
                of=6,
                how={"amendment": 1, "agreement": 1, "answer": 0},
                pending=1,
            ),
        ),
    ),
    # The reviewer abstained once and took a vote back; the implementer objects in December.
    "never dissenting": (STATISTICS.never_dissenting, (Answers(voter="newcomer", rounds=1),)),
    "always agreeing": (
        STATISTICS.always_agreeing,
        (
            Pair(voters=("challenger", "newcomer"), rounds=1),
            Pair(voters=("implementer", "newcomer"), rounds=1),
            Pair(voters=("newcomer", "reviewer"), rounds=1),
        ),
    ),
    "resolved": (
        STATISTICS.resolved_by_refinement,
        (
            Resolved(category="YAGNI", count=2, of=2, raised_again=0, unheard=0),
            Resolved(category="SECURITY_RISK", count=0, of=1, raised_again=1, unheard=0),
        ),
    ),
}


@table(("counted", "expected"), BY_HAND)
def test_counted_by_hand(counted: object, expected: object) -> None:
    assert counted == expected


SCOPES: dict[str, tuple[Scope, int]] = {
    "everything": (Scope(), 8),
    "a class": (Scope(class_="migration"), 1),
    "a class that has none": (Scope(class_="governance"), 0),
    "since a day, which belongs to it": (Scope(since="2026-12-01"), 1),
    "until a day, which belongs to it": (Scope(until="2026-11-30"), 7),
    "a day": (Scope(since="2026-12-01", until="2026-12-01"), 1),
    "before": (Scope(until="2026-11-29"), 0),
    "after": (Scope(since="2026-12-02"), 0),
    "class and day": (Scope(class_="architecture", since="2026-12-01"), 0),
}


@table(("scope", "expected"), SCOPES)
def test_scope(scope: Scope, expected: int) -> None:
    assert len(select(JUDGEMENTS, scope)) == expected
    assert count_statistics(JUDGEMENTS, scope).decisions == expected


@pytest.mark.parametrize("name", STORY)
def test_each_decision_of_the_story_is_what_it_says(name: str) -> None:
    statuses = {
        "all agree, four of them": "accepted",
        "an objection is met in a second round": "accepted",
        "a minor objection is taken in": "approved_with_amendments",
        "an objection stands through two rounds": "withdrawn",
        "two objections in a round that runs": "open",
        "a draft": "draft",
        "an objection is overruled": "accepted",
        "a vote is taken back": "contested",
    }
    assert STORY[name].evaluation.status == statuses[name]
