"""Hooks for people without pre-commit: installed where git looks, and never over others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.team import MAJOR, Team, all_agree, make_team
from tests.support.repos import Repo

SHIMS = Path(__file__).parents[2] / "hooks"
STAGES = {"commit-msg", "pre-commit", "pre-merge-commit", "pre-push"}


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    return make_team(tmp_path, capsys, monkeypatch)


def git(team: Team, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git as a user does, with hooks; all that it prints is on `stdout`."""
    return subprocess.run(
        ["git", *arguments],
        cwd=team.repo.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


class TestInstall:
    def test_all_stages_and_twice(self, team: Team) -> None:
        printed = team.accord("hook", "install")
        folder = team.repo.path / ".git/hooks"
        for stage in STAGES:
            assert f"hooks/{stage}" in printed
            assert os.access(folder / stage, os.X_OK)
            assert (folder / stage).read_bytes() == (SHIMS / stage).read_bytes()
        again = team.accord("hook", "install")
        assert again.count("runs accord already") == len(STAGES)
        assert "wrote" not in again

    def test_what_is_there_is_left_alone(self, team: Team) -> None:
        own = team.repo.hook("pre-push", "exit 0")
        before = own.read_bytes()
        printed = team.accord("hook", "install", code=1)
        assert 'add to it: accord hook run accord-range "$@"' in printed
        assert own.read_bytes() == before
        assert (own.parent / "pre-commit").exists()

    def test_a_link_is_not_followed(self, team: Team) -> None:
        target = team.folder / "elsewhere"
        (team.repo.path / ".git/hooks").mkdir(exist_ok=True)
        (team.repo.path / ".git/hooks/pre-commit").symlink_to(target)
        assert "was left alone" in team.accord("hook", "install", code=1)
        assert not target.exists()

    def test_core_hooks_path(self, team: Team) -> None:
        team.repo.git("config", "core.hooksPath", "own-hooks")
        team.accord("hook", "install")
        assert (team.repo.path / "own-hooks/pre-commit").exists()

    def test_hooks_of_all_repositories_are_not_touched(self, team: Team) -> None:
        team.repo.git("config", "core.hooksPath", str(team.folder / "shared"))
        printed = team.accord("hook", "install", code=2)
        assert "which other repositories use too" in printed
        assert not (team.folder / "shared").exists()

    def test_a_linked_worktree(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        team.repo.git("worktree", "add", "-q", str(team.folder / "tree"), "main")
        monkeypatch.chdir(team.folder / "tree")
        team.accord("hook", "install")
        assert (team.repo.path / ".git/hooks/pre-commit").exists()

    def test_a_clean_merge_is_judged(self, team: Team) -> None:
        team.propose("x")
        team.vote("x", all_agree())
        team.repo.git("switch", "-q", "main")
        team.repo.commit({"other.txt": "elsewhere\n"})
        team.accord("hook", "install")
        done = git(team, "merge", "-m", "merge", "work")
        assert done.returncode != 0
        assert "undecided-on-protected-branch" in done.stdout


class TestPush:
    @pytest.fixture
    def remote(self, team: Team) -> Repo:
        """A bare repository that has the main branch, and the hooks in place here."""
        bare = Repo.init(team.folder / "remote.git", "sha1", "--bare", "--initial-branch=main")
        team.repo.git("remote", "add", "origin", str(bare.path))
        team.repo.git("push", "-q", "origin", "main")
        team.accord("hook", "install")
        return bare

    def test_a_decided_branch_and_what_follows(self, team: Team, remote: Repo) -> None:
        team.propose("x")
        team.vote("x", all_agree())
        team.affirm("x")
        done = git(team, "push", "origin", "work")
        assert done.returncode == 0, done.stdout
        assert "no errors" in " ".join(done.stdout.split())
        team.repo.commit({"other.txt": "elsewhere\n"})
        assert git(team, "push", "origin", "work").returncode == 0
        assert remote.git("rev-parse", "work") == team.repo.git("rev-parse", "work")

    def test_what_was_committed_without_hooks_is_refused(self, team: Team, remote: Repo) -> None:
        team.propose("x")
        team.vote("x", all_agree() | {"challenger": MAJOR})
        for kind in ("votes", "seals"):
            for suffix in ("", ".sig"):
                team.file("x", f"rounds/1/{kind}/challenger.yaml{suffix}").unlink()
        team.repo.git("add", "-A")
        team.repo.git("commit", "-q", "--no-verify", "-m", "it never was")
        done = git(team, "push", "origin", "work")
        assert done.returncode != 0
        assert "signed-file-deleted" in done.stdout
        assert remote.git("branch", "--list", "work") == ""

    def test_an_undecided_branch_may_not_land_on_main(self, team: Team, remote: Repo) -> None:
        team.propose("x")
        assert git(team, "push", "origin", "work").returncode == 0
        done = git(team, "push", "origin", "work:main")
        assert "undecided-on-protected-branch" in done.stdout
        assert remote.git("log", "--format=%s", "-1", "main") == "a step"

    def test_tags_and_deletions_land_nowhere(self, team: Team, remote: Repo) -> None:
        team.repo.git("push", "-q", "origin", "work")
        team.repo.git("tag", "v1")
        assert git(team, "push", "origin", "v1").returncode == 0
        assert git(team, "push", "origin", ":work").returncode == 0
        assert remote.git("branch", "--list", "work") == ""

    def test_the_first_push_to_an_empty_remote(self, team: Team) -> None:
        bare = Repo.init(team.folder / "empty.git", "sha1", "--bare")
        team.repo.git("remote", "add", "origin", str(bare.path))
        team.accord("hook", "install")
        done = git(team, "push", "origin", "main")
        assert done.returncode == 0
        assert "main: origin has nothing yet" in done.stdout
        assert "accord verify --history" in done.stdout

    def test_what_is_pushed_may_be_named_with_spaces(self, team: Team, remote: Repo) -> None:
        team.propose("x")
        done = git(team, "push", "origin", "work@{0 seconds ago}:main")
        assert "undecided-on-protected-branch" in done.stdout
        assert remote.git("log", "--format=%s", "-1", "main") == "a step"


class TestPreCommit:
    """pre-commit hands over what is pushed in the environment, and closes standard input."""

    @pytest.fixture(autouse=True)
    def _inside(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        team.propose("x")
        monkeypatch.setenv("PRE_COMMIT", "1")

    def test_a_push(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", team.repo.git("rev-parse", "main"))
        monkeypatch.setenv("PRE_COMMIT_TO_REF", team.repo.git("rev-parse", "HEAD"))
        monkeypatch.setenv("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/main")
        printed = team.accord("hook", "run", "accord-range", code=1)
        assert "undecided-on-protected-branch" in printed

    def test_a_tag(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
        monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
        monkeypatch.setenv("PRE_COMMIT_REMOTE_BRANCH", "refs/tags/v1")
        assert team.accord("hook", "run", "accord-range") == ""

    def test_a_run_by_hand_lands_where_it_is(
        self, team: Team, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`pre-commit run --hook-stage pre-push --from-ref main --to-ref HEAD`."""
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", "main")
        monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
        assert "no errors" in team.accord("hook", "run", "accord-range")
        team.repo.git("branch", "-q", "-m", "main", "before")
        team.repo.git("branch", "-q", "-m", "work", "main")
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", "before")
        printed = team.accord("hook", "run", "accord-range", code=1)
        assert "undecided-on-protected-branch" in printed

    def test_a_remote_that_has_nothing(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PRE_COMMIT_REMOTE_NAME", "mirror")
        monkeypatch.setenv("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/work")
        monkeypatch.setenv("PRE_COMMIT_REMOTE_BRANCH", "refs/heads/work")
        printed = team.accord("hook", "run", "accord-range")
        assert "work: mirror has nothing yet" in printed
