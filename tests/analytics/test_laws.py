"""Order and names do not matter, and the whole is the sum of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.analytics import count_statistics
from accord.model.ballot import Participant
from accord.model.policy import Seats
from accord.model.resolution import Disposition
from accord.model.snapshot import DecisionFiles, RoundFiles
from accord.model.statistics import Scope, Statistics
from accord.rules.counting import count_round
from accord.rules.evaluate import Judgement, evaluate
from tests.properties.worlds import shuffled
from tests.support import aftermath as a
from tests.support import files as b

NAMES = ("ada", "ben", "cem", "dua")
CLASSES = ("architecture", "migration")
CATEGORIES = ("YAGNI", "MISALIGNED", "SECURITY_RISK")


class RoundPlan(NamedTuple):
    """What the n-th voter does, whatever its name; None does not vote."""

    votes: list[dict[str, Any] | None]
    retracting: set[int]
    disposition: Disposition
    then: set[str]


class Plan(NamedTuple):
    """A decision: its class, its rounds, and whether it is withdrawn in the end."""

    class_: str
    rounds: list[RoundPlan]
    end: str


_objections = st.builds(
    lambda severity, categories: severity | {"categories": tuple(sorted(categories))},
    st.sampled_from([b.MINOR, b.MAJOR]),
    st.sets(st.sampled_from(CATEGORIES), min_size=1),
)
_votes = st.one_of(st.just(b.AGREE), st.just(b.AGREE), _objections, st.just(b.ABSTAIN), st.none())
_rounds = st.builds(
    RoundPlan,
    # Anything, and besides what makes decisions go on: all agree, or the challenger alone objects.
    st.one_of(
        st.lists(_votes, min_size=4, max_size=4),
        st.builds(lambda first: [first, b.AGREE, b.AGREE, b.AGREE], st.just(b.AGREE) | _objections),
    ),
    st.one_of(st.just(set[int]()), st.sets(st.integers(0, 3), max_size=1)),
    st.sampled_from(["addressed", "rebutted"]),
    st.one_of(
        st.just({"amend", "affirm"}),
        st.just(set[str]()),
        st.sets(st.sampled_from(["amend", "affirm", "close"])),
    ),
)
plans = st.lists(
    st.builds(
        Plan,
        st.sampled_from(CLASSES),
        st.lists(_rounds, min_size=1, max_size=3),
        st.sampled_from(["", "withdrawn"]),
    ),
    max_size=3,
)


def build(plan: Plan, names: Sequence[str]) -> DecisionFiles:
    """The decision when its voters are called so. The first one opposes."""
    rules = b.make_rules(max_rounds=3, voters=Seats(min=2, max=4, eligible=tuple(names)))
    seats = {
        name: Participant(kind="agent", roles=("voter",) if position else ("challenger",))
        for position, name in enumerate(names)
    }
    rounds: list[RoundFiles] = []
    for number, planned in enumerate(plan.rounds, start=1):
        proposal = {"class_": plan.class_, "text": f"Try {number}.", "round": number}
        previous = b.previous_of(rounds[-1]) if rounds else None
        files = b.open_round(proposal, rules=rules, voters=seats, previous=previous)
        rounds.append(_play(files, planned, names))
    ending = a.withdrawal_file(rounds[-1]) if plan.end else None
    return b.decide(*rounds, withdrawal=ending)


def _play(files: RoundFiles, planned: RoundPlan, names: Sequence[str]) -> RoundFiles:
    cast = {name: vote for name, vote in zip(names, planned.votes, strict=True) if vote}
    files = b.cast(files, **cast)
    if "amend" in planned.then:
        files = b.amend(files)
    if "affirm" in planned.then:
        taking_back = {names[position] for position in planned.retracting}
        files = b.affirm(
            files, **{name: b.RETRACT if name in taking_back else {} for name in names}
        )
    if "close" in planned.then:
        files = b.close(files)
    counted = count_round(files, b.ballot_of(files), b.proposal_of(files))
    return b.resolve(
        files,
        *(
            b.answer(voter, category, disposition=planned.disposition)
            for voter, category in sorted(counted.objections, key=str)
        ),
    )


def judge(planned: list[Plan], names: Sequence[str] = NAMES) -> list[Judgement]:
    return [evaluate(build(plan, names)) for plan in planned]


EVERYTHING = Scope()


def count(judgements: Sequence[Judgement], scope: Scope = EVERYTHING) -> Statistics:
    return count_statistics(judgements, scope)


def rename(value: Any, names: Mapping[str, str]) -> Any:
    """Plain data under other names, its lists in an order that no name decides."""
    if isinstance(value, dict):
        return {key: rename(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return sorted((rename(each, names) for each in value), key=repr)
    return names.get(value, value) if isinstance(value, str) else value


@given(st.data(), plans)
def test_the_order_of_decisions_and_files_does_not_matter(
    data: st.DataObject, planned: list[Plan]
) -> None:
    files = [build(plan, NAMES) for plan in planned]
    mixed = data.draw(st.permutations([shuffled(data.draw, each) for each in files]))

    assert count([evaluate(each) for each in mixed]) == count([evaluate(each) for each in files])


@given(plans, st.permutations(NAMES))
def test_renaming_voters_renames_the_result(planned: list[Plan], others: list[str]) -> None:
    plain = msgspec.to_builtins(count(judge(planned)))
    renamed = msgspec.to_builtins(count(judge(planned, others)))

    assert rename(plain, dict(zip(NAMES, others, strict=True))) == rename(renamed, {})


@given(plans)
def test_totals_are_the_sums_of_their_parts(planned: list[Plan]) -> None:
    counted = count(judge(planned))
    rejections = counted.rejections
    for parts in (
        rejections.by_class,
        rejections.by_voter,
        rejections.by_proposer,
        rejections.by_month,
    ):
        assert sum(part.count for part in parts) == rejections.count
        assert sum(part.of for part in parts) == rejections.of == counted.votes
    assert sum(part.count for part in rejections.by_category) == rejections.objections
    assert sum(part.count for part in counted.rounds_per_decision) == counted.decisions
    assert sum(int(part.key) * part.count for part in counted.rounds_per_decision) == counted.rounds
    assert sum(part.count for part in counted.outcomes_by_class) == counted.rounds
    assert sum(part.count for part in counted.statuses_by_class) == counted.decisions
    assert sum(end.count for end in counted.refinement.ends) == counted.refinement.of
    for hits in counted.challengers:
        assert sum(hits.how.values()) == hits.count
    for one in counted.resolved_by_refinement:
        assert one.count + one.raised_again + one.unheard == one.of


@given(plans)
def test_nothing_is_counted_of_less(planned: list[Plan]) -> None:
    counted = count(judge(planned))
    rejections = counted.rejections
    shares = (
        *((part.count, part.of) for part in rejections.by_category),
        *((part.count, part.of) for part in rejections.by_voter),
        *((one.count, one.of) for one in counted.challengers),
        (counted.refinement.count, counted.refinement.of),
        (len(counted.never_dissenting), counted.voters),
        (len(counted.always_agreeing), counted.pairs),
    )

    assert [share for share in shares if not 0 <= share[0] <= share[1]] == []
    assert sum(one.of + one.pending for one in counted.challengers) <= rejections.objections
    assert counted.refinement.of <= counted.decisions


@given(plans)
def test_a_whole_is_the_sum_of_its_classes(planned: list[Plan]) -> None:
    judgements = judge(planned)
    whole = count(judgements)
    parts = [count(judgements, Scope(class_=class_)) for class_ in CLASSES]

    for number in ("decisions", "rounds", "votes"):
        assert sum(getattr(part, number) for part in parts) == getattr(whole, number)
    assert sum(part.refinement.of for part in parts) == whole.refinement.of
    assert sum(part.rejections.count for part in parts) == whole.rejections.count
    # Who never dissents at all does not in any class.
    silent = {one.voter for one in whole.never_dissenting}
    for part in parts:
        dissenting = {share.key for share in part.rejections.by_voter if share.count}
        assert silent & dissenting == set()
