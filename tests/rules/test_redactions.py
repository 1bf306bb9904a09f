"""Redactions: which have effect, whose, and that they change nothing that was decided."""

from __future__ import annotations

from typing import Any

from accord.model.finding import Finding
from accord.model.policy import Policy
from accord.model.snapshot import NOTHING_SETTLED, DecisionFiles, RoundFiles, Settled, Stored
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.ledger import list_events
from accord.rules.record import build_record
from accord.rules.redactions import CountedRedactions, count_redactions, find_redactors
from accord.rules.step import DecisionStep
from accord.rules.transition import check_step
from tests.rules.situations import AGREED, LOG_PATH, REFUSED, paths_of
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

OTHER = f"decisions/{b.ID}/evidence/other.txt"
FOREIGN = "decisions/2026-01-02-older/evidence/log.txt"
VOTE = f"decisions/{b.ID}/rounds/1/votes/reviewer.yaml"
SETTLED = Settled(redactions=frozenset({a.redaction_file().path}))
RETIRED = a.make_policy(
    members=a.make_policy().members | {b.DECIDER: a.make_member(b.DECIDER, kind="human")}
)
VOTING_DECIDER = a.make_policy(
    members=a.make_policy().members
    | {"reviewer": a.make_member("reviewer", kind="human", roles=("voter", "decider"))}
)
UNPINNED = b.affirm_all(b.cast_all(b.open_round({"evidence": (b.change(b.LOG, digest=None),)})))
DRAFT = b.proposal_file()
DRAFTED = RoundFiles(number=1, draft=Stored(DRAFT.record, DRAFT.path, DRAFT.digest))


def count(
    files: RoundFiles = AGREED,
    *,
    there: tuple[str, ...] = (),
    policy: Policy | None = None,
    settled: Settled = NOTHING_SETTLED,
    number: int = 1,
    **fields: Any,
) -> CountedRedactions:
    decision = b.decide(files, redactions=(a.redaction_file(number, **fields),))
    return count_redactions(
        decision,
        evaluate(decision),
        dict.fromkeys(there, b.digest_of("log")),
        policy or a.make_policy(),
        settled,
    )


def codes(found: tuple[Finding, ...]) -> list[str]:
    return [f"{one.code} {one.field}".strip() for one in found]


@table(
    ("counted", "told"),
    {
        "after the end": (count(), ["evidence-redacted"]),
        "in the middle of a round": (count(REFUSED), ["evidence-redacted"]),
        "of a draft that was withdrawn": (count(DRAFTED), ["evidence-redacted"]),
        "the second of the same bytes": (count(number=2), ["evidence-redacted"]),
        "of an entry without a digest": (count(UNPINNED), ["evidence-redacted"]),
        "one that was there, by a decider who is none any more": (
            count(policy=RETIRED, settled=SETTLED),
            ["evidence-redacted"],
        ),
        "by a decider who voted, after the end": (
            count(by="reviewer", policy=VOTING_DECIDER),
            ["evidence-redacted"],
        ),
        "while the file stands there": (
            count(there=(LOG_PATH,)),
            ["evidence-redacted", "redacted-evidence-present"],
        ),
    },
)
def test_it_has_effect(counted: CountedRedactions, told: list[str]) -> None:
    assert codes(counted.findings) == told
    assert counted.gone == {LOG_PATH: b.digest_of("log")}


