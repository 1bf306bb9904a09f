"""What the benchmarks measure is what users have: decisions that verify, the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.errors import Exit
from benchmarks.generate import SIGNED, generate
from tests.support.repos import Repo


@pytest.fixture
def generated(tmp_path: Path) -> Repo:
    """Two decisions that have ended, and one under way."""
    folder = tmp_path / "generated"
    generate(folder, 2)
    return Repo(folder)


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """What a command says that finds nothing wrong."""
    capsys.readouterr()
    assert run([*arguments, "--format", "json"]) == Exit.OK
    said = json.loads(capsys.readouterr().out)
    assert isinstance(said, dict)
    return said


def test_every_decision_verifies(
    generated: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(generated.path)

    said = report(capsys, "verify", "--rev", "HEAD", "--tree-only")

    assert said["findings"] == []
    decisions = said["decisions"]
    assert isinstance(decisions, list)
    assert [one["status"] for one in decisions] == ["accepted", "accepted", "open"]


def test_every_step_verifies(
    generated: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(generated.path)

    assert report(capsys, "verify", "--history")["findings"] == []


def test_one_opened_vote_is_staged(
    generated: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(generated.path)

    staged = generated.git("diff", "--cached", "--name-status").splitlines()

    assert [line.split("/")[-1] for line in staged] == [
        "implementer.yaml",
        "implementer.yaml.sig",
    ]
    assert {line[0] for line in staged} == {"A"}
    assert report(capsys, "verify", "--staged")["findings"] == []


def test_as_many_files_are_signed_as_the_benchmark_counts(generated: Repo) -> None:
    ended = sorted((generated.path / "decisions").glob("*-00001/rounds/1/**/*.sig"))

    assert len(ended) == len(SIGNED)


def test_the_same_count_gives_the_same_bytes(generated: Repo, tmp_path: Path) -> None:
    generate(tmp_path / "again", 2)
    again = Repo(tmp_path / "again")

    for what in (("rev-parse", "main", "work", "HEAD"), ("write-tree",)):
        assert again.git(*what) == generated.git(*what)


def test_nothing_that_is_there_is_overwritten(generated: Repo) -> None:
    with pytest.raises(SystemExit, match="not empty"):
        generate(generated.path, 2)
