"""A file's place equals its content, and it binds to what stands there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.snapshot import Authenticated, RoundFiles
from accord.rules.binding import check_bindings, check_officer, check_place
from accord.rules.evaluate import evaluate
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

AGREED = b.agreed()
VOTE = AGREED.votes[0]
CHECK = a.check_file(AGREED)
LOOK = a.rederivation_file(AGREED)


@table(
    ("file", "fields"),
    {
        "a vote": (VOTE, []),
        "a check": (CHECK, []),
        "a second look": (LOOK, []),
        "a synthesis has no place for its round": (a.synthesis_file(AGREED, round=7), []),
        "a file that stands nowhere": (replace(VOTE, path="elsewhere.yaml"), []),
        "a vote of another decision": (
            b.changed(VOTE, decision="2026-11-30-other"),
            ["decision"],
        ),
        "a vote of another round": (b.changed(VOTE, round=2), ["round"]),
        "a vote of another voter": (b.changed(VOTE, voter="reviewer"), ["voter"]),
        "a vote of everything else": (
            b.changed(VOTE, voter="reviewer", round=2, decision="2026-11-30-other"),
            ["decision", "round", "voter"],
        ),
        "a check of another name": (b.changed(CHECK, name="other"), ["name"]),
        "a second look by another": (b.changed(LOOK, by="auditor"), ["by"]),
    },
)
def test_places(file: Authenticated[Any], fields: list[str]) -> None:
    findings = check_place(file)
    assert [finding.field for finding in findings] == fields
    assert {finding.code for finding in findings} <= {"ballot-mismatch"}


@table(
    ("elsewhere", "field"),
    {
        "of another decision": ({"decision": "2026-11-30-other"}, "decision"),
        "of another round": ({"round": 7}, "round"),
    },
)
def test_no_ballot_puts_a_proposal_from_elsewhere_to_the_vote(
    elsewhere: dict[str, Any], field: str
) -> None:
    own = b.proposal_file()
    moved = b.changed(own, **elsewhere)
    good = RoundFiles(number=1, proposal=own, ballot=b.ballot_file(own))
    there = {"decision": b.ID, "round": 1}
    ballot = replace(b.ballot_file(moved, **there), path=b.ballot_of(good).path)
    assert evaluate(b.decide(good)).findings == ()
    judgement = evaluate(b.decide(RoundFiles(number=1, proposal=moved, ballot=ballot)))
    (finding,) = judgement.findings
    assert (finding.code, finding.path, finding.field) == ("ballot-mismatch", moved.path, field)
    assert judgement.rounds == ()


def test_every_binding_is_told() -> None:
    file = AGREED.affirmations[0]
    expected = {"ballot": file.record.ballot, "transcript": "x", "text_digest": "y"}
    found = check_bindings(file, expected, "stale-file")
    assert [finding.field for finding in found] == ["transcript", "text_digest"]


def test_who_could_have_signed_is_told() -> None:
    close = b.close_file(AGREED)
    ballot = b.ballot_of(AGREED).record
    assert check_officer(close, ballot, "authority", "close") == ()
    (finding,) = check_officer(replace(close, signer=b.DECIDER), ballot, "authority", "close")
    assert finding.hint == f"Only {b.AUTHORITY} can sign it."
    (finding,) = check_officer(close, b.change(ballot, officers={}), "authority", "close")
    assert finding.hint == "Only nobody in this ballot can sign it."


@table(
    ("kind", "fields"),
    {
        "a close of another ballot": ("close", {"ballot": b.digest_of("other")}),
        "an amendment of other votes": ("amendment", {"transcript": b.digest_of("other")}),
        "a resolution of other votes": ("resolution", {"transcript": b.digest_of("other")}),
    },
)
def test_what_is_stale_does_not_count(kind: str, fields: dict[str, Any]) -> None:
    files = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})
    files = b.resolve(b.close(b.amend(files)))
    before = evaluate(b.decide(files))
    edited: dict[str, Any] = {kind: b.changed(getattr(files, kind), **fields)}
    stale = replace(files, **edited)
    judgement = evaluate(b.decide(stale))
    path = getattr(stale, kind).path
    assert path in before.counted
    assert path not in judgement.counted
    assert ("stale-file", path) in {(f.code, f.path) for f in judgement.findings}
