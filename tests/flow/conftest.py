"""The team for whom the writing verbs are tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.team import Team, make_team


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    return make_team(tmp_path, capsys, monkeypatch)
