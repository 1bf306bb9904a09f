"""What holds for every record and for every file, however odd."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _ruamel_yaml import CParser
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from accord.errors import UsageError
from accord.model.finding import Finding
from accord.model.vote import Reasoning, Vote
from accord.store.characters import find_forbidden
from accord.store.json_reader import read_json
from accord.store.kinds import KINDS
from accord.store.parse import parse_draft, parse_file
from accord.store.reader import read_yaml
from accord.store.writer import dump, dump_draft
from tests.store.examples import DIGEST, POLICY, VOTE
from tests.store.strategies import ODD, edits, records

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read_pure(data: bytes) -> list[Any]:
    return events_of(YAML(typ="safe", pure=True).parse(data.decode()))


def read_c(data: bytes) -> list[Any]:
    return events_of(iter(CParser(data).get_event, None))


def events_of(events: Iterable[Any]) -> list[Any]:
    """What a parser says, without places: kind, value, whether plain."""
    return [
        (type(event).__name__, getattr(event, "value", None), not getattr(event, "style", None))
        for event in events
    ]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(patient, max_examples=25)
def test_what_is_written_reads_back(kind: str, data: st.DataObject) -> None:
    record = data.draw(records(kind))

    written = dump(record, kind)

    assert parse_file(written, "f", kind) == (record, ())
    assert written.startswith(f"format: accord/{kind}/1\n".encode())
    assert read_c(written) == read_pure(written)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(patient, max_examples=10)
def test_a_draft_of_a_whole_record_reads_back(kind: str, data: st.DataObject) -> None:
    record = data.draw(records(kind))
    comments = dict.fromkeys(KINDS[kind].record_type.__struct_encode_fields__, "Say why.\nOr not.")

    draft = dump_draft(record, kind, comments)

    assert parse_draft(draft, "draft.yaml", kind, {}) == (record, ())


def vote_with(rationale: str) -> Vote:
    return Vote(
        decision="2026-11-30-x",
        round=1,
        voter="a",
        ballot=DIGEST,
        vote="agree",
        rationale=rationale,
        reasoning=Reasoning(text=rationale),
        cast_at="2026-11-30T00:00:00Z",
    )


@given(text=st.text(min_size=1))
@settings(patient, max_examples=300)
@example(text="\t")
@example(text="\r\n")
@example(text="\ud800")
@example(text="\u0645\u06cc\u200c\u062e")
@example(text="\u0645\u06cc\u200c")
@example(text="a\u200db")
def test_any_text_is_written_or_refused_by_name(text: str) -> None:
    record = vote_with(text)

    if find_forbidden(text):
        with pytest.raises(UsageError, match=r"rationale holds U\+") as caught:
            dump(record, "vote")
        assert caught.value.message.isprintable()
    else:
        assert parse_file(dump(record, "vote"), "f", "vote") == (record, ())


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_one_by_one(text: str) -> None:
    record = vote_with(text)

    written = dump(record, "vote")

    assert parse_file(written, "f", "vote") == (record, ())
    assert read_c(written) == read_pure(written)


def check_findings(data: bytes, findings: tuple[Finding, ...], record: object) -> None:
    assert (record is None) == bool(findings)
    lines = data.decode("utf-8", "replace").split("\n")
    for finding in findings:
        assert (finding.message + finding.hint + finding.field).isprintable()
        if finding.code != "file-too-large":
            assert finding.line is not None
            assert finding.column is not None
            assert 1 <= finding.line <= len(lines)
            assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


@pytest.mark.parametrize(("kind", "text"), [("vote", VOTE), ("policy", POLICY)])
@given(data=st.data())
@settings(patient, max_examples=250)
def test_a_spoilt_file_gives_a_record_or_findings(
    kind: str, text: str, data: st.DataObject
) -> None:
    spoilt = data.draw(edits(text.encode()))

    record, findings = parse_file(spoilt, "f", kind)

    check_findings(spoilt, findings, record)


@given(spoilt=edits(VOTE.encode()) | edits(POLICY.encode()))
@settings(patient, max_examples=250)
def test_what_both_parsers_accept_they_read_as_one_value(spoilt: bytes) -> None:
    _, findings = read_yaml(spoilt, "f")
    if findings:
        return
    try:
        in_c = read_c(spoilt)
    except Exception:  # the pure parser had the last word
        return
    try:
        pure = read_pure(spoilt)
    except Exception:  # only the C parser accepts it, and it comes first
        return

    assert in_c == pure


@given(data=st.binary(max_size=60) | edits(b'{"a": ["b\\n", -1.5e3, true, null], "c": {}}\n'))
@settings(patient, max_examples=250)
def test_any_bytes_as_json_give_a_tree_or_findings(data: bytes) -> None:
    root, findings = read_json(data, "f")

    check_findings(data, findings, root)


@given(data=st.binary(max_size=60))
@settings(patient, max_examples=200)
def test_any_bytes_as_a_draft_give_a_record_or_findings(data: bytes) -> None:
    record, findings = parse_draft(data, "-", "seal", {})

    check_findings(data, findings, record)
