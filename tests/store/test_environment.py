"""What of the caller's environment git is given."""

from __future__ import annotations

from pathlib import Path

from accord.store.environment import find_quarantine


def test_the_quarantine_of_a_push_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "objects" / "tmp_objdir-incoming-1"
    assert find_quarantine({"GIT_QUARANTINE_PATH": str(folder)}, tmp_path) == {
        "GIT_QUARANTINE_PATH": str(folder),
        "GIT_OBJECT_DIRECTORY": str(folder),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(tmp_path / "objects"),
    }


def test_no_other_folder_is(tmp_path: Path) -> None:
    assert find_quarantine({"GIT_QUARANTINE_PATH": str(tmp_path / "elsewhere")}, tmp_path) == {}
    climbing = str(tmp_path / "objects" / ".." / "elsewhere")
    assert find_quarantine({"GIT_QUARANTINE_PATH": climbing}, tmp_path) == {}


def test_without_a_push_there_is_none(tmp_path: Path) -> None:
    assert find_quarantine({"GIT_OBJECT_DIRECTORY": str(tmp_path)}, tmp_path) == {}
