"""A team, the repository it pushes to, and the checkout of a job."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.team import Team, make_team
from tests.support.repos import Repo

_OF_A_JOB = ("GITHUB_", "GITLAB_", "CI_", "RUNNER_")


class Hub:
    """What a code host does: it keeps branches, and makes the merge that a job checks out."""

    def __init__(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        self.team = team
        self.git = team.repo.git
        self.bare = Repo.init(team.folder / "hub", "sha1", "--bare", "-b", "main")
        self.bare.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("remote", "add", "origin", str(self.bare.path))
        self.monkeypatch = monkeypatch
        self.summary = team.folder / "summary.md"
        self.push("main")

    def push(self, *refs: str) -> None:
        self.git("push", "-q", "--force", "origin", *refs)

    def merge(self, branch: str = "work", target: str = "main") -> str:
        """The merge commit that the host makes of a branch into its target as it is now."""
        self.push(branch)
        self.git("fetch", "-q", "origin")
        self.git("switch", "-q", "--detach", f"origin/{target}")
        self.git("merge", "-q", "--no-ff", "-m", f"Merge {branch} into {target}", branch)
        merged = self.git("rev-parse", "HEAD")
        self.push(f"{merged}:refs/pull/7/merge")
        self.git("switch", "-q", branch)
        return merged

    def check_out(self, commit: str, depth: int = 0) -> Repo:
        """What actions/checkout leaves: that commit, and with depth 0 all branches."""
        path = self.team.folder / f"job-{len(list(self.team.folder.iterdir()))}"
        job = Repo.init(path, "sha1", "-b", "main")
        job.git("remote", "add", "origin", self.bare.path.as_uri())
        if depth:
            job.git("fetch", "-q", f"--depth={depth}", "origin", commit)
        else:
            job.git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", commit)
        job.git("checkout", "-q", "--detach", commit)
        self.monkeypatch.chdir(job.path)
        return job

    def be_on_github(self, event: str, payload: object, commit: str, ref: str = "") -> None:
        """The variables of a job, as GitHub sets them."""
        path = self.team.write("event.json", payload)
        self._set(
            {
                "GITHUB_ACTIONS": "true",
                "GITHUB_EVENT_NAME": event,
                "GITHUB_EVENT_PATH": str(path),
                "GITHUB_SHA": commit,
                "GITHUB_REF": ref,
                "GITHUB_STEP_SUMMARY": str(self.summary),
            }
        )

    def be_on_gitlab(self, variables: Mapping[str, str]) -> None:
        self._set({"GITLAB_CI": "true", "CI_DEFAULT_BRANCH": "main", **variables})

    def judge(self, *options: str, code: int = 0) -> dict[str, object]:
        """The report of `accord ci`."""
        report = self.team.json("ci", *options, code=code)
        assert isinstance(report, dict)
        return report

    def checked(self, *options: str) -> tuple[str, str | None]:
        """What `accord ci` judges without an error, and on top of what."""
        checked = self.judge(*options)["checked"]
        assert isinstance(checked, dict)
        return checked["tree"], checked["base"]

    def base_of(self) -> str | None:
        """On top of what."""
        return self.checked()[1]

    def errors(self, *options: str, code: int = 1) -> set[str]:
        """The codes of the errors that `accord ci` finds."""
        found = json.loads(json.dumps(self.judge(*options, code=code)["findings"]))
        return {one["code"] for one in found if one["severity"] == "error"}

    def _set(self, variables: Mapping[str, str]) -> None:
        for name, value in variables.items():
            self.monkeypatch.setenv(name, value)


@pytest.fixture
def hub(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hub:
    for name in list(os.environ):
        if name.startswith(_OF_A_JOB):
            monkeypatch.delenv(name)
    return Hub(make_team(tmp_path, capsys, monkeypatch), monkeypatch)
