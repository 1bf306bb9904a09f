"""Who must do what next (section 10)."""

from __future__ import annotations

from dataclasses import replace

from accord.model.evaluation import Status
from accord.model.evidence import UsedEvidence
from accord.model.snapshot import DecisionFiles, RoundFiles, Stored
from accord.rules.evaluate import evaluate
from accord.rules.record import build_record
from accord.rules.waiting import find_waiting
from tests.rules.situations import CORRELATED, ESCALATED, SHARED_CLAIM, correlated, minor
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

CHALLENGER, IMPLEMENTER, REVIEWER = b.VOTERS
LESS = {"evidence": (UsedEvidence(id="schema"),)}
ONE_OFFICER = {b.AUTHORITY: b.OFFICERS[b.AUTHORITY]}
NO_DECIDER = b.refused(rules=b.make_rules(max_rounds=1), officers=ONE_OFFICER)
PLANNED = b.agreed()
ACKNOWLEDGED = b.affirm(
    b.cast(b.open_round(), challenger={}, implementer=LESS, reviewer={}),
    **{voter: {"asymmetry_acknowledged": True} for voter in b.VOTERS},
)


def draft() -> DecisionFiles:
    record = b.make_proposal()
    path = f"decisions/{b.ID}/rounds/1/proposal.yaml"
    return b.decide(RoundFiles(number=1, draft=Stored(record, path, b.digest_of("draft"))))


def sealed(*voters: str, opened: tuple[str, ...] = ()) -> RoundFiles:
    """A sealed round in which some have sealed, and some of them opened."""
    files = b.cast(b.open_round(rules=b.SEALED), **dict.fromkeys(voters, b.AGREE))
    return replace(files, votes=tuple(vote for vote in files.votes if vote.signer in opened))


