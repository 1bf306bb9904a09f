"""A repository at any step of a decision, made once by the real commands and copied after that."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.support.repos import Repo

VOTERS = ("implementer", "reviewer", "challenger")
STEPS = ("empty", "draft", "open", "sealed", "voted", "accepted")
PART = "partial-index"
BRIEF = """\
title: Use a partial index for open orders
context: Open orders are 2 % of the table.
text: Index open orders only.
evidence:
  - {id: plan, kind: primary, artifact: plan.txt}
  - {id: tool-summary, kind: claim, text: It is safe., summarizes: plan}
"""
VOTE = """\
vote: agree
rationale: The plan shows an index scan.
concerns: [one more index to know of]
assessment: {testability: strong, workflow_integration: adequate, incremental_verifiability: weak}
evidence: [plan]
"""
AFFIRMATION = """\
stance: affirm
reason: The others saw what I saw.
commitment: no_reversal_without_redecision
"""


@dataclass(frozen=True)
class Place:
    """A copy of the story: its repository, and the id of its decision."""

    repo: Repo

    @property
    def path(self) -> Path:
        return self.repo.path

    @property
    def decision(self) -> str:
        names = [path.name for path in (self.path / "decisions").iterdir() if path.is_dir()]
        assert len(names) == 1
        return names[0]


class Story:
    """The steps, each built from the one before when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def copy(self, step: str, to: Path) -> Place:
        """A copy of one step, to do with as a test likes; the current directory becomes it."""
        self._build(step)
        shutil.copytree(self.folder / step / "repo", to / "repo")
        own = Path(os.environ["XDG_STATE_HOME"])
        shutil.copytree(self.folder / step / "state", own, dirs_exist_ok=True)
        os.chdir(to / "repo")
        return Place(Repo(to / "repo"))

    def _build(self, step: str) -> None:
        here = self.folder / step
        if here.exists():
            return
        if step == STEPS[0]:
            repo = Repo.init(here / "repo")
        else:
            before = STEPS[STEPS.index(step) - 1]
            self._build(before)
            shutil.copytree(self.folder / before, here)
            repo = Repo(here / "repo")
        (here / "state").mkdir(exist_ok=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(repo.path)
            patch.setenv("XDG_STATE_HOME", str(here / "state"))
            self._steps[step](repo)

    @property
    def _steps(self) -> dict[str, Callable[[Repo], None]]:
        return {
            "empty": self._found,
            "draft": self._draft,
            "open": lambda _: _run("open", PART, "--commit"),
            "sealed": lambda _: self._answer("vote", VOTE, VOTERS[:1]),
            "voted": lambda _: self._answer("vote", VOTE, VOTERS[1:]),
            "accepted": lambda _: self._answer("affirm", AFFIRMATION, VOTERS),
        }

    def _found(self, repo: Repo) -> None:
        keys = str(self.folder / "keys")
        members = ("--authority", "orchestrator", "--decider", "dana")
        _run("init", "--agents", ",".join(VOTERS), *members, "--generate-keys", "--key-dir", keys)
        repo.commit({"plan.txt": "Index Scan using open_orders\n"}, "start")

    def _draft(self, repo: Repo) -> None:
        repo.git("switch", "--quiet", "--create", "feature")
        brief = self.folder / "brief.yaml"
        brief.write_text(BRIEF)
        _run("propose", PART, "--class", "architecture", "--from", str(brief), "--commit")

    def _answer(self, verb: str, text: str, voters: tuple[str, ...]) -> None:
        drafts = self.folder / f"{verb}-{'-'.join(voters)}"
        drafts.mkdir(exist_ok=True)
        for voter in voters:
            (drafts / f"{voter}.yaml").write_text(text)
        _run(verb, PART, "--from", str(drafts), "--commit")


def _run(*arguments: str) -> None:
    assert run(arguments) == 0, arguments
