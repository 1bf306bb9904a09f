"""Which branch is protected: what init asks git for, and who says that none is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.verify.range import judge_between
from accord.verify.received import Push, Update
from accord.verify.report import Report
from tests.e2e.team import Team, make_team
from tests.support.repos import Repo
from tests.support.tables import table

INIT = ("init", "--agents=a,b,c", "--authority=o")
Out = pytest.CaptureFixture[str]


def not_yet_born(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")


def the_only_one(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    repo.commit({"a.txt": "a\n"})
    repo.git("switch", "-q", "--detach")


def checked_out(repo: Repo) -> None:
    repo.commit({"a.txt": "a\n"})
    repo.git("switch", "-qc", "trunk")


def of_the_remote(repo: Repo) -> None:
    oid = repo.commit({"a.txt": "a\n"})
    for remote, branch in (("another", "other"), ("origin", "trunk")):
        repo.git("update-ref", f"refs/remotes/{remote}/{branch}", oid)
        repo.git("symbolic-ref", f"refs/remotes/{remote}/HEAD", f"refs/remotes/{remote}/{branch}")


def of_another_remote(repo: Repo) -> None:
    oid = repo.commit({"a.txt": "a\n"})
    repo.git("update-ref", "refs/remotes/hub/trunk", oid)
    repo.git("symbolic-ref", "refs/remotes/hub/HEAD", "refs/remotes/hub/trunk")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo.init(tmp_path / "repo", "sha1", "--initial-branch=main")
    monkeypatch.chdir(repo.path)
    return repo


@table(
    ("build",),
    {
        one.__name__.replace("_", " "): (one,)
        for one in (not_yet_born, the_only_one, checked_out, of_the_remote, of_another_remote)
    },
)
def test_init_asks_git(build: Callable[[Repo], None], repo: Repo, tmp_path: Path) -> None:
    build(repo)
    assert run([*INIT, "--key-dir", str(tmp_path / "keys")]) == 0
    policy = load_policy(Repository.discover(repo.path).index()).policy
    assert policy is not None
    assert policy.protected == ("trunk",)


def test_init_does_not_guess(repo: Repo, tmp_path: Path, capsys: Out) -> None:
    checked_out(repo)
    repo.git("switch", "-q", "--detach")
    assert run([*INIT, "--key-dir", str(tmp_path / "keys")]) == 2
    assert "name the one: --protected BRANCH" in capsys.readouterr().err


def test_init_doubts_what_is_not_the_default(repo: Repo, tmp_path: Path, capsys: Out) -> None:
    of_the_remote(repo)
    assert run([*INIT, "--protected=main", "--key-dir", str(tmp_path / "keys")]) == 0
    assert "the default branch is trunk" in capsys.readouterr().err


@pytest.fixture
def team(tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> Team:
    return make_team(tmp_path, capsys, monkeypatch)


def grades(team: Team) -> dict[str, str]:
    told = team.json("doctor", code=3)
    assert isinstance(told, list)
    return {one["text"]: one["grade"] for one in told if "protect" in one["text"]}


class TestNoneIsThere:
    """The branch has another name than the policy says."""

    @pytest.fixture(autouse=True)
    def renamed(self, team: Team) -> None:
        team.repo.git("branch", "-m", "main", "master")

    def test_doctor(self, team: Team) -> None:
        (text,) = grades(team)
        assert "protects main, and no branch here is called so" in text

    def test_doctor_on_a_server(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        bare = Repo.init(team.folder / "bare", "sha1", "--bare", "-b", "master")
        team.repo.git("push", "-q", str(bare.path), "master")
        monkeypatch.chdir(bare.path)
        assert "fail" in grades(team).values()

    @table(
        ("options", "code"),
        {
            "a step": (("--base=master", "--head=work", "--branch=master"), 3),
            "one that is protected by name": (("--base=master", "--branch=main"), 0),
            "by its full name": (("--base=master", "--branch=refs/heads/main"), 0),
        },
    )
    def test_ci(self, team: Team, options: tuple[str, ...], code: int) -> None:
        told = team.accord("ci", *options, code=code)
        assert ("no branch here is called so" in told) == bool(code)

    def test_ci_of_a_history(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITLAB_CI", "true")
        monkeypatch.setenv("CI_PIPELINE_SOURCE", "schedule")
        monkeypatch.setenv("CI_COMMIT_BRANCH", "master")
        assert "no branch here is called so" in team.accord("ci", code=3)

    def test_a_server(self, team: Team) -> None:
        bare = Repo.init(team.folder / "bare", "sha1", "--bare", "-b", "master")
        team.repo.git("push", "-q", str(bare.path), "master")
        new = team.repo.commit({"code.txt": "x\n"})
        team.repo.git("push", "-q", str(bare.path), f"{new}:refs/keep/x")
        for ref in ("refs/heads/master", "refs/tags/x"):
            update = Update(ref, None, new)
            report = Push(Repository.discover(bare.path), (update,)).judge(update)
            assert "protects main, and no branch" in report.not_measured[0]


class TestSomeAreThere:
    def test_a_missing_one_and_the_default(self, team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        team.repo.git("switch", "-q", "main")
        team.repo.commit(
            {"decisions/policy.yaml": policy.read_text() + "protected:\n  - main\n  - gone\n"}
        )
        team.repo.git("update-ref", "refs/remotes/origin/trunk", "main")
        team.repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
        team.repo.git("switch", "-qC", "work")
        team.repo.commit({"code.txt": "x\n"})
        told = team.accord("ci", "--base=main", "--branch=main")
        assert "protects gone, and no branch here is called so" in told
        assert "the default branch is trunk" in told
        found = team.json("doctor")
        assert isinstance(found, list)
        doubts = [one["grade"] for one in found if "protect" in one["text"]]
        assert doubts == ["warn", "warn"]

    def test_all_is_well(self, team: Team) -> None:
        found = team.json("doctor")
        assert isinstance(found, list)
        assert {"protected branches: main"} == {
            one["text"] for one in found if "protect" in one["text"]
        }


def test_many_refs_at_one_commit_are_judged_once(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = Repo.init(team.folder / "bare", "sha1", "--bare", "-b", "main")
    team.repo.git("push", "-q", str(bare.path), "main")
    team.propose("x")
    new = team.repo.git("rev-parse", "work")
    team.repo.git("push", "-q", str(bare.path), f"{new}:refs/keep/x")
    names = [f"refs/heads/{number}" for number in range(50)]
    updates = [Update(ref, None, new) for ref in (*names, "refs/heads/main")]
    push = Push(Repository.discover(bare.path), updates)
    asked: list[tuple[str, str, str | None]] = []

    def count(
        repository: Repository, base: str, head: str, branch: str | None, root: str | None
    ) -> Report:
        asked.append((base, head, branch))
        return judge_between(repository, base, head, branch, root)

    monkeypatch.setattr("accord.verify.received.judge_between", count)
    reports = [push.judge(update) for update in updates]
    assert len(asked) == 2
    assert [len(report.findings) for report in reports] == [0] * 50 + [1]
