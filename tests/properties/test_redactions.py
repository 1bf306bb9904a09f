"""The law of redactions: whatever was decided, and whoever signs one, nothing of it changes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from accord.model.snapshot import NOTHING_SETTLED, DecisionFiles
from accord.rules.evaluate import evaluate
from accord.rules.record import build_record
from accord.rules.redactions import count_redactions
from tests.properties.worlds import decisions
from tests.support import aftermath as a
from tests.support import files as b


@given(
    decision=decisions(),
    signer=st.sampled_from((b.DECIDER, b.AUTHORITY, "voter_1", "nobody")),
    path=st.sampled_from((str(b.LOG.artifact), f"decisions/{b.ID}/rounds/1/round.yaml")),
)
def test_a_redaction_changes_no_evaluation(decision: DecisionFiles, signer: str, path: str) -> None:
    before = evaluate(decision)
    files = replace(decision, redactions=(a.redaction_file(by=signer, path=path),))
    redactions = count_redactions(files, evaluate(files), {}, a.make_policy(), NOTHING_SETTLED)
    after = redactions.mark(evaluate(files))
    assert after.evaluation == before.evaluation
    assert after.redacted <= {str(b.LOG.artifact)}
    assert after.counted >= before.counted
    if before.evaluation.ended:
        assert build_record(files, after) == build_record(decision, before)
    if signer != b.DECIDER:
        assert after == before
