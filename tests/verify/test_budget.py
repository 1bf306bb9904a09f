"""What may be judged at once: weighed by git's sizes, and signed files weigh nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.errors import CannotJudge
from accord.store.git import Repository
from accord.store.objects import Objects
from accord.verify.budget import SETTING, Budget
from benchmarks.generate import generate
from tests.support.repos import Repo

DRAFT = "decisions/2026-11-30-x/rounds/1/proposal.yaml"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Four decisions that have ended, of some 300 KB."""
    folder = tmp_path_factory.mktemp("generated") / "repo"
    generate(folder, 4)
    return Repo(folder)


def allow(repo: Repo, most: int) -> Repository:
    repo.git("config", SETTING, str(most))
    return Repository.discover(repo.path)


def require(repository: Repository, base: str | None, head: str) -> None:
    Budget(repository).require(base, head)


def test_a_first_history_enters_since_it_is_signed(history: Repo) -> None:
    """The policy, what nobody signs, weighs as much as the smallest file."""
    require(allow(history, 40_000), None, history.git("rev-parse", "main"))


def test_what_nobody_signed_does_not(history: Repo) -> None:
    base = history.git("rev-parse", "main")
    history.git("checkout", "-q", "--detach", "main")
    head = history.commit({f"{DRAFT}.{number}": b"x" * 5_000 for number in range(10)})

    with pytest.raises(CannotJudge, match="brings files of 40,960 bytes") as caught:
        require(allow(history, 40_000), base, head)
    require(allow(history, 41_000), base, head)

    assert f"git config {SETTING} 40960" in caught.value.hint


def test_copies_of_a_signed_file_are_not_answered_for(history: Repo) -> None:
    base = history.git("rev-parse", "main")
    history.git("checkout", "-q", "--detach", "main")
    folder = next((history.path / "decisions").glob("*-00001"))
    ballot = folder / "rounds" / "1" / "round.yaml"
    signature = ballot.with_name("round.yaml.sig").read_bytes()
    files: dict[str, bytes | str] = {}
    for number in range(10):
        path = f"decisions/2026-11-{number + 10}-copy/rounds/1/round.yaml"
        files |= {path: ballot.read_bytes(), f"{path}.sig": signature}
    head = history.commit(files)

    with pytest.raises(CannotJudge, match="no member answers for"):
        require(allow(history, 60_000), base, head)


def test_all_that_one_push_moves_is_one_change(history: Repo) -> None:
    base = history.git("rev-parse", "main")
    budget = Budget(allow(history, 40_000))
    history.git("checkout", "-q", "--detach", "main")

    for number in range(9):
        budget.require(base, history.commit({DRAFT: f"{number}"}))
        history.git("checkout", "-q", "--detach", "main")
    with pytest.raises(CannotJudge, match="brings files of 4,096 bytes"):
        budget.require(base, history.commit({DRAFT: "9"}))


def test_nothing_is_read_before_it_is_weighed(
    history: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of two gigabytes are refused unread; what is weighed is what would be read."""
    base = history.git("rev-parse", "main")
    history.git("checkout", "-q", "--detach", "main")
    head = history.commit({f"{DRAFT}.{number}": bytes(200_000) for number in range(100)})

    def refuse(*_: object) -> object:
        raise AssertionError("it was read")

    monkeypatch.setattr(Objects, "digest", refuse)
    with pytest.raises(CannotJudge, match="brings files of 409,600 bytes"):
        require(allow(history, 400_000), base, head)


def test_without_a_policy_nobody_answers(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo")
    head = repo.commit({f"{DRAFT}.{number}": b"x" for number in range(10)})

    with pytest.raises(CannotJudge, match="no member answers for"):
        require(allow(repo, 40_000), None, head)


def test_a_history_that_is_not_there(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo")

    with pytest.raises(CannotJudge, match="git cannot list"):
        require(Repository.discover(repo.path), None, "0" * 40)
