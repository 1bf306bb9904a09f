"""Every attack of the corpus, at every place where it could get in."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from tests.attacks.corpus import ATTACKS
from tests.attacks.forge import commit
from tests.attacks.places import PLACES, Place, Scene
from tests.attacks.starts import begin


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All places, or where there is little time the range and one more, by turns."""
    quick = metafunc.config.getoption("--hypothesis-profile") == "quick"
    others = cycle(place for place in PLACES if place != "range")
    metafunc.parametrize(
        ("name", "places"),
        [(name, {"range", next(others)} if quick else set(PLACES)) for name in ATTACKS],
        ids=ATTACKS,
    )


def test_it_is_found(
    name: str,
    places: set[Place],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack = ATTACKS[name]
    team = begin(attack.start, tmp_path, capsys, monkeypatch)
    start = team.repo.git("rev-parse", "HEAD")
    attack.act(team)
    if team.repo.git("status", "--porcelain"):
        commit(team)

    scene = Scene(team, start, monkeypatch)
    told = {place: ask(scene) for place, ask in PLACES.items() if place in places}

    seen = {place for place, codes in told.items() if attack.code in codes}
    assert seen == places - attack.unseen, told
