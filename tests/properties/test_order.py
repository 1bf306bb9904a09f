"""It depends on content only: not on the order of files, and not on what voters are called."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.model.ballot import Participant
from accord.model.case import Case, CaseAffirmation, CaseClass, CaseEvidence, CaseRound, CaseVote
from accord.model.evidence import UsedEvidence
from accord.model.policy import Independence
from accord.model.snapshot import DecisionFiles
from accord.rules.evaluate import evaluate
from accord.simulate import simulate
from tests.properties.worlds import decisions, shuffled


@given(st.data(), decisions())
def test_the_order_of_files_does_not_matter(data: st.DataObject, decision: DecisionFiles) -> None:
    judged = evaluate(decision)
    again = evaluate(shuffled(data.draw, decision))
    assert again.evaluation == judged.evaluation
    assert again.counted == judged.counted
    assert sorted(map(str, again.findings)) == sorted(map(str, judged.findings))


NAMES = ("ada", "ben", "cem", "dua")
_votes = st.sampled_from(
    [
        CaseVote(vote="agree", evidence=(UsedEvidence(id="trace"),)),
        CaseVote(vote="agree", evidence=(UsedEvidence(id="trace", via="measured"),)),
        CaseVote(vote="agree", evidence=(UsedEvidence(id="digest"),)),
        CaseVote(vote="disagree", severity="minor", categories=("YAGNI",)),
        CaseVote(vote="disagree", severity="major", categories=("YAGNI",)),
        CaseVote(vote="abstain"),
        None,
    ]
)
_affirmations = st.sampled_from(
    [CaseAffirmation(stance="affirm"), CaseAffirmation(stance="retract"), None]
)


def _make_case(roles: dict[str, int], votes: list[Any], affirmed: list[Any], **round_: Any) -> Case:
    """A case whose n-th voter has the n-th vote, whatever its name. The first one opposes."""
    name = {position: voter for voter, position in roles.items()}
    return Case(
        title="A case",
        class_=CaseClass(rule="unanimity", independence=Independence(f=1)),
        voters={
            voter: Participant(kind="agent", roles=("voter",) if position else ("challenger",))
            for voter, position in roles.items()
        },
        evidence=(
            CaseEvidence(id="trace", kind="primary", load_bearing=True),
            CaseEvidence(id="digest", kind="claim", summarizes="trace"),
        ),
        rounds=(
            CaseRound(
                votes={name[n]: vote for n, vote in enumerate(votes) if vote},
                affirmations={name[n]: stance for n, stance in enumerate(affirmed) if stance},
                **round_,
            ),
        ),
    )


@given(
    names=st.permutations(NAMES),
    votes=st.lists(_votes, min_size=4, max_size=4),
    affirmed=st.lists(_affirmations, min_size=4, max_size=4),
    amended=st.booleans(),
    closed=st.booleans(),
)
def test_the_names_of_voters_do_not_matter(
    names: list[str], votes: list[Any], affirmed: list[Any], amended: bool, closed: bool
) -> None:
    def say(order: list[str] | tuple[str, ...]) -> tuple[object, ...]:
        roles = {voter: position for position, voter in enumerate(order)}
        case = _make_case(roles, votes, affirmed, amended=amended, closed=closed)
        evaluation = simulate(case).evaluation
        count = evaluation.independence
        assert count is not None
        return (
            evaluation.outcome,
            evaluation.verdict,
            evaluation.status,
            evaluation.basis,
            [(gate.gate, gate.result, len(gate.lacks)) for gate in evaluation.gates],
            (count.strict, count.collapsed, count.disjoint),
            sorted(
                (roles[voter.voter], voter.stance, voter.severity or "")
                for voter in evaluation.rounds[0].voters
            ),
        )

    assert say(names) == say(NAMES)


@given(decisions())
def test_an_evaluation_survives_a_round_trip(decision: DecisionFiles) -> None:
    evaluation = evaluate(decision).evaluation
    assert msgspec.convert(msgspec.to_builtins(evaluation), type(evaluation)) == evaluation
