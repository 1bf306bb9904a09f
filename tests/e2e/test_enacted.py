"""What voters and deciders see of the files that a decision would bring into force."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.attacks.forge import edit_policy
from tests.e2e.team import Team, all_agree, make_team

POLICY = "decisions/policy.yaml"
HINT = "not at hand"


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    return make_team(tmp_path, capsys, monkeypatch)


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def draft_policy(team: Team, *changes: tuple[str, str]) -> bytes:
    """A changed policy in the working tree, and the decision that would enact it."""
    edit_policy(team, ("serial: 1", "serial: 2"), *changes)
    data = (team.decisions / "policy.yaml").read_bytes()
    enacts = [{"path": POLICY, "digest": digest(data)}]
    team.propose("x", "--class=governance", enacts=enacts)
    return data


def packet(team: Team, *options: str) -> str:
    plain = team.json("packet", "x", *(options or ("--voter=challenger",)))
    assert isinstance(plain, list)
    return str(plain[0]["packet"])


class TestPolicy:
    def test_in_the_working_tree(self, team: Team) -> None:
        data = draft_policy(team, ("bug fixes", "typing errors"))
        told = packet(team)
        assert "Found in the working tree. Open it with `cat decisions/policy.yaml`" in told
        assert "serial: 1 → 2\n" in told
        assert "no_vote_needed.bug fixes: removed\n" in told
        assert "+  - typing errors\n" in told
        assert data.decode() in told
        shown = team.accord("show", "x")
        assert "Would bring into force" in shown
        assert "- serial: 1 → 2" in shown

    @pytest.mark.parametrize("keep", ["a branch", "the index", "the evidence", "a remote"])
    def test_elsewhere(self, team: Team, keep: str) -> None:
        data = draft_policy(team, ("bug fixes", "typing errors"))
        git = team.repo.git
        if keep == "the evidence":
            (team.file("x", "evidence")).mkdir()
            team.file("x", "evidence/policy.yaml").write_bytes(data)
            git("restore", POLICY)
            git("add", "decisions")
            assert "Found in the decision's evidence." in packet(team)
            return
        git("add", POLICY)
        if keep == "the index":
            assert "Found among what is staged." in packet(team)
            return
        tree = git("write-tree")
        commit = git("commit-tree", tree, "-p", "HEAD", "-m", "the policy")
        name = "refs/heads/policy" if keep == "a branch" else "refs/remotes/origin/policy"
        git("update-ref", name, commit)
        git("restore", "--staged", "--worktree", POLICY)
        place = "policy" if keep == "a branch" else "origin/policy"
        told = packet(team)
        assert f"Found on the branch {place}. Open it with `git cat-file blob " in told
        assert "serial: 1 → 2\n" in told

    def test_nowhere(self, team: Team) -> None:
        draft_policy(team, ("bug fixes", "typing errors"))
        team.repo.git("restore", POLICY)
        assert "**These bytes are not at hand**" in packet(team)
        assert "its bytes are not at hand" in team.accord("show", "x")
        shown = team.json("show", "x")
        assert isinstance(shown, dict)
        assert [one["fate"] for one in shown["enacts"]] == ["missing"]

    def test_a_link_leads_nowhere(self, team: Team) -> None:
        data = draft_policy(team, ("bug fixes", "typing errors"))
        (team.folder / "outside").write_bytes(data)
        (team.decisions / "policy.yaml").unlink()
        (team.decisions / "policy.yaml").symlink_to(team.folder / "outside")
        assert "**These bytes are not at hand**" in packet(team)

    def test_comments_alone(self, team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        data = policy.read_bytes() + b"# a word\n"
        policy.write_bytes(data)
        team.propose("x", "--class=governance", enacts=[{"path": POLICY, "digest": digest(data)}])
        assert "nothing but comments and layout\n" in packet(team)

    def test_one_that_cannot_be_read(self, team: Team) -> None:
        draft_policy(team, ("members:", "membres:"))
        assert "accord cannot read it: nothing could be judged by it\n" in packet(team)

    def test_what_is_in_force_already(self, team: Team) -> None:
        data = (team.decisions / "policy.yaml").read_bytes()
        team.propose("x", "--class=governance", enacts=[{"path": POLICY, "digest": digest(data)}])
        assert "It is what is in force already." in packet(team)

    def test_who_affirms_sees_it_too(self, team: Team) -> None:
        data = draft_policy(team, ("bug fixes", "typing errors"))
        team.vote("x", all_agree())
        told = packet(team)
        assert "all votes are open" in told
        assert data.decode() in told
        team.affirm("x")
        shown = team.json("show", "x")
        assert isinstance(shown, dict)
        assert shown["enacts"] == []


class TestFiles:
    @pytest.mark.parametrize(
        ("data", "mode", "expected"),
        [
            (b"a\n", "100755", "An executable, sha256:"),
            (b"\xff\xfe", "100644", "It has 2 bytes, and is no text."),
            (b"x" * 70_000, "100644", "It has 70,000 bytes, and is too long to be shown here."),
            (b"```\n::error::x\n", "100644", "````text\n```\n::error::x\n````"),
        ],
    )
    def test_a_new_file(self, team: Team, data: bytes, mode: str, expected: str) -> None:
        (team.repo.path / "run").write_bytes(data)
        enacts = [{"path": "run", "digest": digest(data), "mode": mode}]
        team.propose("x", enacts=enacts)
        assert expected in packet(team)

    def test_a_submodule_and_a_link(self, team: Team) -> None:
        """Neither has bytes that could be another file's."""
        head = team.repo.git("rev-parse", "HEAD")
        team.repo.stage_entry("160000", head, "run")
        team.repo.git("commit", "-qm", "a submodule")
        enacts = [{"path": "run", "digest": digest(b"away"), "mode": "120000"}]
        team.propose("x", enacts=enacts)
        assert HINT in packet(team)
        oid = team.repo.blob(b"away")
        team.repo.stage_entry("120000", oid, "run")
        assert "A link, whose bytes are the path that it names, sha256:" in packet(team)
