"""Each subject at its edges: what counts as taken in, as resolved, as failed, as agreeing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from accord.analytics.answers import list_answers
from accord.analytics.challengers import count_hits
from accord.analytics.dissent import find_never_dissenting
from accord.analytics.pairs import find_pairs
from accord.analytics.refinement import count_refinement
from accord.analytics.rejections import count_rejections
from accord.analytics.resolved import count_resolved
from accord.model.snapshot import RoundFiles
from accord.rules.evaluate import Judgement
from tests.analytics.story import addressed, judge, next_round, objects, rebutted, voted
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

YAGNI = objects("YAGNI")
OTHER = objects("MISALIGNED")
THREE = b.make_rules(max_rounds=3)


def withdrawn(*rounds: RoundFiles) -> Judgement:
    return judge(*rounds, withdrawal=a.withdrawal_file(rounds[-1]))


def retracting(files: RoundFiles, voter: str, category: str) -> RoundFiles:
    return b.affirm(files, **{voter: b.RETRACT | {"categories": (category,)}})


def before(**votes: Mapping[str, Any]) -> RoundFiles:
    """A first round of three that are allowed."""
    files = b.open_round(rules=THREE)
    return b.cast(files, **(dict.fromkeys(b.VOTERS, b.AGREE) | votes))


MET = addressed(voted(challenger=YAGNI), "challenger", "YAGNI")
REBUTTED = rebutted(voted(challenger=YAGNI), "challenger", "YAGNI")
# The text of the second round is that of the first: only its evidence is other.
SAME_TEXT = {"text": "Index open orders only.", "evidence": b.MANIFEST[:2]}


def same_text(files: RoundFiles, **votes: Mapping[str, Any]) -> RoundFiles:
    return b.cast(b.follow(files, SAME_TEXT), **(dict.fromkeys(b.VOTERS, b.AGREE) | votes))


def hits(**how: int) -> tuple[dict[str, int], int, int]:
    """How many were taken in and how, of how many, and how many are pending."""
    of, pending = how.pop("of"), how.pop("pending", 0)
    return {"amendment": 0, "agreement": 0, "answer": 0} | how, of, pending


MINOR = voted(challenger=b.MINOR)
HITS: dict[str, tuple[Judgement, tuple[dict[str, int], int, int] | None]] = {
    "nobody objects": (judge(b.affirm_all(voted())), None),
    "who is no challenger is not counted": (withdrawn(voted(reviewer=YAGNI)), None),
    "an abstention is no objection": (withdrawn(voted(challenger=b.ABSTAIN)), None),
    "objected, and that was all": (withdrawn(voted(challenger=YAGNI)), hits(of=1)),
    "two categories are two objections": (
        withdrawn(voted(challenger=objects("YAGNI", "MISALIGNED"))),
        hits(of=2),
    ),
    "not ended yet": (judge(voted(challenger=YAGNI)), hits(of=0, pending=1)),
    "met and agreed to, not ended yet": (judge(MET, next_round(MET)), hits(of=0, pending=1)),
    "amended and affirmed": (judge(b.affirm_all(b.amend(MINOR))), hits(amendment=1, of=1)),
    "amended and not affirmed": (withdrawn(b.amend(MINOR)), hits(of=1)),
    "amended and taken back": (
        withdrawn(retracting(b.amend(MINOR), "challenger", "MISALIGNED")),
        hits(of=2),
    ),
    "taken back for the same reason, counted once": (
        withdrawn(retracting(b.amend(MINOR), "challenger", "YAGNI")),
        hits(of=1),
    ),
    "agreed and taken back": (
        withdrawn(retracting(voted(), "challenger", "MISALIGNED")),
        hits(of=1),
    ),
    "rebutted, and agreed to another text": (
        judge(REBUTTED, b.affirm_all(next_round(REBUTTED))),
        hits(agreement=1, of=1),
    ),
    "rebutted, and agreed to the same text": (
        judge(REBUTTED, b.affirm_all(same_text(REBUTTED))),
        hits(of=1),
    ),
    "addressed, and agreed to the same text": (
        judge(MET, b.affirm_all(same_text(MET))),
        hits(answer=1, of=1),
    ),
    "addressed, and objected to again": (
        withdrawn(MET, next_round(MET, challenger=YAGNI)),
        hits(answer=1, of=2),
    ),
    "addressed, and no round opened upon it": (withdrawn(MET), hits(of=1)),
    "agreed to another text, and taken back": (
        withdrawn(REBUTTED, retracting(next_round(REBUTTED), "challenger", "MISALIGNED")),
        hits(of=2),
    ),
    "agreed to another text in a round that runs": (
        withdrawn(REBUTTED, b.cast(b.follow(REBUTTED), challenger={})),
        hits(of=1),
    ),
}


@table(("judgement", "expected"), HITS)
def test_hits(judgement: Judgement, expected: tuple[dict[str, int], int, int] | None) -> None:
    counted = count_hits([judgement])

    assert [(one.how, one.of, one.pending) for one in counted] == ([expected] if expected else [])
    assert [one.count for one in counted] == [sum(one.how.values()) for one in counted]


FIRST = addressed(before(challenger=YAGNI), "challenger", "YAGNI")
SECOND = addressed(next_round(FIRST, challenger=YAGNI), "challenger", "YAGNI")
TURNED_DOWN = rebutted(before(challenger=YAGNI), "challenger", "YAGNI")
AGAIN = rebutted(next_round(TURNED_DOWN, challenger=YAGNI), "challenger", "YAGNI")
OF_ABSTENTION = rebutted(voted(challenger=YAGNI, reviewer=b.ABSTAIN), "challenger", "YAGNI")
OF_ABSTENTION = rebutted(OF_ABSTENTION, "reviewer", None)


def hushed(files: RoundFiles) -> RoundFiles:
    """A round after another, closed before the challenger has voted."""
    return b.close(b.cast(b.follow(files), implementer={}, reviewer={}))


# Per category: resolved, of, raised again, unheard.
RESOLVED: dict[str, tuple[Judgement, dict[str, tuple[int, int, int, int]]]] = {
    "no next round": (judge(MET), {}),
    "the next round runs": (judge(MET, b.cast(b.follow(MET), challenger={})), {}),
    "agreed": (judge(MET, next_round(MET)), {"YAGNI": (1, 1, 0, 0)}),
    "rebutted and agreed": (judge(REBUTTED, next_round(REBUTTED)), {"YAGNI": (1, 1, 0, 0)}),
    "raised again": (judge(MET, next_round(MET, challenger=YAGNI)), {"YAGNI": (0, 1, 1, 0)}),
    "something else is raised": (
        judge(MET, next_round(MET, challenger=OTHER)),
        {"YAGNI": (1, 1, 0, 0)},
    ),
    "raised by another": (judge(MET, next_round(MET, reviewer=YAGNI)), {"YAGNI": (1, 1, 0, 0)}),
    "raised again by a retraction": (
        judge(MET, retracting(next_round(MET), "challenger", "YAGNI")),
        {"YAGNI": (0, 1, 1, 0)},
    ),
    "abstained": (judge(MET, next_round(MET, challenger=b.ABSTAIN)), {"YAGNI": (0, 1, 0, 1)}),
    "silent": (judge(FIRST, hushed(FIRST)), {"YAGNI": (0, 1, 0, 1)}),
    "addressed, silent, and agreed in the third round": (
        judge(FIRST, done := b.resolve(hushed(FIRST)), next_round(done, "A third.")),
        {"YAGNI": (1, 1, 0, 0)},
    ),
    "rebutted, silent, and agreed in the third round": (
        judge(TURNED_DOWN, quiet := b.resolve(hushed(TURNED_DOWN)), next_round(quiet, "A third.")),
        {"YAGNI": (0, 1, 0, 1)},
    ),
    "rebutted, raised again, and agreed in the third round": (
        judge(TURNED_DOWN, AGAIN, next_round(AGAIN, "A third.")),
        {"YAGNI": (1, 2, 1, 0)},
    ),
    "raised again, and agreed in the third round": (
        judge(FIRST, SECOND, next_round(SECOND, "A third.")),
        {"YAGNI": (2, 2, 0, 0)},
    ),
    "an abstention raises no category": (
        judge(OF_ABSTENTION, next_round(OF_ABSTENTION)),
        {"YAGNI": (1, 1, 0, 0)},
    ),
    "rebutted and silent": (judge(REBUTTED, hushed(REBUTTED)), {"YAGNI": (0, 1, 0, 1)}),
}


@table(("judgement", "expected"), RESOLVED)
def test_resolved(judgement: Judgement, expected: dict[str, tuple[int, int, int, int]]) -> None:
    counted = count_resolved([judgement])

    assert {
        one.category: (one.count, one.of, one.raised_again, one.unheard) for one in counted
    } == expected


ALONE = b.cast(
    b.open_round(rules=b.make_rules(max_rounds=1)),
    **(dict.fromkeys(b.VOTERS, b.AGREE) | {"challenger": YAGNI}),
)
SYNTHESIS = a.synthesis_file(ALONE)
STOPPED = b.resolve(b.close(voted()))
VOID = b.close(b.open_round())
AFTER_VOID = b.follow(VOID, rules=b.make_rules(max_rounds=3))
CORRELATED = b.agreed(rules=b.QUORUM)

# What became of a decision whose first round failed; None: it did not fail.
REFINED: dict[str, tuple[Judgement, str | None]] = {
    "no round": (judge(), None),
    "a round that runs": (judge(b.cast(b.open_round(), challenger=YAGNI)), None),
    "nobody voted": (judge(VOID), None),
    "all agree": (judge(b.affirm_all(voted())), None),
    "a quorum agrees": (judge(CORRELATED), None),
    "all agree after a round without votes": (
        judge(VOID, b.affirm_all(b.cast_all(AFTER_VOID))),
        None,
    ),
    "stopped at a gate": (judge(STOPPED), None),
    "stopped at a gate, then passed": (
        judge(STOPPED, b.affirm_all(next_round(STOPPED))),
        "passed_in_a_later_round",
    ),
    "refused, then passed": (
        judge(MET, b.affirm_all(next_round(MET))),
        "passed_in_a_later_round",
    ),
    "refused, then amended": (
        judge(MET, b.affirm_all(b.amend(next_round(MET, challenger=b.MINOR)))),
        "passed_in_a_later_round",
    ),
    "amended": (judge(b.affirm_all(b.amend(MINOR))), "passed_by_amendment"),
    "to be amended": (judge(MINOR), "undecided"),
    "not everybody voted": (judge(b.close(b.cast(b.open_round(), challenger={}))), "undecided"),
    "refused": (judge(voted(challenger=YAGNI)), "undecided"),
    "withdrawn": (withdrawn(voted(challenger=YAGNI)), "withdrawn"),
    "ruled out": (
        judge(ALONE, synthesis=SYNTHESIS, ruling=a.ruling_file(ALONE, SYNTHESIS, ruling="reject")),
        "rejected",
    ),
    "ruled in": (
        judge(ALONE, synthesis=SYNTHESIS, ruling=a.ruling_file(ALONE, SYNTHESIS)),
        "accepted_by_ruling",
    ),
}


@table(("judgement", "expected"), REFINED)
def test_refinement(judgement: Judgement, expected: str | None) -> None:
    counted = count_refinement([judgement])

    found = {end.key: end.count for end in counted.ends if end.count}
    assert found == ({expected: 1} if expected else {})
    assert counted.of == sum(found.values())
    assert counted.count == int((expected or "").startswith("passed"))


SEALED = b.cast_all(b.open_round(rules=b.SEALED))
UNOPENED = replace(SEALED, votes=SEALED.votes[:-1])
LATE = b.cast(b.close(b.cast(b.open_round(), implementer={}, reviewer={})), challenger=YAGNI)

# Who never dissents, and in how many rounds it answered.
SILENT_VOTERS: dict[str, tuple[Judgement, dict[str, int]]] = {
    "nobody voted": (judge(b.open_round()), {}),
    "all agree": (judge(voted()), dict.fromkeys(b.VOTERS, 1)),
    "one objects": (judge(voted(challenger=YAGNI)), {"implementer": 1, "reviewer": 1}),
    "a minor objection that is taken in": (
        judge(b.affirm_all(b.amend(MINOR))),
        {"implementer": 1, "reviewer": 1},
    ),
    "one abstains": (judge(voted(reviewer=b.ABSTAIN)), {"challenger": 1, "implementer": 1}),
    "one takes it back": (
        judge(retracting(voted(), "reviewer", "MISALIGNED")),
        {"challenger": 1, "implementer": 1},
    ),
    "dissent in one round, agreement in the next": (
        judge(MET, next_round(MET)),
        {"implementer": 2, "reviewer": 2},
    ),
    "who has not voted is not there": (
        judge(b.cast(b.open_round(), implementer={})),
        {"implementer": 1},
    ),
    "sealed, and not opened": (
        judge(b.close(UNOPENED)),
        {"challenger": 1, "implementer": 1},
    ),
    "objected too late": (judge(LATE), {"implementer": 1, "reviewer": 1}),
}


@table(("judgement", "expected"), SILENT_VOTERS)
def test_never_dissenting(judgement: Judgement, expected: dict[str, int]) -> None:
    assert {one.voter: one.rounds for one in find_never_dissenting([judgement])} == expected


CHALLENGER, IMPLEMENTER, REVIEWER = b.VOTERS
OF_ALL = {(CHALLENGER, IMPLEMENTER): 1, (CHALLENGER, REVIEWER): 1, (IMPLEMENTER, REVIEWER): 1}

# Pairs that always agree with their shared rounds, and how many pairs there are.
PAIRS: dict[str, tuple[list[Judgement], dict[tuple[str, str], int], int]] = {
    "nobody voted": ([judge(b.open_round())], {}, 0),
    "one voted": ([judge(b.cast(b.open_round(), implementer={}))], {}, 0),
    "all agree": ([judge(voted())], OF_ALL, 3),
    "one objects": ([judge(voted(challenger=YAGNI))], {(IMPLEMENTER, REVIEWER): 1}, 3),
    "two object, for other reasons": (
        [judge(voted(challenger=YAGNI, reviewer=b.MINOR | {"categories": ("MISALIGNED",)}))],
        {(CHALLENGER, REVIEWER): 1},
        3,
    ),
    "to abstain is an answer of its own": (
        [judge(voted(challenger=b.ABSTAIN, reviewer=YAGNI))],
        {},
        3,
    ),
    "to take back is to reject": (
        [judge(retracting(voted(challenger=YAGNI), "reviewer", "MISALIGNED"))],
        {(CHALLENGER, REVIEWER): 1},
        3,
    ),
    "every round counts": (
        [judge(MET, next_round(MET, challenger=YAGNI)), judge(voted())],
        {(IMPLEMENTER, REVIEWER): 3},
        3,
    ),
    "who shares no round is no pair": (
        [
            judge(b.cast(b.open_round(), implementer={})),
            judge(b.cast(b.open_round(), reviewer={})),
        ],
        {},
        0,
    ),
}


@table(("judgements", "expected", "of"), PAIRS)
def test_pairs(judgements: list[Judgement], expected: dict[tuple[str, str], int], of: int) -> None:
    pairs = find_pairs(judgements)

    assert {pair.voters: pair.rounds for pair in pairs.always} == expected
    assert pairs.of == of


def test_late_votes_are_no_rejections() -> None:
    counted = count_rejections([judge(LATE)])

    assert (counted.count, counted.of, counted.by_category) == (0, 2, ())


def test_who_never_voted_and_takes_back_says_so_then() -> None:
    closed = b.close(b.cast(b.open_round(), implementer={}, reviewer={}))
    files = b.affirm(closed, challenger=b.RETRACT | {"affirmed_at": "2027-01-02T03:04:05Z"})
    by_voter = {one.voter: (one.said, one.month) for one in list_answers([judge(files)])}

    assert by_voter == {
        "challenger": ("reject", "2027-01"),
        "implementer": ("agree", "2026-11"),
        "reviewer": ("agree", "2026-11"),
    }


def test_a_sealed_vote_that_is_incomplete_abstains() -> None:
    files = b.cast(
        b.open_round(rules=b.SEALED), challenger=YAGNI | {"alternative": None}, implementer={}
    )
    counted = count_rejections([judge(files)])

    assert (counted.count, counted.of) == (0, 2)
