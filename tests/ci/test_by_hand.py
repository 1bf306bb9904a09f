"""`accord ci` with what was typed, what it writes, and what it puts in place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.ci.conftest import Hub
from tests.ci.test_github import decide

ROOT = Path(__file__).parents[2]


class TestTyped:
    def test_a_step(self, hub: Hub) -> None:
        decide(hub)
        main = hub.git("rev-parse", "main")
        checked = hub.checked("--base", "main", "--head", "work", "--branch", "main")
        assert checked == (hub.git("rev-parse", "work"), main)

    def test_a_branch_that_is_behind(self, hub: Hub) -> None:
        decide(hub)
        hub.git("switch", "-q", "main")
        hub.team.repo.commit({"other.txt": "elsewhere\n"})
        told = hub.team.accord("ci", "--base", "main", "--head", "work")
        assert f"is the merge of {hub.git('rev-parse', 'work')[:12]} into" in told

    def test_a_file_that_the_target_has_moved_below_a_guard(self, hub: Hub) -> None:
        """The branch edits it where it was; git brings the edit to where it is now."""
        lines = "".join(f"line {number}\n" for number in range(20))
        policy = hub.team.decisions / "policy.yaml"
        guard = 'guarded:\n  - paths: ["src/**"]\n    class: architecture\n'
        hub.git("switch", "-q", "main")
        hub.team.repo.commit(
            {"decisions/policy.yaml": policy.read_text() + guard, "lib/a.txt": lines}
        )
        hub.git("switch", "-qC", "work", "main")
        hub.team.repo.commit({"lib/a.txt": lines.replace("line 3\n", "evil\n")})
        hub.git("switch", "-q", "main")
        hub.git("mv", "lib", "src")
        hub.git("commit", "-qm", "moved")
        hub.push("main")
        options = ("--base=main", "--head=work", "--branch=main")
        assert hub.errors(*options) == {"guarded-path"}

    def test_what_an_undecided_branch_is_for_is_asked(self, hub: Hub) -> None:
        hub.team.propose("x")
        told = hub.team.accord("ci", "--base", "main", code=3)
        assert "not everything could be judged" in told

    def test_two_histories(self, hub: Hub) -> None:
        hub.git("switch", "-q", "--orphan", "other")
        hub.team.repo.commit({"a.txt": "a\n"})
        assert "no commit in common" in hub.team.accord("ci", "--base", "main", code=2)

    def test_outside_of_a_service(self, hub: Hub) -> None:
        assert "neither a job of GitHub" in hub.team.accord("ci", code=2)

    def test_a_head_alone(self, hub: Hub) -> None:
        assert "go with --base" in hub.team.accord("ci", "--head", "work", code=2)


class TestFiles:
    def test_every_format_to_a_file(self, hub: Hub, tmp_path: Path) -> None:
        hub.team.propose("x")
        formats = ("text", "json", "github", "sarif", "gitlab", "rdjsonl", "summary")
        wanted = [f"--write={one}={tmp_path / one}" for one in formats]
        hub.team.accord("ci", "--base=main", "--branch=main", *wanted, code=1)
        for one in formats:
            assert "undecided" in (tmp_path / one).read_text()

    def test_a_summary_is_added_to_and_a_report_replaced(self, hub: Hub, tmp_path: Path) -> None:
        summary, report = tmp_path / "summary", tmp_path / "report"
        for path in (summary, report):
            path.write_text("before\n")
        hub.team.accord("ci", "--base=main", f"--write=summary={summary}", f"--write=text={report}")
        assert summary.read_text().startswith("before\n## accord: no errors")
        assert "before" not in report.read_text()

    def test_one_format_to_two_files(self, hub: Hub, tmp_path: Path) -> None:
        wanted = [f"--write=text={tmp_path / name}" for name in ("one", "two")]
        hub.team.accord("ci", "--base=main", *wanted)
        assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()

    def test_no_link_is_followed(self, hub: Hub, tmp_path: Path) -> None:
        """A checkout of somebody's pull request may hold a link of that name."""
        (tmp_path / "victim").write_text("mine\n")
        (hub.team.repo.path / "accord.sarif").symlink_to(tmp_path / "victim")
        told = hub.team.accord("ci", "--base=main", "--write=sarif=accord.sarif", code=2)
        assert "cannot be written" in told
        assert (tmp_path / "victim").read_text() == "mine\n"

    @pytest.mark.parametrize("wrong", ["sarif", "sarif=", "yaml=x"])
    def test_what_is_no_format(self, hub: Hub, wrong: str) -> None:
        assert "is no FORMAT=FILE" in hub.team.accord("ci", "--write", wrong, code=2)


class TestInstall:
    def test_github(self, hub: Hub) -> None:
        told = hub.team.accord("ci", "--install", "github")
        assert "wrote .github/workflows/accord.yml" in told
        workflow = YAML(typ="safe").load(
            hub.team.repo.path / ".github" / "workflows" / "accord.yml"
        )
        assert workflow["permissions"] == {"contents": "read"}
        assert set(workflow[True] if True in workflow else workflow["on"]) == {
            "pull_request",
            "merge_group",
            "push",
        }

    def test_nothing_is_judged_besides(self, hub: Hub) -> None:
        told = hub.team.accord("ci", "--install", "github", "--base=main", code=2)
        assert "no other option goes with it" in told

    def test_what_is_there_stays(self, hub: Hub) -> None:
        hub.team.repo.write({".gitlab/accord.yml": "mine\n"})
        told = hub.team.accord("ci", "--install", "gitlab", code=1)
        assert "was left alone" in told
        assert (hub.team.repo.path / ".gitlab" / "accord.yml").read_text() == "mine\n"

    def test_the_protected_branches_are_named(self, hub: Hub) -> None:
        policy = hub.team.decisions / "policy.yaml"
        policy.write_text(policy.read_text() + "protected:\n  - trunk\n")
        hub.git("commit", "-qam", "policy")
        hub.team.accord("ci", "--install", "github")
        text = (hub.team.repo.path / ".github" / "workflows" / "accord.yml").read_text()
        assert 'branches: ["trunk"]' in text

    def test_in_a_bare_repository(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(hub.bare.path)
        assert "bare repository" in hub.team.accord("ci", "--install", "github", code=2)


@pytest.mark.parametrize(
    "file", [ROOT / "action.yml", *sorted((ROOT / "templates" / "ci").glob("github*.yml"))]
)
def test_what_others_wrote_is_pinned(file: Path) -> None:
    used = re.findall(r"uses: (\S+)", file.read_text())
    others = [one for one in used if not one.startswith("git-accord/")]
    assert others
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one) for one in others)


@pytest.mark.parametrize("file", sorted((ROOT / "templates" / "ci").glob("*.yml")))
def test_a_template_is_yaml_and_installs_this_version(file: Path) -> None:
    from accord import __version__

    text = file.read_text()
    assert YAML(typ="safe").load(text)
    assert __version__ in text
