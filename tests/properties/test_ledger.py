"""Any decisions, in any order, give one ledger; its chain holds, and no free text is in it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from accord.model.ids import digest_bytes
from accord.model.ledger import LedgerEvent
from accord.model.snapshot import DecisionFiles
from accord.render.ledger import render_ledger
from accord.rules.evaluate import evaluate
from accord.rules.ledger import check_ledger, list_events
from tests.properties.worlds import decisions, shuffled
from tests.support.chain import find_breaks, read_lines

IDS = ("2026-11-30-a", "2026-11-30-b", "2026-12-01-a", "2027-01-01-a")
several = st.lists(decisions(), min_size=1, max_size=len(IDS)).map(
    lambda found: [replace(one, id=id_) for one, id_ in zip(found, IDS, strict=False)]
)


def events_of(decision: DecisionFiles) -> tuple[LedgerEvent, ...]:
    """The events of a decision, with its record if it has ended."""
    judgement = evaluate(decision)
    record = digest_bytes(decision.id.encode()) if judgement.evaluation.ended else None
    return list_events(decision, judgement, record)


def ledger_of(found: list[DecisionFiles]) -> bytes:
    return render_ledger([event for one in found for event in events_of(one)])


@given(st.data(), several)
def test_the_order_of_files_and_decisions_does_not_matter(
    data: st.DataObject, found: list[DecisionFiles]
) -> None:
    mixed = [shuffled(data.draw, one) for one in data.draw(st.permutations(found))]
    assert ledger_of(mixed) == ledger_of(found)


@given(several)
def test_the_chain_holds(found: list[DecisionFiles]) -> None:
    assert find_breaks(ledger_of(found)) == []


@given(several)
def test_a_decision_changes_no_line_of_another(found: list[DecisionFiles]) -> None:
    assert ledger_of(found) == b"".join(ledger_of([one]) for one in found)


@given(several)
def test_lines_are_of_what_counts(found: list[DecisionFiles]) -> None:
    for one in found:
        judgement = evaluate(one)
        files = [
            file
            for round_ in one.rounds
            for file in (round_.proposal, round_.ballot, round_.amendment, round_.resolution)
        ]
        everything = (*files, *one.checks, *one.rederivations)
        counted = {file.digest for file in everything if file and file.path in judgement.counted}
        listed = [line["digest"] for line in read_lines(ledger_of([one]))]
        transcripts = {round_.transcript for round_ in judgement.rounds if round_.votes}
        record = {digest_bytes(one.id.encode())} if judgement.evaluation.ended else set()
        assert sorted(listed) == sorted(counted | transcripts | record)


WORD = re.compile(
    r"[a-z0-9][a-z0-9_-]*(/[0-9]+)?\Z"
    r"|sha256:[0-9a-f]{64}\Z"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z\Z"
)


def strings(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [text for one in value for text in strings(one)]


@given(several)
def test_no_text_that_somebody_wrote_is_in_it(found: list[DecisionFiles]) -> None:
    lines = read_lines(ledger_of(found))
    assert [text for line in lines for text in strings(line.values()) if not WORD.match(text)] == []


@given(st.data(), several)
def test_no_changed_byte_is_overlooked(data: st.DataObject, found: list[DecisionFiles]) -> None:
    ledger = ledger_of(found)
    at = data.draw(st.integers(0, len(ledger) - 1))
    byte = data.draw(st.integers(0, 255))
    assume(byte != ledger[at])
    changed = ledger[:at] + bytes([byte]) + ledger[at + 1 :]
    (finding,) = check_ledger(changed, ledger)
    assert finding.line is not None
    assert finding.line <= ledger[:at].count(b"\n") + 1


@given(st.data(), several)
def test_no_line_that_is_gone_is_overlooked(
    data: st.DataObject, found: list[DecisionFiles]
) -> None:
    lines = ledger_of(found).splitlines(keepends=True)
    gone = data.draw(st.integers(0, len(lines) - 1))
    left = b"".join(lines[:gone] + lines[gone + 1 :])
    assert check_ledger(left, b"".join(lines))
