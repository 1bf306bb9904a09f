"""Whether the ledger and the index name what has ended."""

from __future__ import annotations

import pytest

from accord.model.paths import ADR_INDEX, LEDGER
from accord.rules.shared import check_listed

ENDED = ("2026-11-30-a", "2026-12-01-a-b")
BOTH = b'{"decision":"2026-11-30-a"}\n{"decision":"2026-12-01-a-b"}\n'

CASES: dict[str, tuple[str, bytes | None, str | None]] = {
    "all of them": (LEDGER, BOTH, None),
    "never written": (LEDGER, None, "the ledger was never written: it lacks 2026-12-01-a-b and 1"),
    "an older one": (LEDGER, b'"2026-11-30-a"', "the ledger is old: it lacks 2026-12-01-a-b"),
    "one that begins alike": (ADR_INDEX, b"(2026-11-30-a-b.md) 2026-12-01-a-b", "2026-11-30-a"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_lacking(name: str) -> None:
    path, data, told = CASES[name]
    found = check_listed(path, data, ENDED)
    assert [(one.code, one.path) for one in found] == ([("ledger-stale", path)] if told else [])
    assert all(told and told in one.message for one in found)


def test_nothing_has_ended() -> None:
    assert check_listed(LEDGER, None, ()) == ()
