"""How answers name their evidence, and whether what they name is there (section 3.5)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from accord.model.evidence import ManifestEntry, TraceReceipt, UsedEvidence
from accord.rules.citations import (
    Found,
    check_citations,
    count_lines,
    find_name_fault,
    measure_citations,
    read_lines,
)
from accord.rules.completeness import check_affirmation
from accord.rules.evaluate import evaluate
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

NAMED = (
    "src/a.py",
    "Makefile",
    "docs/a file (old).md",
    "src/#1/a.py",
    "https://example.org/a.py",
    "https://example.org:8080/a.py#L10",
    "urn:ietf:rfc:2648",
    "doi:10.1000/182",
    "mailto:dana@example.org",
    "issue:12",
)
UNNAMED = {
    "/home/alice/x": "one machine",
    "/x": "one machine",
    "~/x": "one machine",
    "C:/Users/alice/x": "one machine",
    "C:\\Users\\alice\\x": "one machine",
    "\\\\server\\share\\x": "one machine",
    "file:///home/alice/x": "one machine",
    "FILE:x": "one machine",
    "../x": "no path inside",
    "./x": "no path inside",
    "a//b": "no path inside",
    "a/": "no path inside",
    "a\\b": "no path inside",
    "": "no path inside",
}
SUFFIXED = {
    "url_safe.py:10-20": ("url_safe.py", "10-20"),
    "urlsafe.py:10-20": ("urlsafe.py", "10-20"),
    "src/a.py:7": ("src/a.py", "7"),
    "src/a.py:10:5": ("src/a.py", "10"),
    "src/a.py#L10-L20": ("src/a.py", "10-20"),
    "src/a.py#L10": ("src/a.py", "10"),
    "src/a.py:L3-9": ("src/a.py", "3-9"),
    "Makefile:10-20": ("Makefile", "10-20"),
}


@pytest.mark.parametrize("artifact", NAMED)
def test_what_others_can_open(artifact: str) -> None:
    assert find_name_fault(artifact) is None


@pytest.mark.parametrize("artifact", UNNAMED)
def test_what_nobody_else_can_open(artifact: str) -> None:
    fault = find_name_fault(artifact)
    assert fault
    assert UNNAMED[artifact] in fault.sentence


@pytest.mark.parametrize("artifact", SUFFIXED)
def test_lines_stand_apart(artifact: str) -> None:
    fault = find_name_fault(artifact)
    assert fault
    told = re.search(r"artifact: (.+), lines: (.+)\.", fault.hint)
    assert told
    assert told.groups() == SUFFIXED[artifact]


@table(
    ("lines", "last"),
    {
        "one": ("42", 42),
        "a range": ("10-20", 20),
        "one line twice": ("10-10", 10),
        "several": ("30-40, 3,10-20", 40),
        "backwards": ("20-10", None),
        "from zero": ("0-3", None),
        "words": ("the top", None),
        "an open end": ("10-", None),
        "nothing between commas": ("1,,2", None),
        "a sign": ("-3", None),
    },
)
def test_lines(lines: str, last: int | None) -> None:
    assert read_lines(lines) == last


@table(
    ("data", "lines"),
    {"nothing": (b"", 0), "a line": (b"a\n", 1), "an end without a feed": (b"a\nb", 2)},
)
def test_lines_of_a_file(data: bytes, lines: int) -> None:
    assert count_lines(data) == lines


RECEIPT = TraceReceipt(format="example/1", digest=b.digest_of("receipt"))


@table(
    ("entry", "faults"),
    {
        "an id": ({"id": "schema", "lines": "3"}, []),
        "a find": ({"artifact": "src/a.py", "lines": "1-2"}, []),
        "a path of one machine": (
            {"artifact": "/home/alice/x"},
            ["path-invalid evidence[0].artifact"],
        ),
        "no line numbers": (
            {"artifact": "a", "lines": "all"},
            ["schema-invalid evidence[0].lines"],
        ),
        "a trace of its own word": (
            {"id": "schema", "source": "trace"},
            ["trace-unproven evidence[0].source"],
        ),
        "a trace with a receipt of no known format": (
            {"id": "schema", "source": "trace", "receipt": RECEIPT},
            ["trace-unproven evidence[0].receipt"],
        ),
        "a receipt alone": (
            {"id": "schema", "receipt": RECEIPT},
            ["trace-unproven evidence[0].receipt"],
        ),
    },
)
def test_the_form_of_an_entry(entry: dict[str, Any], faults: list[str]) -> None:
    found = check_citations((UsedEvidence(**entry),), "v.yaml")
    assert [f"{one.code} {one.field}" for one in found] == faults


ELSEWHERE = (UsedEvidence(artifact="/home/alice/x"),)


def test_a_vote_that_names_what_nobody_can_open_is_no_vote_yet() -> None:
    files = b.cast_all(b.open_round(), evidence=(*b.READ, *ELSEWHERE))
    judgement = evaluate(b.decide(files))
    assert {finding.code for finding in judgement.findings} == {"path-invalid"}
    assert judgement.rounds[0].votes == {}
    assert not judgement.counted & {vote.path for vote in files.votes}


def test_neither_is_an_affirmation_one() -> None:
    files = b.cast_all(b.open_round())
    record = b.affirmation_file(files, "reviewer", evidence=ELSEWHERE).record
    found = check_affirmation(
        record, b.ballot_of(files).record, b.proposal_of(files).record, "a.yaml"
    )
    assert [finding.code for finding in found] == ["path-invalid"]


def test_nor_a_second_look() -> None:
    files = b.agreed()
    look = a.rederivation_file(files, evidence=(*b.READ, *ELSEWHERE))
    judgement = evaluate(b.decide(files, rederivations=(look,)))
    assert "path-invalid" in {finding.code for finding in judgement.findings}
    assert judgement.looks == ()


THREE = b"one\ntwo\nthree\n"
OTHER = "5e" * 20
MANIFEST = {
    entry.id: entry
    for entry in (
        *b.MANIFEST,
        ManifestEntry(id="manual", kind="primary", artifact="https://example.org/manual"),
    )
}


def find(artifact: str, revision: str | None, digest: str | None) -> Found:
    """Three lines at each path but `gone`; the commit OTHER is not at hand."""
    assert digest is None or digest.startswith("sha256:")
    if revision == OTHER:
        return None
    return "absent" if artifact == "gone" else THREE


@table(
    ("entry", "faults", "unmeasured"),
    {
        "a file": ({"artifact": "a"}, [], ()),
        "its last line": ({"artifact": "a", "lines": "3"}, [], ()),
        "the line after": (
            {"artifact": "a", "lines": "1, 2-4"},
            ["evidence-missing evidence[0].lines"],
            (),
        ),
        "lines that are none are told elsewhere": ({"artifact": "a", "lines": "all"}, [], ()),
        "a file that is not there": (
            {"artifact": "gone"},
            ["evidence-missing evidence[0]"],
            (),
        ),
        "not in that commit": (
            {"artifact": "gone", "revision": "4f" * 20, "lines": "1"},
            ["evidence-missing evidence[0]"],
            (),
        ),
        "other bytes": (
            {"artifact": "a", "digest": b.digest_of("b")},
            ["evidence-digest-mismatch evidence[0].digest"],
            (),
        ),
        "a commit elsewhere": ({"artifact": "a", "revision": OTHER}, [], ("a",)),
        "a listed artifact is held against the list": ({"id": "schema"}, [], ()),
        "its lines": ({"id": "schema", "lines": "1-3"}, [], ()),
        "lines that it has not": (
            {"id": "schema", "lines": "900-990"},
            ["evidence-missing evidence[0].lines"],
            (),
        ),
        "lines of a page": ({"id": "manual", "lines": "900"}, [], ()),
        "lines of a text": ({"id": "summary", "lines": "900"}, [], ()),
        "lines of nothing that is listed": ({"id": "lost", "lines": "900"}, [], ()),
        "a page": ({"artifact": "https://example.org/gone"}, [], ()),
        "a name that is told elsewhere": ({"artifact": "/gone"}, [], ()),
    },
)
def test_what_is_cited(
    entry: dict[str, Any], faults: list[str], unmeasured: tuple[str, ...]
) -> None:
    measured = measure_citations((UsedEvidence(**entry),), MANIFEST, "v.yaml", find)
    assert [f"{one.code} {one.field}" for one in measured.findings] == faults
    assert measured.unmeasured == unmeasured
