"""A bar where somebody sits, and nothing on a pipe."""

from __future__ import annotations

import io
import sys

import pytest

from accord.cli.progress import show_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_is_shown_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(show_progress(range(150))) == list(range(150))
    assert "judging" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_short_work_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(show_progress("abc")) == ["a", "b", "c"]
    assert terminal.getvalue() == ""


def test_nothing_is_shown_on_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(show_progress(range(150))) == list(range(150))
    assert capsys.readouterr() == ("", "")
