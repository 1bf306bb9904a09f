"""The record is a function of the decision's own files, and stands there when it has ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from accord.model.evaluation import Basis
from accord.model.ids import digest_bytes, digest_json
from accord.model.record import DecisionRecord
from accord.model.snapshot import DecisionFiles, RoundFiles, Stored
from accord.model.vote import Reasoning
from accord.rules.evaluate import evaluate
from accord.rules.record import build_record, check_record
from tests.rules.situations import AGREED, CORRELATED, ESCALATED, IMPORTED, REFUSED, SHARED_CLAIM
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table


def record_of(*rounds: RoundFiles, **others: Any) -> DecisionRecord:
    decision = b.decide(*rounds, **others)
    return build_record(decision, evaluate(decision))


def ruled(files: RoundFiles, **fields: Any) -> DecisionRecord:
    synthesis = a.synthesis_file(files)
    return record_of(files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis, **fields))


AMENDED = b.affirm_all(
    b.amend(b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={}))
)


@table(
    ("record", "status", "basis", "word"),
    {
        "by vote": (record_of(AGREED), "accepted", "vote", "PROCEED"),
        "with amendments": (
            record_of(AMENDED),
            "approved_with_amendments",
            "amendments",
            "PROCEED",
        ),
        "by ruling": (ruled(ESCALATED), "accepted", "ruling", "PROCEED"),
        "against it": (ruled(ESCALATED, ruling="reject"), "rejected", "ruling", "FAIL"),
        "by a check": (
            record_of(CORRELATED, checks=(a.check_file(CORRELATED),)),
            "accepted",
            "deterministic_check",
            "PROCEED",
        ),
        "withdrawn": (
            record_of(REFUSED, withdrawal=a.withdrawal_file(REFUSED)),
            "withdrawn",
            "withdrawal",
            "FAIL",
        ),
    },
)
def test_how_it_ended(record: DecisionRecord, status: str, basis: Basis, word: str) -> None:
    assert (record.status, record.basis, record.directive) == (status, basis, word)


def test_what_has_not_ended_has_no_record() -> None:
    with pytest.raises(ValueError, match=f"{b.ID} has not ended: contested"):
        record_of(REFUSED)


def test_the_four_receipts_of_a_unanimity() -> None:
    record = record_of(AGREED)
    receipts = record.receipts
    votes = {vote.signer: vote for vote in AGREED.votes}
    everything = digest_json(sorted([b.digest_of("schema"), b.digest_of("log")]))
    assert set(receipts.per_agent_vote_receipt) == set(b.VOTERS)
    for voter, receipt in receipts.per_agent_vote_receipt.items():
        assert (receipt.vote, receipt.signer, receipt.scheme) == (votes[voter].digest, voter, "ssh")
        assert receipt.reasoning == digest_bytes(
            f"The plan of {voter} shows an index scan.".encode()
        )
        assert receipt.evidence_set == everything
    consensus = receipts.cross_agent_evidence_consensus_receipt
    assert (consensus.evidence_set, consensus.reached_by) == (everything, b.VOTERS)
    signature = receipts.reasoning_convergence_signature
    assert signature.transcript == b.transcript_of(AGREED)
    assert signature.text_digest == b.text_of(AGREED)
    affirmations = {file.signer: file.digest for file in AGREED.affirmations}
    assert receipts.unanimity_commitment_receipt == affirmations


def test_receipts_are_empty_where_there_is_nothing() -> None:
    receipts = ruled(ESCALATED).receipts
    assert receipts.reasoning_convergence_signature.transcript is None
    assert receipts.reasoning_convergence_signature.affirmations == {}
    assert receipts.unanimity_commitment_receipt == {}


def test_an_acknowledged_asymmetry_is_recorded() -> None:
    uneven = b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
    record = ruled(b.affirm_all(uneven, asymmetry_acknowledged=True))
    consensus = record.receipts.cross_agent_evidence_consensus_receipt
    assert consensus.evidence_set is None
    assert consensus.reached_by == ()
    assert consensus.asymmetry_acknowledged_by == b.VOTERS


@table(
    ("reasoning", "digest"),
    {
        "a text": (Reasoning(text="At length."), digest_bytes(b"At length.")),
        "kept elsewhere": (
            Reasoning(digest=b.digest_of("trace"), uri="https://example.org/trace"),
            b.digest_of("trace"),
        ),
        "left out": (None, digest_bytes(b"Short.")),
        "said to be nowhere": (Reasoning(uri="https://example.org"), digest_bytes(b"Short.")),
    },
)
def test_the_digest_of_the_reasoning(reasoning: Reasoning | None, digest: str) -> None:
    files = b.affirm_all(b.cast_all(b.open_round(), reasoning=reasoning, rationale="Short."))
    receipts = record_of(files).receipts.per_agent_vote_receipt
    assert {receipt.reasoning for receipt in receipts.values()} == {digest}


def test_amendments_and_rejections() -> None:
    record = record_of(AMENDED)
    assert AMENDED.amendment is not None
    (amendment,) = record.amendments
    assert (amendment.voter, amendment.amendment) == ("challenger", AMENDED.amendment.digest)
    assert record.rejections == {"YAGNI": ("challenger",)}
    assert {voter: vote.stance for voter, vote in record.rounds[0].votes.items()} == {
        "challenger": "disagree_resolved",
        "implementer": "agree",
        "reviewer": "agree",
    }


@table(
    ("record", "overruled", "never_voted"),
    {
        "accepted against one": (ruled(ESCALATED), ("challenger",), ()),
        "rejected against two": (
            ruled(ESCALATED, ruling="reject"),
            ("implementer", "reviewer"),
            (),
        ),
        "with one who never voted": (
            ruled(
                b.close(
                    b.cast(
                        b.open_round(rules=b.make_rules(max_rounds=1)),
                        challenger=b.MAJOR,
                        implementer={},
                    )
                )
            ),
            ("challenger",),
            ("reviewer",),
        ),
        "nobody, by vote": (record_of(AGREED), (), ()),
    },
)
def test_who_was_overruled(
    record: DecisionRecord, overruled: tuple[str, ...], never_voted: tuple[str, ...]
) -> None:
    assert (record.overruled, record.never_voted) == (overruled, never_voted)


@table(
    ("record", "time"),
    {
        "by the last affirmation": (record_of(AGREED), b.T2),
        "by the ruling": (ruled(ESCALATED), b.T3),
        "by a check": (record_of(CORRELATED, checks=(a.check_file(CORRELATED),)), b.T3),
        "a check that does not count": (
            record_of(AGREED, checks=(a.check_file(AGREED, argv=("true",)),)),
            b.T2,
        ),
        "by the first second look": (
            record_of(
                SHARED_CLAIM,
                rederivations=(
                    a.rederivation_file(SHARED_CLAIM, at="2026-12-02T00:00:00Z"),
                    a.rederivation_file(SHARED_CLAIM, by="auditor", at="2026-12-01T00:00:00Z"),
                ),
            ),
            "2026-12-01T00:00:00Z",
        ),
        "a second look that was not needed": (
            record_of(AGREED, rederivations=(a.rederivation_file(AGREED),)),
            b.T2,
        ),
    },
)
def test_when_it_was_decided(record: DecisionRecord, time: str) -> None:
    assert record.decided_at == time


def test_later_looks_and_late_votes_change_no_byte() -> None:
    closed = b.close(replace(CORRELATED, votes=CORRELATED.votes[1:], affirmations=()))
    checks = (a.check_file(closed),)
    late = b.cast(closed, challenger=b.MAJOR)
    assert record_of(late, checks=checks) == record_of(closed, checks=checks)
    looked = record_of(
        closed, checks=checks, rederivations=(a.rederivation_file(closed, confirms=False),)
    )
    assert looked == record_of(closed, checks=checks)


def test_independence_and_gates_are_recorded() -> None:
    record = record_of(CORRELATED, checks=(a.check_file(CORRELATED),))
    assert record.independence is not None
    assert (record.independence.strict, record.independence.required) == (4, 5)
    assert {gate.gate: gate.result for gate in record.gates}["independence"] == "failed"
    assert record_of(AGREED).independence is None


DRAFT = b.proposal_file(supersedes="2026-01-01-older", continues="2026-01-01-other")
DRAFTED = RoundFiles(number=1, draft=Stored(DRAFT.record, DRAFT.path, DRAFT.digest))


def test_the_record_of_a_withdrawn_draft() -> None:
    record = record_of(DRAFTED, withdrawal=a.withdrawal_file(None))
    assert (record.status, record.rounds, record.gates) == ("withdrawn", (), ())
    assert (record.supersedes, record.continues) == ("2026-01-01-older", "2026-01-01-other")
    assert record.title == "Use a partial index"
    assert record.decided_at == b.T3


def test_the_order_of_files_changes_no_byte() -> None:
    mixed = replace(AGREED, votes=AGREED.votes[::-1], affirmations=AGREED.affirmations[::-1])
    assert record_of(mixed) == record_of(AGREED)


VOTED_ON = record_of(AGREED)


def stored(
    record: DecisionRecord | None, digest: str = "sha256:1"
) -> Stored[DecisionRecord | None]:
    return Stored(record, f"decisions/{b.ID}/record.yaml", digest)


@table(
    ("decision", "expected", "code"),
    {
        "as computed": (b.decide(AGREED, record=stored(None)), "sha256:1", ""),
        "missing": (b.decide(AGREED), "sha256:1", "record-missing"),
        "another": (b.decide(AGREED, record=stored(None)), "sha256:2", "record-differs"),
        "too early": (b.decide(REFUSED, record=stored(IMPORTED)), None, "record-early"),
        "too early, and unreadable": (
            b.decide(REFUSED, record=stored(None)),
            None,
            "record-early",
        ),
        "none, and none is due": (b.decide(REFUSED), None, ""),
        "an import": (b.decide(record=stored(IMPORTED)), None, ""),
    },
)
def test_the_record_stands_there_when_it_is_due(
    decision: DecisionFiles, expected: str | None, code: str
) -> None:
    found = check_record(decision, evaluate(decision), expected)
    assert [finding.code for finding in found] == ([code] if code else [])


def test_an_import_is_a_record_and_nothing_else() -> None:
    evaluation = evaluate(b.decide(record=stored(IMPORTED))).evaluation
    assert (evaluation.status, evaluation.basis) == ("imported", "imported")
    assert evaluation.title == "Use a partial index"
    voted = evaluate(b.decide(REFUSED, record=stored(IMPORTED))).evaluation
    assert voted.status == "contested"
    assert evaluate(b.decide(record=stored(IMPORTED))).counted == {f"decisions/{b.ID}/record.yaml"}
    drafted = evaluate(b.decide(DRAFTED, record=stored(IMPORTED))).evaluation
    assert drafted.status == "draft"


@table(
    ("fields", "fault"),
    {
        "another id": ({"decision": "2026-01-01-other"}, "it names the decision 2026-01-01-other"),
        "no source": ({"source": None}, "it names no source"),
        "a vote": ({"basis": "vote"}, "its basis is vote"),
        "a word of its own": ({"directive": "HALT"}, "its directive is HALT"),
        "a verdict": ({"verdict": "UNANIMITY_VERIFIED"}, "it has verdict"),
        "rounds": ({"rounds": VOTED_ON.rounds}, "it has rounds"),
        "gates": ({"gates": VOTED_ON.gates}, "it has gates"),
        "receipts": ({"receipts": VOTED_ON.receipts}, "it has receipts"),
        "a predecessor": ({"supersedes": "2026-01-01-other"}, "it has supersedes"),
    },
)
def test_an_import_claims_nothing_that_voting_brings(fields: dict[str, Any], fault: str) -> None:
    decision = b.decide(record=stored(b.change(IMPORTED, **fields)))
    judgement = evaluate(decision)
    (found,) = check_record(decision, judgement, None)
    assert found.code == "record-differs"
    assert fault in found.message
    assert (judgement.evaluation.status, judgement.counted) == ("draft", frozenset())


def test_an_import_stands_alone() -> None:
    decision = b.decide(record=stored(IMPORTED), checks=(a.check_file(CORRELATED),))
    (found,) = check_record(decision, evaluate(decision), None)
    assert "does not stand alone" in found.message


@table(
    ("files", "committed"),
    {
        "by affirming": (AGREED, {file.signer: file.digest for file in AGREED.affirmations}),
        "by voting, where nobody had to affirm": (
            (quorum := b.cast_all(b.open_round(rules=b.QUORUM))),
            {vote.signer: vote.digest for vote in quorum.votes},
        ),
        "nobody, where nothing was agreed": (REFUSED, {}),
    },
)
def test_who_is_committed(files: RoundFiles, committed: dict[str, str]) -> None:
    withdrawn = {} if committed else {"withdrawal": a.withdrawal_file(files)}
    assert record_of(files, **withdrawn).receipts.unanimity_commitment_receipt == committed
