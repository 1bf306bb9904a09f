"""The places where something could get in, and what each of them says of an attack."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from tests.ci.payloads import pull_request
from tests.e2e.team import Team
from tests.support.repos import Repo

Place = Literal["hook", "range", "history", "ci", "server"]
HOOKS = Path(__file__).parents[2] / "hooks"


class Scene:
    """An attack that was made: `tip` is its last commit, `start` the commit that it began at."""

    def __init__(self, team: Team, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.team = team
        self.git = team.repo.git
        self.start = start
        self.tip = self.git("rev-parse", "HEAD")
        self.main = self.git("rev-parse", "main")
        self.monkeypatch = monkeypatch
        self.git("checkout", "-q", "--detach")

    @property
    def stands_on_main(self) -> bool:
        return self.git("merge-base", "main", self.tip) == self.main

    def judge(self, *arguments: str) -> set[str]:
        """The codes of a report, errors and warnings."""
        self.team.capture.readouterr()
        from accord.cli.main import run

        ended = run([*arguments, "--format=json"])
        printed = self.team.capture.readouterr()
        assert ended in (0, 1), printed.out + printed.err
        found = json.loads(printed.out)["findings"]
        errors = any(one["severity"] == "error" for one in found)
        assert errors == (ended == 1)
        return {one["code"] for one in found}


def ask_hook(scene: Scene) -> set[str]:
    """Each commit of the attack as it was staged, against its first parent."""
    told: set[str] = set()
    for commit in scene.git("rev-list", "--reverse", f"{scene.start}..{scene.tip}").split():
        if scene.git("rev-parse", f"{commit}^@"):
            scene.git("update-ref", "--no-deref", "HEAD", f"{commit}^1")
        else:
            scene.git("symbolic-ref", "HEAD", "refs/heads/unborn")
        scene.git("read-tree", commit)
        told |= scene.judge("verify", "--staged", "--branch=work")
    scene.git("update-ref", "--no-deref", "HEAD", scene.tip)
    scene.git("read-tree", scene.tip)
    return told


def ask_range(scene: Scene) -> set[str]:
    if not scene.stands_on_main:
        return scene.judge("ci", "--base=main", f"--head={scene.tip}", "--branch=main")
    return scene.judge("verify", f"--range=main..{scene.tip}", "--branch=main")


def ask_history(scene: Scene) -> set[str]:
    """Somebody got it onto main."""
    return scene.judge("verify", "--history", "--branch=main")


def ask_ci(scene: Scene) -> set[str]:
    """The merge result of a pull request, as GitHub makes it."""
    if not scene.stands_on_main:
        return ask_range(scene)
    message = ("-m", "Merge pull request #7")
    merged = scene.git(
        "commit-tree", f"{scene.tip}^{{tree}}", "-p", scene.main, "-p", scene.tip, *message
    )
    event = scene.team.write("event.json", pull_request(scene.main, scene.tip))
    with scene.monkeypatch.context() as job:
        for name, value in {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_SHA": merged,
        }.items():
            job.setenv(name, value)
        return scene.judge("ci")


def ask_server(scene: Scene) -> set[str]:
    """A push to main of a bare repository with the hook."""
    bare = Repo.init(scene.team.folder / "bare", "sha1", "--bare", "-b", "main")
    scene.git("push", "-q", str(bare.path), "main:main")
    shutil.copy(HOOKS / "pre-receive", bare.path / "hooks" / "pre-receive")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Coverage of the hook is measured by its own tests: here it would double the time.
    unmeasured = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
    done = subprocess.run(
        ["git", "push", "--force", str(bare.path), f"{scene.tip}:refs/heads/main"],
        cwd=scene.team.repo.path,
        env=unmeasured | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.findall(r"(error|warning)\[([a-z-]+)\]", done.stderr)
    assert bool(done.returncode) == any(severity == "error" for severity, _ in told), done.stderr
    return {code for _, code in told}


PLACES: dict[Place, Callable[[Scene], set[str]]] = {
    "hook": ask_hook,
    "range": ask_range,
    "history": ask_history,
    "ci": ask_ci,
    "server": ask_server,
}
