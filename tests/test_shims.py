"""The shims of hooks/, for people without pre-commit: they run accord, never skip in silence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repos import Repo

SHIMS = sorted((Path(__file__).parent.parent / "hooks").iterdir())
WITH_ACCORD = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture
def hooked(repo: Repo) -> Repo:
    for shim in SHIMS:
        shutil.copy(shim, repo.path / ".git" / "hooks" / shim.name)
    return repo


def commit(repo: Repo, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "commit", "-m", "a step"],
        cwd=repo.path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("shim", SHIMS, ids=lambda shim: shim.name)
def test_a_shim_is_short_executable_and_ends_in_accord(shim: Path) -> None:
    lines = shim.read_text().splitlines()

    assert len(lines) <= 10
    assert lines[-1].startswith("exec accord hook ")
    assert os.access(shim, os.X_OK)


def test_a_commit_that_touches_no_decision_passes(hooked: Repo) -> None:
    hooked.add({"README": "hello\n"})

    assert commit(hooked, WITH_ACCORD).returncode == 0


def test_a_commit_with_a_record_written_by_hand_is_refused(hooked: Repo) -> None:
    hooked.add({"decisions/2026-11-30-use-partial-index/record.yaml": "status: accepted\n"})

    done = commit(hooked, WITH_ACCORD)

    assert done.returncode == 1
    assert "error[" in done.stderr
    assert subprocess.run(["git", "rev-parse", "HEAD"], cwd=hooked.path, check=False).returncode


def test_without_accord_a_commit_is_not_let_through_unverified(
    hooked: Repo, tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("git", "sh"):
        (programs / program).symlink_to(str(shutil.which(program)))
    hooked.add({"README": "hello\n"})

    done = commit(hooked, str(programs))

    assert done.returncode != 0
    assert "accord is not installed" in done.stderr