@table(
    ("counted", "told"),
    {
        "by an authority": (count(by=b.AUTHORITY), ["signer-lacks-role"]),
        "by a voter": (count(by="reviewer"), ["signer-lacks-role"]),
        "by a stranger": (count(by="nobody"), ["signer-lacks-role"]),
        "by a decider who is none any more": (count(policy=RETIRED), ["signer-lacks-role"]),
        "by an agent that the policy calls a decider": (
            count(
                policy=a.make_policy(
                    members={b.DECIDER: a.make_member(b.DECIDER, roles=("decider",))}
                )
            ),
            ["signer-lacks-role"],
        ),
        "by an agent, although it stands there": (
            count(by=b.AUTHORITY, settled=SETTLED),
            ["signer-lacks-role"],
        ),
        "by a stranger, although it stands there": (
            count(by="nobody", settled=SETTLED),
            ["signer-lacks-role"],
        ),
        "by a decider who votes on it": (
            count(REFUSED, by="reviewer", policy=VOTING_DECIDER),
            ["signer-lacks-role"],
        ),
        "of another decision": (count(decision="2026-01-02-older"), ["ballot-mismatch decision"]),
        "under a name that is not its digest's": (
            count(digest=b.digest_of("x")),
            ["ballot-mismatch digest", "redaction-unfounded digest"],
        ),
        "of what nobody lists": (count(path=OTHER), ["redaction-unfounded path"]),
        "of another decision's evidence": (count(path=FOREIGN), ["redaction-unfounded path"]),
        "of a vote": (count(path=VOTE), ["redaction-unfounded path"]),
        "of a draft that cannot be read": (
            count(RoundFiles(number=1)),
            ["redaction-unfounded path"],
        ),
    },
)
def test_it_is_void(counted: CountedRedactions, told: list[str]) -> None:
    assert codes(counted.findings) == told
    assert counted.gone == {}


@table(
    ("files", "policy", "able"),
    {
        "the decider": (AGREED, a.make_policy(), {b.DECIDER}),
        "a voter too, once it has ended": (AGREED, VOTING_DECIDER, {b.DECIDER, "reviewer"}),
        "no voter before that": (REFUSED, VOTING_DECIDER, {b.DECIDER}),
    },
)
def test_who_may(files: RoundFiles, policy: Policy, able: set[str]) -> None:
    assert find_redactors(policy, evaluate(b.decide(files))) == able


REDACTION = a.redaction_file()
TAKEN = b.decide(AGREED, redactions=(REDACTION,))


def judge(decision: DecisionFiles) -> Judgement:
    judgement = evaluate(decision)
    policy = a.make_policy()
    return count_redactions(decision, judgement, {}, policy, NOTHING_SETTLED).mark(judgement)


def test_nothing_that_was_decided_changes() -> None:
    before, after = evaluate(b.decide(AGREED)), judge(TAKEN)
    assert after.evaluation == before.evaluation
    assert build_record(TAKEN, after) == build_record(b.decide(AGREED), before)


def test_the_ledger_ends_with_it() -> None:
    record = b.digest_of("record")
    before = list_events(b.decide(AGREED), evaluate(b.decide(AGREED)), record)
    *same, last = list_events(TAKEN, judge(TAKEN), record)
    assert tuple(same) == before
    assert (last.event, last.digest) == ("redaction", REDACTION.digest)


def test_a_void_one_gives_no_line() -> None:
    files = b.decide(AGREED, redactions=(a.redaction_file(by=b.AUTHORITY),))
    events = list_events(files, judge(files), None)
    assert "redaction" not in {event.event for event in events}


def _step(head: Judgement, *, gone: bool, more: str = REDACTION.path) -> list[str]:
    before = paths_of(AGREED, f"decisions/{b.ID}/record.yaml")
    after = before | {more: "new"}
    if gone:
        del after[LOG_PATH]
    else:
        after[LOG_PATH] = "other bytes"
    step = DecisionStep(b.ID, evaluate(b.decide(AGREED)), head, before, after, a.make_policy())
    return codes(check_step(step))


def test_it_frees_the_file_that_it_names() -> None:
    assert _step(judge(TAKEN), gone=True) == []


def test_a_void_one_frees_nothing_and_does_not_enter() -> None:
    void = judge(b.decide(AGREED, redactions=(a.redaction_file(by=b.AUTHORITY),)))
    assert _step(void, gone=True) == ["signed-file-deleted", "decision-ended"]


def test_other_bytes_are_no_redaction() -> None:
    assert _step(judge(TAKEN), gone=False) == ["frozen-file-changed"]
