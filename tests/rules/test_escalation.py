"""Checks, second looks, rulings and withdrawals: which count, and what they settle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.ballot import Participant
from accord.model.evidence import Input, UsedEvidence
from accord.model.proposal import CheckPlan, Waiver
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles, Settled, Stored
from accord.model.vote import Lineage
from accord.rules.evaluate import Judgement, evaluate
from tests.rules.situations import AGREED, CORRELATED, ESCALATED, REFUSED, SHARED_CLAIM
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

SCHEMA = Input(artifact="db/schema.sql", digest=b.digest_of("schema"))
ELSEWHERE = Input(artifact="db/schema.sql", digest=b.digest_of("edited"))
BY_PLACE = Input(artifact="db/schema.sql", revision="4f" * 20)


def judge(files: RoundFiles, **others: Any) -> Judgement:
    return evaluate(b.decide(files, **others))


def codes(judgement: Judgement) -> set[str]:
    return {finding.code for finding in judgement.findings}


@table(
    ("runs", "status"),
    {
        "none": ([], "escalated"),
        "one that passes": ([{}], "accepted"),
        "one that fails": ([{"passed": False, "exit_code": 1}], "escalated"),
        "another exit than the plan's": ([{"exit_code": 3}], "escalated"),
        "the last one passes": ([{"passed": False}, {}], "accepted"),
        "the last one fails": ([{}, {"passed": False}], "escalated"),
        "another command": ([{"argv": ("true",)}], "escalated"),
        "the same words in another folder": ([{"cwd": "elsewhere"}], "escalated"),
        "another name": ([{"name": "plan-b"}], "escalated"),
        "another command, which the decider signs": (
            [{"argv": ("true",), "by": b.DECIDER}],
            "accepted",
        ),
        "an authority is no decider": (
            [{"argv": ("true",), "by": "second_authority"}],
            "escalated",
        ),
        "other bytes": ([{"inputs": (ELSEWHERE,)}], "escalated"),
        "fewer inputs than planned": ([{"inputs": ()}], "escalated"),
        "by the decider, over nothing": ([{"inputs": (), "by": b.DECIDER}], "escalated"),
        "by the decider, by its place": ([{"inputs": (BY_PLACE,), "by": b.DECIDER}], "accepted"),
        "of another ballot": ([{"ballot": b.digest_of("other")}], "escalated"),
        "of another text": ([{"text_digest": b.digest_of("other")}], "escalated"),
        "by a winner": ([{"by": "challenger"}], "escalated"),
        "by the proposer": ([{"by": b.PROPOSER}], "escalated"),
        "by the opener": ([{"by": b.AUTHORITY}], "escalated"),
        "another check fails": (
            [{}, {"name": "slow", "passed": False, "by": b.DECIDER}],
            "escalated",
        ),
    },
)
def test_a_check_may_settle_a_correlated_quorum(runs: list[dict[str, Any]], status: str) -> None:
    checks = tuple(
        a.check_file(CORRELATED, number=number, **fields)
        for number, fields in enumerate(runs, start=1)
    )
    evaluation = judge(CORRELATED, checks=checks).evaluation
    assert (evaluation.verdict, evaluation.status) == ("CORRELATED_QUORUM", status)
    assert evaluation.basis == ("deterministic_check" if status == "accepted" else None)


def test_a_plan_without_digests_takes_what_was_read() -> None:
    plan = CheckPlan(name="plan", argv=("make", "plan"), inputs=(Input(artifact="db/schema.sql"),))
    files = b.affirm_all(b.cast_all(b.open_round({"checks": (plan,)})))
    judgement = judge(files, checks=(a.check_file(files, passed=False),))
    assert judgement.evaluation.status == "provisional"


def test_with_nothing_load_bearing_any_artifact_will_do() -> None:
    plan = CheckPlan(name="plan", argv=("make", "plan"), inputs=(SCHEMA,))
    proposal: dict[str, Any] = {
        "evidence": (b.LOG,),
        "checks": (plan,),
        "waiver": Waiver(kind="path_independent", check="plan"),
    }
    files = b.cast_all(b.open_round(proposal), evidence=(UsedEvidence(id="log"),))
    assert judge(files).evaluation.status == "unconverged"
    settled = judge(files, checks=(a.check_file(files),)).evaluation
    assert settled.status == "accepted"
    assert "waived" in {gate.result for gate in settled.gates}


PLACED = Input(artifact="db/schema.sql", revision="4f" * 20, digest=b.digest_of("schema"))


@table(
    ("planned", "run", "status"),
    {
        "as planned": (SCHEMA, SCHEMA, "provisional"),
        "with the revision too": (SCHEMA, PLACED, "provisional"),
        "other bytes": (SCHEMA, ELSEWHERE, "accepted"),
        "another revision": (
            PLACED,
            b.change(PLACED, revision="5a" * 20),
            "accepted",
        ),
        "another file": (SCHEMA, b.change(SCHEMA, artifact="copy.sql"), "accepted"),
    },
)
def test_a_failing_run_counts_only_if_it_is_the_planned_one(
    planned: Input, run: Input, status: str
) -> None:
    plan = CheckPlan(name="plan", argv=("make", "plan"), inputs=(planned,))
    files = b.affirm_all(b.cast_all(b.open_round({"checks": (plan,)})))
    check = a.check_file(files, passed=False, inputs=(run,))
    assert judge(files, checks=(check,)).evaluation.status == status


@table(
    ("looks", "status"),
    {
        "none": ([], "provisional"),
        "one confirms": ([{}], "accepted"),
        "one contradicts": ([{"confirms": False}], "contested"),
        "one of two contradicts": ([{}, {"by": "auditor", "confirms": False}], "contested"),
        "on a claim": (
            [{"evidence": (*b.READ, UsedEvidence(id="summary"))}],
            "provisional",
        ),
        "without what bears the load": ([{"evidence": (UsedEvidence(id="log"),)}], "provisional"),
        "by a voter": ([{"by": "implementer"}], "provisional"),
        "by the proposer": ([{"by": b.PROPOSER}], "provisional"),
        "by the opener": ([{"by": b.AUTHORITY}], "provisional"),
        "by the decider": ([{"by": b.DECIDER}], "accepted"),
        "of another ballot": ([{"ballot": b.digest_of("other")}], "provisional"),
        "of another text": ([{"text_digest": b.digest_of("other")}], "provisional"),
        "a session of its own": ([{"lineage": Lineage(session="fresh")}], "accepted"),
    },
)
def test_a_second_look_makes_durable(looks: list[dict[str, Any]], status: str) -> None:
    files = tuple(a.rederivation_file(SHARED_CLAIM, **fields) for fields in looks)
    evaluation = judge(SHARED_CLAIM, rederivations=files).evaluation
    assert (evaluation.verdict, evaluation.status) == ("UNANIMITY_VERIFIED", status)


def test_a_look_from_a_session_of_the_round_is_not_fresh() -> None:
    claim = (*b.READ, UsedEvidence(id="summary"))
    files = b.affirm_all(
        b.cast_all(b.open_round(rules=b.COUNTED), evidence=claim, lineage=Lineage(session="one"))
    )
    look = a.rederivation_file(files, lineage=Lineage(session="one"))
    assert judge(files, rederivations=(look,)).evaluation.status == "provisional"


def test_a_failing_check_holds_back_what_a_second_look_confirmed() -> None:
    failing = a.check_file(SHARED_CLAIM, passed=False)
    look = a.rederivation_file(SHARED_CLAIM)
    held = judge(SHARED_CLAIM, checks=(failing,), rederivations=(look,)).evaluation
    assert held.status == "provisional"
    assert "the check plan fails" in held.directive.sentence


def test_a_contradiction_where_no_round_is_left_escalates() -> None:
    claim = (*b.READ, UsedEvidence(id="summary"))
    opened = b.open_round(rules=b.change(b.COUNTED, max_rounds=1))
    files = b.affirm_all(b.cast_all(opened, evidence=claim))
    look = a.rederivation_file(files, confirms=False)
    assert judge(files, rederivations=(look,)).evaluation.status == "escalated"


def ruled(files: RoundFiles, signer: str = b.DECIDER, /, **fields: Any) -> Judgement:
    synthesis = a.synthesis_file(files)
    ruling = replace(a.ruling_file(files, synthesis, **fields), signer=signer)
    return judge(files, synthesis=synthesis, ruling=ruling)


@table(
    ("files", "fields", "status", "fault"),
    {
        "accepted": (ESCALATED, {}, "accepted", ""),
        "rejected": (ESCALATED, {"ruling": "reject"}, "rejected", ""),
        "a correlated quorum": (CORRELATED, {}, "accepted", ""),
        "a provisional one": (SHARED_CLAIM, {"ruling": "reject"}, "rejected", ""),
        "while a round is left": (REFUSED, {}, "contested", "ruling-too-early"),
        "what was accepted": (AGREED, {"ruling": "reject"}, "accepted", "ruling-too-early"),
        "another ballot": (ESCALATED, {"ballot": b.digest_of("x")}, "escalated", "stale-file"),
        "another transcript": (
            ESCALATED,
            {"transcript": b.digest_of("x")},
            "escalated",
            "stale-file",
        ),
        "another text": (ESCALATED, {"text_digest": b.digest_of("x")}, "escalated", "stale-file"),
        "another synthesis": (
            ESCALATED,
            {"synthesis": b.digest_of("x")},
            "escalated",
            "synthesis-missing",
        ),
        "an authority": (ESCALATED, {"by": b.AUTHORITY}, "escalated", "ruling-not-human"),
        "a voter": (ESCALATED, {"by": "reviewer"}, "escalated", "ruling-not-human"),
    },
)
def test_rulings(files: RoundFiles, fields: dict[str, Any], status: str, fault: str) -> None:
    judgement = ruled(files, fields.get("by", b.DECIDER), **fields)
    assert judgement.evaluation.status == status
    assert codes(judgement) - {"correlated-quorum-warning", "claim-without-primary"} == (
        {fault} if fault else set()
    )
    assert (judgement.evaluation.basis == "ruling") == (not fault)


@table(
    ("officer",),
    {
        "an agent who decides": (Participant(kind="agent", roles=("decider",)),),
        "a human without the role": (Participant(kind="human", roles=("authority",)),),
    },
)
def test_only_a_human_decider_rules(officer: Participant) -> None:
    opened = b.open_round(
        rules=b.make_rules(max_rounds=1), officers={**b.OFFICERS, b.DECIDER: officer}
    )
    files = b.cast(opened, challenger=b.MAJOR, implementer={}, reviewer={})
    assert codes(ruled(files)) == {"ruling-not-human"}


def test_a_decider_who_was_a_voter_does_not_rule() -> None:
    opened = b.open_round(
        rules=b.make_rules(max_rounds=1),
        officers={**b.OFFICERS, "reviewer": b.OFFICERS[b.DECIDER]},
    )
    files = b.cast(opened, challenger=b.MAJOR, implementer={}, reviewer={})
    assert codes(ruled(files, "reviewer")) == {"ruling-not-human"}


def test_acknowledged_asymmetry_leaves_room_for_a_ruling() -> None:
    opened = b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
    known = b.affirm_all(opened, asymmetry_acknowledged=True)
    unknown = b.affirm_all(opened)
    assert judge(known).evaluation.status == judge(unknown).evaluation.status == "conditional"
    assert ruled(known).evaluation.status == "accepted"
    assert codes(ruled(unknown)) == {"ruling-too-early"}
    assert judge(b.close(known)).evaluation.status == "conditional"
    assert judge(b.close(unknown)).evaluation.status == "contested"


def test_a_synthesis_by_no_authority_does_not_count() -> None:
    synthesis = replace(a.synthesis_file(ESCALATED), signer=b.OUTSIDER)
    judgement = judge(ESCALATED, synthesis=synthesis, ruling=a.ruling_file(ESCALATED, synthesis))
    assert codes(judgement) == {"signer-lacks-role", "synthesis-missing"}
    assert synthesis.path not in judgement.counted


DRAFT = b.proposal_file()
DRAFTED = RoundFiles(number=1, draft=Stored(DRAFT.record, DRAFT.path, DRAFT.digest))
FOREIGN = b.proposal_file(round=2, proposer=b.OUTSIDER)
FOREIGN_DRAFT = RoundFiles(number=2, draft=Stored(FOREIGN.record, FOREIGN.path, FOREIGN.digest))


@table(
    ("rounds", "withdrawal", "signer", "status"),
    {
        "by the proposer": ((REFUSED,), a.withdrawal_file(REFUSED), b.PROPOSER, "withdrawn"),
        "by an authority": ((REFUSED,), a.withdrawal_file(REFUSED), b.AUTHORITY, "withdrawn"),
        "by the decider": ((REFUSED,), a.withdrawal_file(REFUSED), b.DECIDER, "contested"),
        "by whoever drafts another round": (
            (REFUSED, FOREIGN_DRAFT),
            a.withdrawal_file(REFUSED),
            b.OUTSIDER,
            "contested",
        ),
        "of another ballot": (
            (REFUSED,),
            a.withdrawal_file(REFUSED, ballot=b.digest_of("x")),
            b.PROPOSER,
            "contested",
        ),
        "of a draft": ((DRAFTED,), a.withdrawal_file(None), b.PROPOSER, "withdrawn"),
        "of another's draft": ((DRAFTED,), a.withdrawal_file(None), b.OUTSIDER, "draft"),
        "of nothing": ((), a.withdrawal_file(None), b.PROPOSER, "draft"),
    },
)
def test_withdrawals(
    rounds: tuple[RoundFiles, ...], withdrawal: Authenticated[Any], signer: str, status: str
) -> None:
    file = replace(withdrawal, signer=signer)
    judgement = evaluate(DecisionFiles(id=b.ID, rounds=rounds, withdrawal=file))
    assert judgement.evaluation.status == status
    assert (file.path in judgement.counted) == (status == "withdrawn")
    assert (judgement.findings == ()) == (status == "withdrawn")


@table(
    ("rounds", "able"),
    {
        "of a round": ((REFUSED,), "Only orchestrator or proposer can withdraw it."),
        "of a draft": (
            (DRAFTED,),
            "Only proposer can withdraw it; a draft that nobody wants can simply be deleted.",
        ),
        "of nothing": (
            (),
            "Only nobody yet can withdraw it; a draft that nobody wants can simply be deleted.",
        ),
    },
)
def test_who_could_withdraw_is_told(rounds: tuple[RoundFiles, ...], able: str) -> None:
    withdrawal = replace(a.withdrawal_file(rounds[0] if REFUSED in rounds else None), signer="x")
    (finding,) = evaluate(b.decide(*rounds, withdrawal=withdrawal)).findings
    assert finding.hint == able
    assert ("no round is open yet" in finding.message) == (REFUSED not in rounds)


NEXT = b.follow(REFUSED)
BALLOTS = frozenset(b.ballot_of(files).path for files in (REFUSED, NEXT))
FRESH = b.close(b.open_round())
RENEWED = b.follow(FRESH, rules=b.make_rules(max_rounds=5))


@table(
    ("rounds", "withdrawal"),
    {
        "after a round that was refused": ((REFUSED, NEXT), a.withdrawal_file(REFUSED)),
        "after one that a new policy ended": ((FRESH, RENEWED), a.withdrawal_file(FRESH)),
        "after the draft": ((REFUSED,), a.withdrawal_file(None)),
    },
)
def test_no_round_is_opened_on_top_of_a_withdrawal(
    rounds: tuple[RoundFiles, ...], withdrawal: Authenticated[Any]
) -> None:
    assert len(evaluate(b.decide(*rounds)).rounds) == len(rounds)
    judgement = evaluate(b.decide(*rounds, withdrawal=withdrawal))
    assert judgement.evaluation.status == "withdrawn"
    assert len(judgement.rounds) == len(rounds) - 1
    found = {(finding.code, finding.path) for finding in judgement.findings}
    assert found == {("round-not-allowed", b.ballot_of(rounds[-1]).path)}


@table(
    ("ballots", "rounds"), {"both before": (BALLOTS, 2), "the next one with it": (frozenset(), 1)}
)
def test_a_withdrawal_of_any_ballot_counts(ballots: frozenset[str], rounds: int) -> None:
    withdrawal = a.withdrawal_file(REFUSED)
    decision = b.decide(REFUSED, NEXT, withdrawal=withdrawal)
    judgement = evaluate(decision, settled=Settled(ballots=ballots))
    assert judgement.evaluation.status == "withdrawn"
    assert len(judgement.rounds) == rounds
    assert withdrawal.path in judgement.counted


def test_no_round_is_opened_on_top_of_a_ruling() -> None:
    leaning = b.cast_all(
        b.open_round(rules=b.COUNTED), evidence=(*b.READ, UsedEvidence(id="summary"))
    )
    first = b.affirm_all(leaning)
    looked = {"rederivations": (a.rederivation_file(first, confirms=False),)}
    second = b.follow(first)
    assert len(evaluate(b.decide(first, second, **looked)).rounds) == 2
    synthesis = a.synthesis_file(first)
    ruling = a.ruling_file(first, synthesis, ruling="reject")
    decision = b.decide(first, second, synthesis=synthesis, ruling=ruling, **looked)
    judgement = evaluate(decision)
    assert (judgement.evaluation.status, judgement.evaluation.basis) == ("rejected", "ruling")
    assert "round-not-allowed" in {finding.code for finding in judgement.findings}


def test_a_withdrawal_goes_before_a_ruling() -> None:
    synthesis = a.synthesis_file(ESCALATED)
    judgement = judge(
        ESCALATED,
        synthesis=synthesis,
        ruling=a.ruling_file(ESCALATED, synthesis),
        withdrawal=a.withdrawal_file(ESCALATED),
    )
    assert (judgement.evaluation.status, judgement.evaluation.basis) == ("withdrawn", "withdrawal")
