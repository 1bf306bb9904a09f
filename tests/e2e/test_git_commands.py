"""What git commits is what the hook judges, however it is committed; and odd clones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attacks.forge import edit, place
from tests.e2e.team import BRIEF, Team, all_agree, make_team
from tests.support.repos import Repo

VOTE = "rounds/1/votes/reviewer.yaml"


@pytest.fixture
def hooked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    """A decision whose votes are in, and git's hooks in place."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    team = make_team(tmp_path, capsys, monkeypatch)
    team.propose("x")
    team.vote("x", all_agree())
    team.repo.commit({"code.txt": "".join(f"line {number}\n" for number in range(40))})
    team.accord("hook", "install")
    return team


def git(team: Team, *arguments: str, answers: str = "", code: int = 0) -> str:
    """git as a user runs it, with hooks; all that it prints."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=team.repo.path,
        input=answers,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) == bool(code), done.stdout
    return done.stdout


def spoil(team: Team) -> None:
    edit(team, VOTE, "vote: agree", "vote: abstain")


class TestCommit:
    def test_in_parts(self, hooked: Team) -> None:
        """The working tree has a spoiled vote; nobody commits it."""
        spoil(hooked)
        code = hooked.repo.path / "code.txt"
        text = code.read_text()
        code.write_text(text.replace("line 0\n", "first\n").replace("line 39\n", "last\n"))
        git(hooked, "commit", "-p", "-m", "one part", "code.txt", answers="y\nn\n")
        assert hooked.repo.git("show", "HEAD:code.txt").startswith("first\n")
        assert "last" not in hooked.repo.git("show", "HEAD:code.txt")

    def test_all(self, hooked: Team) -> None:
        spoil(hooked)
        assert "bad-signature" in git(hooked, "commit", "-a", "-m", "all", code=1)

    def test_some_paths(self, hooked: Team) -> None:
        """git judges another index than the one in which the spoiled vote is staged."""
        spoil(hooked)
        hooked.repo.git("add", "decisions")
        hooked.repo.write({"code.txt": "new\n"})
        git(hooked, "commit", "-m", "code", "--", "code.txt")
        assert "bad-signature" in git(hooked, "commit", "-m", "the rest", code=1)
        vote = str(place(hooked, VOTE).relative_to(hooked.repo.path))
        assert "bad-signature" in git(hooked, "commit", "-m", "one", "--", vote, code=1)

    def test_again(self, hooked: Team) -> None:
        git(hooked, "commit", "--amend", "-m", "other words")
        spoil(hooked)
        assert "bad-signature" in git(hooked, "commit", "-a", "--amend", "-m", "more", code=1)

    def test_a_merge(self, hooked: Team) -> None:
        hooked.repo.git("switch", "-q", "main")
        git(hooked, "merge", "-q", "--no-edit", "--no-ff", "work", code=1)
        assert "undecided" in git(hooked, "merge", "--continue", code=1)
        hooked.repo.git("merge", "--abort")
        hooked.repo.git("switch", "-q", "work")
        hooked.affirm("x")
        hooked.repo.git("switch", "-q", "main")
        git(hooked, "merge", "-q", "--no-edit", "--no-ff", "work")

    def test_nothing_is_written_by_a_check(self, hooked: Team) -> None:
        """No file, no index, no stash, no ref, whatever a hook found."""
        spoil(hooked)
        hooked.repo.git("add", "decisions")
        hooked.repo.write({"code.txt": "new\n"})

        def look() -> tuple[str, ...]:
            return tuple(
                hooked.repo.git(*command)
                for command in (
                    ("status", "--porcelain=v2", "--untracked-files=all"),
                    ("ls-files", "--stage"),
                    ("show-ref", "--head"),
                    ("stash", "list"),
                )
            )

        before = look()
        git(hooked, "commit", "-m", "refused", code=1)
        hooked.accord("verify", "--range", "main..HEAD")
        assert look() == before


class TestClones:
    @pytest.fixture
    def decided(self, team: Team) -> Team:
        evidence = [{"id": "source", "kind": "primary", "artifact": "données/ä b.txt"}]
        team.repo.commit({"données/ä b.txt": "une source\n"})
        draft = team.write("x.json", BRIEF | {"evidence": evidence})
        team.accord(
            "propose", "x", "--class=architecture", "--from", str(draft), "--open", "--commit"
        )
        team.vote("x", all_agree())
        team.affirm("x")
        return team

    def judge(self, team: Team, clone: Repo, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> str:
        monkeypatch.chdir(clone.path)
        span = "origin/main..origin/work"
        return team.accord("verify", "--range", span, "--branch=main", code=code)

    def test_names_that_are_not_ascii(self, decided: Team) -> None:
        assert "no errors" in decided.accord("verify", "--range", "main..HEAD", "--branch=main")

    @pytest.mark.parametrize("setting", ["true", "input"])
    def test_other_line_endings(
        self, decided: Team, monkeypatch: pytest.MonkeyPatch, setting: str
    ) -> None:
        options = ("-c", f"core.autocrlf={setting}", "-c", "core.eol=crlf", "--branch=work")
        clone = Repo.clone(decided.repo, decided.folder / "clone", *options)
        assert "no errors" in self.judge(decided, clone, monkeypatch)
        assert clone.git("status", "--porcelain", "decisions") == ""
        assert "0 files checked" in decided.accord("verify", "--staged")

    def test_a_sparse_one(self, decided: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        clone = Repo.clone(decided.repo, decided.folder / "clone", "--sparse", "--branch=work")
        assert not (clone.path / "decisions").exists()
        assert "no errors" in self.judge(decided, clone, monkeypatch)
        assert decided.status_of("x") == "accepted"

    def test_a_partial_one(self, decided: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is missing is not fetched behind somebody's back, and said to be missing."""
        decided.repo.git("config", "uploadpack.allowFilter", "true")
        options = ("--filter=blob:none", "--no-checkout")
        clone = Repo.clone(decided.repo, decided.folder / "clone", *options)
        told = self.judge(decided, clone, monkeypatch, code=3)
        assert "git fetch --refetch --no-filter" in told
        clone.git("fetch", "-q", "--refetch", "--no-filter")
        assert "no errors" in self.judge(decided, clone, monkeypatch)
