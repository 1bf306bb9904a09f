"""Records are frozen, know their fields, and results have no truth value."""

from __future__ import annotations

import msgspec
import pytest

from accord.model.evaluation import DIRECTIVES, Gate, digest_evaluation
from accord.model.evidence import is_uri
from accord.model.finding import CODES, Finding, find_errors
from accord.model.ledger import FileEvent
from accord.model.vote import Vote
from accord.rules.evaluate import evaluate
from tests.support.files import ID, agreed, decide, digest_of, vote_file
from tests.support.tables import table

GATE = Gate(gate="agreement", result="passed", detail="3 of 3")


def test_a_result_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="Gate has no truth value"):
        bool(GATE)


def test_a_record_is_frozen() -> None:
    vote = vote_file(agreed(), "implementer").record
    with pytest.raises(AttributeError):
        vote.vote = "disagree"  # type: ignore[misc]


def test_unknown_fields_are_refused() -> None:
    plain = msgspec.to_builtins(vote_file(agreed(), "implementer").record)
    with pytest.raises(msgspec.ValidationError, match="mood"):
        msgspec.convert(plain | {"mood": "good"}, Vote)


def test_defaults_are_not_written() -> None:
    event = FileEvent(event="proposal", decision=ID, digest=digest_of("x"))
    assert msgspec.to_builtins(event) == {
        "event": "proposal",
        "decision": ID,
        "digest": digest_of("x"),
    }


@table(
    ("result", "met"),
    {
        "passed": ("passed", True),
        "failed": ("failed", False),
        "not required": ("not_required", True),
        "waived": ("waived", True),
        "pending": ("pending", False),
        "not measured, and holding nothing up": ("not_measured", True),
    },
)
def test_which_gates_let_through(result: str, met: bool) -> None:
    gate = msgspec.convert({"gate": "agreement", "result": result, "detail": ""}, Gate)
    assert gate.met is met


@table(
    ("artifact", "uri"),
    {
        "https": ("https://example.org/x", True),
        "a scheme with a plus": ("git+ssh://example.org/x", True),
        "a scheme with a dash and a dot": ("x-a.b:c", True),
        "a letter of another script": ("é:x", False),
        "a path": ("src/a.py", False),
        "a colon later": ("src/a:b", False),
        "a colon first": (":x", False),
        "a digit first": ("4x:y", False),
    },
)
def test_uris(artifact: str, uri: bool) -> None:
    assert is_uri(artifact) is uri


def test_only_errors_refuse() -> None:
    error = Finding(code="vote-incomplete", path="a", message="m")
    warning = Finding(code="late-vote", path="a", message="m")
    assert find_errors((warning, error)) == (error,)
    assert find_errors([warning]) == ()


def test_every_code_has_a_title() -> None:
    assert all(code.title and not code.title.startswith("(") for code in CODES.values())
    assert all(name == name.lower() and "_" not in name for name in CODES)


def test_every_status_has_a_directive_and_wording_no_digest() -> None:
    evaluation = evaluate(decide(agreed())).evaluation
    assert evaluation.directive.word == DIRECTIVES[evaluation.status]
    reworded = msgspec.structs.replace(
        evaluation,
        warnings=("other words",),
        gates=tuple(msgspec.structs.replace(gate, detail="…") for gate in evaluation.gates),
        directive=msgspec.structs.replace(evaluation.directive, sentence="Go."),
    )
    assert digest_evaluation(reworded) == evaluation.manifest_digest
    other = msgspec.structs.replace(evaluation, transcript=digest_of("other"))
    assert digest_evaluation(other) != evaluation.manifest_digest
