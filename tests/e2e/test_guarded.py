"""Guarded code: in a range, in a history, by the hook at commit-msg, on a server and in CI."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.escalated import correlated, make_counted_team
from tests.e2e.team import MAJOR, Team, all_agree, make_team
from tests.e2e.test_ledger import IMPORTED
from tests.support.keys import FixedKey

GUARDED = """\
guarded:
  - paths: ["src/db/**"]
    class: architecture
  - paths: [deploy.yml]
    class: architecture
    by: enacts
"""
SQL = "src/db/orders.sql"


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    team = make_team(tmp_path, capsys, monkeypatch)
    policy = team.decisions / "policy.yaml"
    policy.write_text(policy.read_text() + GUARDED)
    team.repo.git("commit", "-q", "--amend", "-a", "-m", "policy")
    team.repo.git("branch", "-f", "main")
    return team


def decide(team: Team, name: str = "x", **changes: object) -> str:
    return team.decide(name, **({"affects": ["src/db/**"]} | changes))


def change(team: Team, message: str = "a change", path: str = SQL, text: str = "new\n") -> None:
    team.repo.commit({path: text}, message)


def errors(team: Team, *options: str, code: int = 1) -> dict[str, str]:
    report = team.json(
        "verify", *(options or ("--range", "main..HEAD", "--branch=main")), code=code
    )
    assert isinstance(report, dict)
    return {one["code"]: one["message"] for one in report["findings"] if one["severity"] == "error"}


def land(team: Team) -> None:
    """What the branch has is on main."""
    team.repo.git("branch", "-f", "main", "work")


class TestRange:
    def test_no_decision(self, team: Team) -> None:
        change(team)
        assert errors(team) == {"guarded-path": errors(team)["guarded-path"]}

    def test_elsewhere_nobody_asks(self, team: Team) -> None:
        change(team, path="src/app.py")
        assert errors(team, code=0) == {}

    def test_a_decision_that_comes_along(self, team: Team) -> None:
        change(team)
        decide(team)
        assert errors(team, code=0) == {}

    def test_one_about_something_else(self, team: Team) -> None:
        change(team)
        decide(team, affects=["docs/**"])
        assert set(errors(team)) == {"guarded-path"}

    def test_one_that_is_not_decided(self, team: Team) -> None:
        change(team)
        team.propose("x", affects=["src/db/**"])
        found = errors(team)
        assert set(found) == {"guarded-path", "undecided-on-protected-branch"}
        assert "-x is open" in found["guarded-path"]

    def test_an_older_one_that_the_commit_names(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        change(team)
        assert set(errors(team)) == {"guarded-path"}
        team.repo.git("commit", "-q", "--amend", "-m", f"a change\n\nAccord-Decision: {decision}\n")
        assert errors(team, code=0) == {}

    def test_words_in_a_message_are_no_trailer(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        change(team, f"Accord-Decision: {decision}\nand more\n\nbecause")
        assert set(errors(team)) == {"guarded-path"}

    def test_one_that_was_superseded(self, team: Team) -> None:
        old = decide(team)
        team.repo.commit({"news.txt": "what has come up since\n"})
        evidence = [
            {"id": "source", "kind": "primary", "artifact": "source.txt"},
            {"id": "news", "kind": "primary", "artifact": "news.txt"},
        ]
        decide(team, "y", supersedes=old, text="Make it faster.", evidence=evidence)
        land(team)
        change(team, f"a change\n\nAccord-Decision: {old}\n")
        assert f"{old} is superseded by" in errors(team)["guarded-path"]

    def test_one_whose_key_was_revoked_since(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        team.repo.git("switch", "-q", "main")
        policy = team.decisions / "policy.yaml"
        line = f"- ssh: {FixedKey('reviewer').line}"
        revoked = line + '\n        revoked_from: "2020-01-01T00:00:00Z"'
        text = policy.read_text()
        assert line in text
        team.repo.commit({"decisions/policy.yaml": text.replace(line, revoked)})
        team.repo.git("switch", "-qC", "work", "main")
        change(team, f"a change\n\nAccord-Decision: {decision}\n")
        assert "a key that was revoked" in errors(team)["guarded-path"]

    def test_one_that_was_rejected(self, team: Team) -> None:
        team.propose("x", affects=["src/db/**"])
        team.vote("x", all_agree() | {"challenger": MAJOR})
        team.accord("withdraw", "x", "--reason", "no", "--as=orchestrator", "--commit")
        change(team)
        assert "-x is withdrawn" in errors(team)["guarded-path"]

    def test_these_bytes(self, team: Team) -> None:
        text = "image: v2\n"
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        decide(team, enacts=[{"path": "deploy.yml", "digest": digest}])
        change(team, path="deploy.yml", text=text)
        assert errors(team, code=0) == {}
        change(team, path="deploy.yml", text="image: evil\n")
        assert set(errors(team)) == {"enacts-differs"}

    def test_these_bytes_decided_earlier_and_named_by_nobody(self, team: Team) -> None:
        text = "image: v2\n"
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        decide(team, enacts=[{"path": "deploy.yml", "digest": digest}])
        land(team)
        change(team, path="deploy.yml", text="image: evil\n")
        assert set(errors(team)) == {"guarded-path"}
        change(team, path="deploy.yml", text=text)
        assert errors(team, code=0) == {}
        change(team, path="deploy-too.yml", text=text)
        assert errors(team, code=0) == {}

    def test_these_bytes_under_another_guarded_name(self, team: Team) -> None:
        text = "image: v2\n"
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        decide(team, enacts=[{"path": "other.yml", "digest": digest}])
        land(team)
        change(team, path="deploy.yml", text=text)
        assert set(errors(team)) == {"guarded-path"}

    def test_these_bytes_with_another_mode(self, team: Team) -> None:
        text = "image: v2\n"
        entry = {
            "path": "deploy.yml",
            "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest(),
        }
        decide(team, enacts=[entry])
        decide(team, "y", enacts=[entry | {"mode": "100755"}], text="Run it.")
        land(team)
        change(team, path="deploy.yml", text=text)
        assert errors(team, code=0) == {}
        team.repo.git("update-index", "--chmod=+x", "deploy.yml")
        team.repo.git("commit", "-qm", "run it")
        assert errors(team, code=0) == {}
        (team.repo.path / "deploy.yml").unlink()
        (team.repo.path / "deploy.yml").symlink_to(text)
        team.repo.git("commit", "-qam", "a link to the same words")
        found = errors(team)
        assert set(found) == {"enacts-differs"}
        assert "they are a link" in found["enacts-differs"]

    def test_a_name_in_a_squash(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        trailer = f"Accord-Decision: {decision}"
        change(team, f"a change (#7)\n\n* one\n\n{trailer}\n\nCo-authored-by: O <o@example.org>\n")
        assert errors(team, code=0) == {}
        team.repo.git("commit", "-q", "--amend", "-m", f"a change\n\n> {trailer}\n\nSo they said.")
        assert set(errors(team)) == {"guarded-path"}

    @pytest.mark.parametrize("path", ["SRC/db/a.sql", "src\\db\\a.sql", "src/db./a.sql"])
    def test_a_path_that_some_file_system_takes_for_a_guarded_one(
        self, team: Team, path: str
    ) -> None:
        blob = team.repo.git("hash-object", "-w", "source.txt")
        team.repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        team.repo.git("commit", "-qm", "beside it")
        decide(team)
        assert set(errors(team)) == {"guarded-path"}

    def test_a_link_in_the_place_of_these_bytes(self, team: Team) -> None:
        text = "image: v2\n"
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        decide(team, enacts=[{"path": "deploy.yml", "digest": digest}])
        (team.repo.path / "deploy.yml").symlink_to(text.strip())
        team.repo.commit({})
        team.repo.git("add", "deploy.yml")
        team.repo.commit({})
        assert set(errors(team)) == {"enacts-differs"}

    @pytest.mark.parametrize("place", ["src", "src/db"])
    def test_a_link_in_the_place_of_a_guarded_folder(self, team: Team, place: str) -> None:
        path = team.repo.path / place
        path.parent.mkdir(exist_ok=True)
        path.symlink_to("elsewhere")
        team.repo.git("add", place)
        team.repo.commit({})
        assert set(errors(team)) == {"guarded-path"}
        (team.repo.path / "free").symlink_to("elsewhere")
        team.repo.git("rm", "-q", place)
        team.repo.git("add", "free")
        team.repo.commit({})
        assert errors(team, code=0) == {}

    def test_a_file_that_is_removed(self, team: Team) -> None:
        change(team)
        decide(team)
        land(team)
        team.repo.git("rm", "-q", SQL)
        team.repo.commit({})
        assert set(errors(team)) == {"guarded-path"}
        decision = team.id_of("x")
        team.repo.git("commit", "-q", "--amend", "-m", f"gone\n\nAccord-Decision: {decision}\n")
        assert errors(team, code=0) == {}

    def test_one_that_has_an_error(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        team.repo.git("switch", "-q", "main")
        record = team.file("x", "record.yaml")
        record.write_text(record.read_text() + "# edited\n")
        team.repo.git("commit", "-qam", "somebody edits a record")
        team.repo.git("switch", "-qC", "work", "main")
        change(team, f"a change\n\nAccord-Decision: {decision}\n")
        assert f"{decision} has an error" in errors(team)["guarded-path"]

    def test_a_draft(self, team: Team) -> None:
        draft = team.write("x.json", {"context": "c", "text": "t", "affects": ["src/db/**"]})
        options = ("--class=architecture", "--from", str(draft), "--as=dana", "--commit")
        team.accord("propose", "x", *options)
        change(team)
        assert "guarded-path" in errors(team)

    def test_a_branch_that_nobody_names(self, team: Team) -> None:
        change(team)
        team.repo.git("switch", "-q", "--detach")
        report = team.json("verify", "--range", "main..HEAD", code=3)
        assert isinstance(report, dict)
        assert SQL in report["not_measured"][0]

    def test_a_branch_that_is_not_protected(self, team: Team) -> None:
        change(team)
        assert errors(team, "--range", "main..HEAD", code=0) == {}

    def test_in_ci(self, team: Team) -> None:
        change(team)
        told = team.accord("ci", "--base=main", "--branch=main", code=1)
        assert "guarded-path" in told
        assert "trailer-only" not in told

    def test_ci_says_what_a_squash_must_keep(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        team.repo.git("tag", "before")
        trailer = f"Accord-Decision: {decision}"
        change(team, f"a change\n\n{trailer}\n")
        told = team.accord("ci", "--base=main", "--branch=main")
        assert "warning[trailer-only]" in told
        assert trailer in told
        assert "trailer-only" not in team.accord("ci", "--base=main", "--branch=elsewhere")
        land(team)
        assert "trailer-only" not in team.accord("ci", "--base=before", "--branch=main")


class TestRuled:
    """What a decider's word allows, and what an import does not."""

    @pytest.fixture
    def counted(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> Team:
        team = make_counted_team(tmp_path, capsys, monkeypatch)
        policy = team.decisions / "policy.yaml"
        policy.write_text(policy.read_text() + GUARDED)
        team.repo.git("commit", "-q", "--amend", "-a", "-m", "policy")
        team.repo.git("branch", "-f", "main")
        return team

    @pytest.mark.parametrize(("word", "code"), [("--accept", 0), ("--reject", 1)])
    def test_a_ruling(self, counted: Team, word: str, code: int) -> None:
        decision = correlated(counted, affects=["src/db/**"])
        text = counted.write("synthesis.txt", "They agree, and two lean on a summary.\n")
        counted.accord("synthesize", "x", "--text", str(text), "--commit")
        counted.accord("rule", "x", word, "--reason=I looked.", "--as=dana", "--commit")
        land(counted)
        change(counted, f"a change\n\nAccord-Decision: {decision}\n")
        found = errors(counted, code=code)
        assert ("is rejected" in found.get("guarded-path", "")) is bool(code)

    def test_an_import(self, team: Team) -> None:
        older = "2026-01-01-older"
        record = IMPORTED.format(id=older, zeros="0" * 64)
        team.repo.commit({f"decisions/{older}/record.yaml": record})
        land(team)
        change(team, f"a change\n\nAccord-Decision: {older}\n")
        assert set(errors(team)) == {"guarded-path"}


class TestHistory:
    def test_commits_that_may_have_landed_together(self, team: Team) -> None:
        """What a range took in several commits turns no later audit red."""
        decide(team)
        change(team)
        assert errors(team, code=0) == {}
        land(team)
        team.repo.git("switch", "-q", "main")
        assert errors(team, "--history", code=0) == {}
        assert set(errors(team, "--branch=main")) == {"guarded-path"}

    def test_a_merge_without_a_decision(self, team: Team) -> None:
        change(team)
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        assert set(errors(team, "--history")) == {"guarded-path"}

    def test_a_merge_with_one(self, team: Team) -> None:
        change(team)
        decide(team)
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        assert errors(team, "--history", code=0) == {}

    def test_a_tree_alone_shows_no_change(self, team: Team) -> None:
        report = team.json("verify", "--rev", "HEAD", code=3)
        assert isinstance(report, dict)
        assert any(one.startswith("guarded paths:") for one in report["not_measured"])


class TestHook:
    def commit(self, team: Team, message: str, code: int) -> str:
        """Stage the change, and run the hook as git does, on a file with the message."""
        team.repo.add({SQL: "new\n"})
        file = team.write("message", message)
        return team.accord("hook", "run", "accord-commit-msg", str(file), code=code)

    def test_no_decision(self, team: Team) -> None:
        assert "error[guarded-path]" in self.commit(team, "a change\n", 1)

    def test_nothing_guarded(self, team: Team) -> None:
        file = team.write("message", "x\n")
        team.repo.add({"src/app.py": "new\n"})
        assert team.accord("hook", "run", "accord-commit-msg", str(file)) == ""

    def test_a_decision_under_way_on_this_branch(self, team: Team) -> None:
        team.propose("x", affects=["src/db/**"])
        assert self.commit(team, "a change\n", 0) == ""

    def test_on_the_protected_branch_it_has_to_be_decided(self, team: Team) -> None:
        team.propose("x", affects=["src/db/**"])
        land(team)
        team.repo.git("switch", "-q", "main")
        told = self.commit(team, f"a change\n\nAccord-Decision: {team.id_of('x')}\n", 1)
        assert "-x is open" in told

    def test_an_older_one_that_is_named(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        assert "guarded-path" in self.commit(team, "a change\n", 1)
        comment = f"# Accord-Decision: {decision}\n"
        assert "guarded-path" in self.commit(team, f"a change\n\n{comment}", 1)
        assert self.commit(team, f"a change\n\nAccord-Decision: {decision}\n", 0) == ""

    def test_what_commit_v_shows_below_is_no_message(self, team: Team) -> None:
        decision = decide(team)
        land(team)
        dashes = "-" * 24
        shown = f"# {dashes} >8 {dashes}\n# Do not.\ndiff --git a b\n+x\n"
        assert self.commit(team, f"a change\n\nAccord-Decision: {decision}\n{shown}", 0) == ""

    def test_what_a_merge_brings_was_named_there(self, team: Team) -> None:
        """Guarded code of main, allowed by an older decision, is merged into a branch."""
        decision = decide(team)
        land(team)
        team.repo.git("switch", "-qc", "topic", "work")
        team.repo.commit({"other.txt": "x\n"})
        team.repo.git("switch", "-q", "work")
        change(team, f"a change\n\nAccord-Decision: {decision}\n")
        land(team)
        team.repo.git("switch", "-q", "topic")
        team.repo.git("merge", "-q", "--no-commit", "--no-ff", "main")
        file = str(team.write("message", "Merge branch 'main'\n"))
        assert team.accord("hook", "run", "accord-commit-msg", file) == ""

    def test_git_runs_it(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:

        bin_ = str(Path(sys.executable).parent)
        monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")
        team.accord("hook", "install")
        team.repo.add({SQL: "new\n"})
        done = subprocess.run(
            ["git", "commit", "-m", "a change"],
            cwd=team.repo.path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert "guarded-path" in done.stdout + done.stderr

    def test_without_a_message(self, team: Team) -> None:
        assert "no file with a message" in team.accord("hook", "run", "accord-commit-msg", code=2)
        team.repo.add({SQL: "new\n"})
        told = team.accord("hook", "run", "accord-commit-msg", "gone", code=2)
        assert "gone cannot be read" in told