@table(
    ("decision", "status", "waiting"),
    {
        "a draft": (draft(), "draft", [("an authority", f"accord open {b.ID}")]),
        "nothing at all": (b.decide(), "draft", [("an authority", f"accord open {b.ID}")]),
        "votes": (
            b.decide(b.cast(b.open_round(), implementer={})),
            "open",
            [
                (CHALLENGER, f"accord vote {b.ID} --as {CHALLENGER}"),
                (REVIEWER, f"accord vote {b.ID} --as {REVIEWER}"),
            ],
        ),
        "seals": (
            b.decide(sealed(IMPLEMENTER, REVIEWER)),
            "open",
            [(CHALLENGER, f"accord vote {b.ID} --as {CHALLENGER}")],
        ),
        "openings, when all seals are in": (
            b.decide(sealed(*b.VOTERS, opened=(IMPLEMENTER,))),
            "open",
            [
                (CHALLENGER, f"accord reveal {b.ID} --as {CHALLENGER}"),
                (REVIEWER, f"accord reveal {b.ID} --as {REVIEWER}"),
            ],
        ),
        "an amendment": (
            b.decide(minor()),
            "amending",
            [(b.AUTHORITY, f"accord amend {b.ID}")],
        ),
        "affirmations of an amendment": (
            b.decide(b.affirm(b.amend(minor()), challenger={}, reviewer={})),
            "amending",
            [(IMPLEMENTER, f"accord affirm {b.ID} --as {IMPLEMENTER}")],
        ),
        "affirmations": (
            b.decide(b.affirm(b.cast_all(b.open_round()), reviewer={})),
            "unconverged",
            [
                (CHALLENGER, f"accord affirm {b.ID} --as {CHALLENGER}"),
                (IMPLEMENTER, f"accord affirm {b.ID} --as {IMPLEMENTER}"),
            ],
        ),
        "reading: who lacks evidence, and who has not affirmed": (
            b.decide(
                b.affirm(
                    b.cast(b.open_round(), challenger={}, implementer=LESS, reviewer={}),
                    implementer={},
                    reviewer={},
                )
            ),
            "conditional",
            [
                (CHALLENGER, f"accord affirm {b.ID} --as {CHALLENGER}"),
                (IMPLEMENTER, f"accord affirm {b.ID} --as {IMPLEMENTER}"),
            ],
        ),
        "answers and the next round": (
            b.decide(b.refused()),
            "contested",
            [(b.AUTHORITY, f"accord revise {b.ID}")],
        ),
        "any of several authorities": (
            b.decide(b.refused(officers=b.OFFICERS | {"second": b.OFFICERS[b.AUTHORITY]})),
            "contested",
            [(f"{b.AUTHORITY} or second", f"accord revise {b.ID}")],
        ),
        "a synthesis": (
            b.decide(ESCALATED),
            "escalated",
            [(b.AUTHORITY, f"accord synthesize {b.ID}")],
        ),
        "a ruling": (
            b.decide(ESCALATED, synthesis=a.synthesis_file(ESCALATED)),
            "escalated",
            [(b.DECIDER, f"accord rule {b.ID}")],
        ),
        "a withdrawal, where nobody can rule": (
            b.decide(NO_DECIDER),
            "escalated",
            [(b.AUTHORITY, f"accord withdraw {b.ID}")],
        ),
        "a withdrawal, where nobody voted": (
            b.decide(b.close(b.open_round(rules=b.make_rules(max_rounds=1)))),
            "escalated",
            [(b.AUTHORITY, f"accord withdraw {b.ID}")],
        ),
        "a synthesis, or the declared check where the quorum is correlated": (
            b.decide(CORRELATED),
            "escalated",
            [
                (b.AUTHORITY, f"accord synthesize {b.ID}"),
                (b.DECIDER, f"accord check run {b.ID} plan"),
            ],
        ),
        "a synthesis, or a check of the decider where none is declared": (
            b.decide(correlated(checks=())),
            "escalated",
            [
                (b.AUTHORITY, f"accord synthesize {b.ID}"),
                (b.DECIDER, f"accord check run {b.ID} NAME -- CMD"),
            ],
        ),
        "a second look": (
            b.decide(SHARED_CLAIM),
            "provisional",
            [
                ("a member who took no part", f"accord rederive {b.ID}"),
                (b.AUTHORITY, f"accord synthesize {b.ID}"),
            ],
        ),
        "a second look, where nobody can rule": (
            b.decide(
                b.affirm_all(
                    b.cast_all(
                        b.open_round(
                            rules=b.COUNTED, officers={b.AUTHORITY: b.OFFICERS[b.AUTHORITY]}
                        ),
                        evidence=(*b.READ, UsedEvidence(id="summary")),
                    )
                )
            ),
            "provisional",
            [("a member who took no part", f"accord rederive {b.ID}")],
        ),
        "the failing check": (
            b.decide(PLANNED, checks=(a.check_file(PLANNED, exit_code=1, passed=False),)),
            "provisional",
            [
                (b.DECIDER, f"accord check run {b.ID} plan"),
                (b.AUTHORITY, f"accord synthesize {b.ID}"),
            ],
        ),
        "a ruling on an asymmetry that all acknowledged": (
            b.decide(ACKNOWLEDGED),
            "conditional",
            [
                (IMPLEMENTER, f"accord affirm {b.ID} --as {IMPLEMENTER}"),
                (b.AUTHORITY, f"accord synthesize {b.ID}"),
            ],
        ),
        "votes of an open round, where seals mean nothing": (
            b.decide(
                replace(
                    files := b.cast(b.open_round(), implementer={}, reviewer={}),
                    seals=(b.seal_file(files, b.vote_file(files, CHALLENGER)),),
                )
            ),
            "open",
            [(CHALLENGER, f"accord vote {b.ID} --as {CHALLENGER}")],
        ),
        "the record": (
            b.decide(b.agreed()),
            "accepted",
            [("anybody", f"accord record {b.ID} --write")],
        ),
    },
)
def test_what_is_awaited(
    decision: DecisionFiles, status: Status, waiting: list[tuple[str, str]]
) -> None:
    judgement = evaluate(decision)
    assert judgement.evaluation.status == status
    found = find_waiting(decision, judgement)
    assert [(one.member, one.command) for one in found] == waiting
    assert all(one.action for one in found)


def test_a_recorded_decision_waits_for_nothing() -> None:
    decision = b.decide(b.agreed())
    judgement = evaluate(decision)
    path = f"decisions/{b.ID}/record.yaml"
    record = Stored(build_record(decision, judgement), path, b.digest_of("record"))
    assert find_waiting(replace(decision, record=record), judgement) == ()
