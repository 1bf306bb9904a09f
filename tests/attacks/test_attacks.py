"""Every attack of the corpus, at every place where it could get in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.corpus import ATTACKS
from tests.attacks.forge import commit
from tests.attacks.places import PLACES, Scene
from tests.attacks.starts import begin


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_found(
    name: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack = ATTACKS[name]

    def keep() -> Path:
        return tmp_path_factory.mktemp("start")

    team = begin(attack.start, tmp_path, keep, capsys, monkeypatch)
    start = team.repo.git("rev-parse", "HEAD")
    attack.act(team)
    if team.repo.git("status", "--porcelain"):
        commit(team)

    scene = Scene(team, start, monkeypatch)
    told = {place: ask(scene) for place, ask in PLACES.items()}

    seen = {place for place, codes in told.items() if attack.code in codes}
    assert seen == PLACES.keys() - attack.unseen, told
