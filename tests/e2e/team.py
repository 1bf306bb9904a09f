"""A repository of a team that decides with accord: real git, real keys, real commands."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.support.keys import FixedKey
from tests.support.once import make_once
from tests.support.repos import ObjectFormat, Repo

VOTERS = ("implementer", "reviewer", "challenger")
MEMBERS = (*VOTERS, "orchestrator", "dana")
RATED = dict.fromkeys(
    ("testability", "workflow_integration", "incremental_verifiability"), "adequate"
)
AGREE: dict[str, object] = {
    "vote": "agree",
    "rationale": "The source says so.",
    "concerns": ["it may be slow"],
    "assessment": RATED,
    "evidence": ["source"],
}
MAJOR: dict[str, object] = {
    **AGREE,
    "vote": "disagree",
    "severity": "major",
    "categories": ["SCOPE_CREEP"],
    "alternative": "Half of it.",
}
MINOR: dict[str, object] = {
    **MAJOR,
    "severity": "minor",
    "categories": ["YAGNI"],
    "alternative": "… but only for open orders.",
}
ABSTAIN: dict[str, object] = {
    "vote": "abstain",
    "rationale": "I cannot read it.",
    "concerns": ["?"],
}
AFFIRM: dict[str, object] = {
    "stance": "affirm",
    "reason": "It stands.",
    "commitment": "no_reversal_without_redecision",
}
BRIEF: dict[str, object] = {
    "context": "It is slow.",
    "text": "Make it fast.",
    "evidence": [{"id": "source", "kind": "primary", "artifact": "source.txt"}],
}


class Team:
    """Runs accord in process, in one working tree."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str], repo: Repo) -> None:
        self.folder = folder
        self.capture = capture
        self.repo = repo

    def accord(self, *arguments: str, code: int = 0) -> str:
        """Run a command that ends with `code`; all that it printed, white space folded."""
        self.capture.readouterr()
        ended = run(arguments)
        printed = self.capture.readouterr()
        text = printed.out + printed.err
        assert ended == code, text
        return " ".join(text.split())

    def json(self, *arguments: str, code: int = 0) -> object:
        """Run a command that prints JSON."""
        self.capture.readouterr()
        ended = run([*arguments, "--format", "json"])
        printed = self.capture.readouterr()
        assert ended == code, printed.out + printed.err
        return json.loads(printed.out)

    def write(self, name: str, content: object) -> Path:
        """Write a draft outside of the repository: text as it is, anything else as JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def propose(self, name: str, *options: str, **changes: object) -> str:
        """Propose and open a decision, committed; its id."""
        draft = self.write(f"{name}.json", BRIEF | changes)
        if not any(option.startswith("--class") for option in options):
            options = ("--class=architecture", *options)
        self.accord("propose", name, "--from", str(draft), "--open", "--commit", *options)
        return self.id_of(name)

    def id_of(self, name: str) -> str:
        """The id of a decision, by the end of it."""
        found = [path.name for path in self.decisions.iterdir() if path.name.endswith(name)]
        assert len(found) == 1
        return found[0]

    @property
    def decisions(self) -> Path:
        return self.repo.path / "decisions"

    def vote(
        self, name: str, votes: Mapping[str, Mapping[str, object]], *options: str, code: int = 0
    ) -> str:
        """Cast votes of several members at once."""
        folder = self.folder / f"votes-{len(list(self.folder.iterdir()))}"
        for voter, vote in votes.items():
            self.write(f"{folder.name}/{voter}.json", vote)
        return self.accord("vote", name, "--from", str(folder), "--commit", *options, code=code)

    def affirm(self, name: str, voters: Sequence[str] = VOTERS, **changes: object) -> str:
        """Affirm for several members at once, committed as the form has it filled in."""
        folder = self.folder / f"affirmations-{len(list(self.folder.iterdir()))}"
        for voter in voters:
            self.write(f"{folder.name}/{voter}.json", {**AFFIRM, **changes})
        return self.accord("affirm", name, "--from", str(folder), "--commit")

    def decide(self, name: str, *options: str, **changes: object) -> str:
        """Propose, agree and affirm; the id."""

        def act(team: Team) -> None:
            team.propose(name, *options, **changes)
            team.vote(name, all_agree())
            team.affirm(name)

        self.recall(f"decide {name} {options} {changes}", act)
        return self.id_of(name)

    def recall(self, what: str, act: Callable[[Team], object]) -> None:
        """Do what only makes commits, or take over those that it made upon the same history."""
        git = self.repo.git
        hooks = sorted(path.name for path in (self.repo.path / ".git/hooks").iterdir())
        config = (self.repo.path / ".git/config").read_text().replace(str(self.folder), "")
        upon = (git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD"), git("for-each-ref"))
        if git("status", "--porcelain"):
            act(self)
            return

        def build(made: Path) -> None:
            shutil.copytree(self.repo.path, made / "repo", symlinks=True)
            team = Team(made, self.capture, Repo(made / "repo"))
            with chdir(made / "repo"):
                act(team)
            assert not team.repo.git("status", "--porcelain")
            (made / "tip").write_text(team.repo.git("rev-parse", "HEAD"))

        told = repr((what, upon, config, hooks)).encode()
        made = make_once(f"history-{hashlib.sha256(told).hexdigest()[:16]}", build)
        objects = ".git/objects"
        shutil.copytree(made / "repo" / objects, self.repo.path / objects, dirs_exist_ok=True)
        git("reset", "-q", "--hard", (made / "tip").read_text())

    def status_of(self, name: str) -> str:
        """The status of a decision."""
        shown = self.json("show", name)
        assert isinstance(shown, dict)
        return str(shown["status"])

    def findings(self, *options: str, code: int = 1) -> dict[str, str]:
        """Code → path of what verify finds."""
        report = self.json("verify", *(options or ("--staged",)), code=code)
        assert isinstance(report, dict)
        return {found["code"]: found["path"] for found in report["findings"]}

    def errors(self) -> set[str]:
        """The codes of the errors of the last commit, as a tree that stands alone."""
        report = self.json("verify", "--rev", "HEAD", "--tree-only", code=0)
        assert isinstance(report, dict)
        return {found["code"] for found in report["findings"] if found["severity"] == "error"}

    def file(self, name: str, rest: str) -> Path:
        """A file of a decision."""
        return self.decisions / self.id_of(name) / rest


def all_agree() -> dict[str, dict[str, object]]:
    return dict.fromkeys(VOTERS, AGREE)


def make_team(
    folder: Path,
    capture: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    object_format: ObjectFormat = "sha1",
) -> Team:
    """A team with a policy on main, on a branch of its own."""

    def build(made: Path) -> None:
        _found_team(made, capture, monkeypatch, object_format)

    made = make_once(f"team-{object_format}", build)
    return copy_team(made, folder, capture, monkeypatch)


def copy_team(
    made: Path,
    folder: Path,
    capture: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Team:
    """The repository of a team that is in `made`, and the keys, in a folder of their own."""
    for part in ("repo", "keys"):
        shutil.copytree(made / part, folder / part, symlinks=True)
    config = folder / "repo/.git/config"
    config.write_text(config.read_text().replace(f"{made}/keys/", f"{folder}/keys/"))
    monkeypatch.chdir(folder / "repo")
    repo = Repo(folder / "repo")
    repo.git("update-index", "-q", "--refresh")
    return Team(folder, capture, repo)


def _found_team(
    folder: Path,
    capture: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    object_format: ObjectFormat,
) -> None:
    repo = Repo.init(folder / "repo", object_format, "--initial-branch=main")
    monkeypatch.chdir(repo.path)
    team = Team(folder, capture, repo)
    repo.commit({"source.txt": "a source\n"})
    keys = [FixedKey(member).write(folder / "keys") for member in MEMBERS]
    team.accord(
        "init",
        "--agents",
        ",".join(VOTERS),
        "--authority=orchestrator",
        "--decider=dana",
        *(f"--member-key={key.name}={key}.pub" for key in keys),
    )
    for key in keys:
        repo.git("config", f"accord.{key.name}.key", str(key))
    repo.commit({})
    repo.git("switch", "-qc", "work")
    # Samples that git puts there, and a copy of nothing is quicker.
    for sample in (repo.path / ".git/hooks").glob("*.sample"):
        sample.unlink()
