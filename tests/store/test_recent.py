"""Equal work is done once, and the slow parser is asked so often and no more."""

from __future__ import annotations

from itertools import count

import pytest

from accord.errors import CannotJudge
from accord.store import recent
from accord.store.parse import parse_file
from accord.store.recent import Recent

SLOW = b"a: {b::c: %d}\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths at which something was parsed."""
    paths: list[str] = []

    def parse(data: bytes, path: str, kind: str, ask_again: object) -> object:
        paths.append(path)
        return parse_file(data, path, kind, ask_again)  # type: ignore[arg-type]

    monkeypatch.setattr(recent, "parse_file", parse)
    return paths


def test_equal_bytes_are_parsed_once_and_told_of_each_path(parsed: list[str]) -> None:
    memory = Recent()

    found = [memory.parse(b"x: y\n", path, "seal") for path in ("a", "b", "a")]

    assert parsed == ["a"]
    assert found == [parse_file(b"x: y\n", path, "seal") for path in ("a", "b", "a")]


def test_another_kind_is_another_question(parsed: list[str]) -> None:
    memory = Recent()

    for kind in ("seal", "vote"):
        assert memory.parse(b"x: y\n", "a", kind) == parse_file(b"x: y\n", "a", kind)

    assert parsed == ["a", "a"]


def test_what_is_kept_is_bounded(parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST_BYTES", 12)
    monkeypatch.setattr(recent, "MOST_PROVEN", 1)
    memory = Recent()
    proven = count(1)

    for number in (1, 2, 3, 1):
        memory.parse(b"x: %d\n" % number, str(number), "seal")
    for name in (b"a", b"a", b"b", b"a"):
        assert memory.prove((name,), lambda: bool(next(proven)))

    assert parsed == ["1", "2", "3", "1"]
    assert next(proven) == 4


def test_a_bad_signature_is_checked_once() -> None:
    memory, asked = Recent(), count()

    for _ in range(3):
        assert not memory.prove((b"a", b"b"), lambda: bool(next(asked)))

    assert next(asked) == 1


def test_the_slow_parser_is_asked_so_often() -> None:
    memory = Recent(2)

    for number in (1, 2, 1, 2):
        memory.parse(SLOW % number, "a", "seal")

    with pytest.raises(CannotJudge, match="only a slow parser reads"):
        memory.parse(SLOW % 3, "a", "seal")


def test_alone_it_is_asked_whenever_it_may_know() -> None:
    memory = Recent()

    for number in range(recent.MOST_ASKED_AGAIN + 1):
        assert memory.parse(SLOW % number, "a", "seal") == parse_file(SLOW % number, "a", "seal")
