"""Odd states of git, in which accord either works or says why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.e2e.team import AGREE, VOTERS, Team, all_agree
from tests.support.repos import Repo


def test_a_folder_below_the_root(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    below = team.repo.path / "some" / "folder"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    team.propose("x")
    assert "opened 3 of 3" in team.vote("x", all_agree())


def test_a_linked_worktree(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    linked = team.folder / "linked"
    team.repo.git("worktree", "add", "-q", "-b", "other", str(linked), "main")
    monkeypatch.chdir(linked)
    team.repo = Repo(linked)
    team.propose("x")
    team.vote("x", all_agree())
    assert "PROCEED" in team.affirm("x")
    assert team.findings("--rev", "other", "--tree-only", code=0) == {}
    assert team.findings("--rev", "work", "--tree-only", code=0) == {}


def test_a_detached_head(team: Team) -> None:
    team.repo.git("switch", "-q", "--detach")
    team.propose("x")
    assert "opened 3 of 3" in team.vote("x", all_agree())


def test_a_merge_in_progress(team: Team) -> None:
    team.propose("x")
    team.repo.git("switch", "-q", "main")
    team.repo.commit({"other.txt": "other\n"})
    team.repo.git("switch", "-q", "work")
    team.repo.git("merge", "-q", "--no-commit", "main")
    refused = team.vote("x", all_agree(), code=2)
    assert "merge" in refused
    assert team.findings("--staged", code=0) == {}


def test_other_staged_work_stays_staged(team: Team) -> None:
    team.propose("x")
    team.repo.add({"mine.txt": "mine\n"})
    team.vote("x", all_agree())
    assert team.repo.git("status", "--short") == "A  mine.txt"


def test_inside_a_submodule(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = Repo.init(team.folder / "outer", "sha1", "--initial-branch=main")
    outer.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
        team.repo.path.as_uri(), "inner",
    )  # fmt: skip
    monkeypatch.chdir(outer.path / "inner")
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    monkeypatch.chdir(outer.path)
    assert "0 files checked" in team.accord("verify", "--staged")


def test_a_bare_repository_is_read_and_not_written(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.propose("x")
    bare = Repo.clone(team.repo, team.folder / "bare.git", "--bare")
    monkeypatch.chdir(bare.path)
    assert "bare repository" in team.accord("vote", "x", "--agree", code=2)
    assert team.findings("--rev", "work", "--tree-only", code=0) == {}
    assert "0 of 3 voters have voted" in team.accord("status")


def test_two_processes_at_once_lose_nothing(team: Team) -> None:
    team.propose("x")
    draft = team.write("v.json", AGREE)
    command = [sys.executable, "-m", "accord", "vote", "x", "--from", str(draft), "--as"]
    running = [
        subprocess.Popen([*command, voter], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for voter in VOTERS
    ]
    printed = [process.communicate()[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], printed
    seals = {path.name for path in team.file("x", "rounds/1/seals").iterdir()}
    assert seals == {f"{voter}.yaml{suffix}" for voter in VOTERS for suffix in ("", ".sig")}
    team.accord("next")
    assert "3 of 3 voters agree" in team.accord("show", "x")


def test_a_place_that_is_taken(team: Team) -> None:
    team.propose("x")
    blocked = team.file("x", "rounds/1/seals")
    blocked.write_text("in the way")
    printed = team.vote("x", all_agree(), code=2)
    assert "seals" in printed
    blocked.unlink()
    assert not blocked.exists()
    assert "sealed 3 of 3" in team.vote("x", all_agree())


def test_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["status"]) == 2
    assert "git init" in capsys.readouterr().err


def test_seals_in_conflict_are_taken_from_one_side_whole(team: Team) -> None:
    """Two checkouts of one voter have sealed two votes, and a branch merges the other."""
    git = team.repo.git
    team.propose("x")
    git("branch", "there")
    seal = team.file("x", "rounds/1/seals/reviewer.yaml")
    seal.parent.mkdir()
    for branch in ("there", "work"):
        git("switch", "-q", branch)
        seal.parent.mkdir(exist_ok=True)
        seal.write_text(f"format: accord/seal/1\nvote: {branch}\n")
        seal.with_name("reviewer.yaml.sig").write_text(f"signed on {branch}\n")
        git("add", "--all")
        git("commit", "-qm", "seal")
    path = str(seal.relative_to(team.repo.path))

    conflict = subprocess.run(["git", "merge", "-q", "there"], cwd=team.repo.path, check=False)
    assert conflict.returncode == 1
    assert "take one side whole" in team.accord("verify", "--staged", code=2)

    git("add", "--all")
    told = team.accord("verify", "--staged", "--branch=work", code=1)
    assert "a merge left its conflict here" in told
    git("checkout", "HEAD", "--", path, f"{path}.sig")
    assert "conflict" not in team.accord("verify", "--staged", "--branch=work", code=0)
