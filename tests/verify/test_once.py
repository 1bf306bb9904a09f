"""Equal work is done once, and refused once."""

from __future__ import annotations

import pytest

from accord.errors import CannotJudge
from accord.verify.once import Once


def test_each_key_is_asked_once() -> None:
    asked: list[str] = []

    def work(key: str) -> int:
        asked.append(key)
        if key == "bad":
            raise CannotJudge("no")
        return len(key)

    once = Once(work)
    assert [once("ab"), once("c"), once("ab")] == [2, 1, 2]
    for _ in range(2):
        with pytest.raises(CannotJudge, match="no"):
            once("bad")
    assert asked == ["ab", "c", "bad"]
