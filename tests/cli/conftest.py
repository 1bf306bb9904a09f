"""A story that is built once a session, and copies of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from accord.cli import output
from tests.cli.story import Place, Story

_stories: list[Story] = []


@pytest.fixture
def at(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Place]:
    """Go to a copy of a step of the story."""
    if not _stories:
        _stories.append(Story(tmp_path_factory.mktemp("story")))
    monkeypatch.chdir(tmp_path)
    return lambda step: _stories[0].copy(step, tmp_path)


@pytest.fixture(autouse=True)
def _plain_output() -> Iterator[None]:
    yield
    output.choose_colour("auto")
