"""docs/attacks.md is the corpus, in words."""

from __future__ import annotations

import re
from pathlib import Path

from tests.attacks.corpus import ATTACKS
from tests.attacks.places import PLACES

PAGE = Path(__file__).parents[2] / "docs" / "attacks.md"
ROW = re.compile(r"^\| ([^|]+?) \| ([^|]+?) \| \[`([a-z-]+)`\]\(findings\.md#\3\) \| (.*?) \|$")


def test_every_attack_has_its_row() -> None:
    rows = [found.groups() for line in PAGE.read_text().splitlines() if (found := ROW.match(line))]
    assert sorted(rows) == sorted(
        (name, attack.start, attack.code, describe(attack.unseen))
        for name, attack in ATTACKS.items()
    )


def describe(unseen: frozenset[str]) -> str:
    left = [place for place in PLACES if place not in unseen]
    return "everywhere" if not unseen else ", ".join(left)
