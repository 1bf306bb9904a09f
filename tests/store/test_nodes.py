"""Where a field stands."""

from __future__ import annotations

import pytest

from accord.store.nodes import find_position
from accord.store.reader import read_yaml

FILE = b"""\
decision: x
evidence:
  - schema
  - id: log
    digest: "1"
counted:
  votes: {dana: a, li: b}
  affirmations:
    dana.1: a
    dana.10: b
    dana: {1: c}
  "odd key": [x, [y]]
"""

PLACES = {
    "": (1, 1),
    "decision": (1, 11),
    "evidence": (3, 3),
    "evidence[0]": (3, 5),
    "evidence[1]": (4, 5),
    "evidence[1].digest": (5, 13),
    "counted.votes.li": (7, 24),
    "counted.affirmations.dana.1": (9, 13),
    "counted.affirmations.dana.10": (10, 14),
    "counted.odd key[1][0]": (12, 19),
    # what is missing stands where it is missing
    "title": (1, 1),
    "counted.seals": (7, 3),
    "counted.seals.li": (7, 3),
    "evidence[1].via": (4, 5),
    # a shorthand stands for the whole entry
    "evidence[0].id": (3, 5),
    "decision.deeper[0]": (1, 11),
}


@pytest.mark.parametrize(("field", "place"), PLACES.items(), ids=PLACES)
def test_find_position(field: str, place: tuple[int, int]) -> None:
    root, _ = read_yaml(FILE, "f")

    assert root is not None
    assert find_position(root, field) == place


@pytest.mark.parametrize(
    "field", ["evidence[2]", "evidence[x]", "evidence[0", "evidence.0", "[0]", "evidence[-1]"]
)
def test_no_such_place(field: str) -> None:
    root, _ = read_yaml(FILE, "f")

    assert root is not None
    assert find_position(root, field) is None
