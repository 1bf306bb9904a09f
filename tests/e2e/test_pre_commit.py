"""The shipped hooks, run by the real pre-commit from a git checkout of this project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.once import make_once

PROJECT = Path(__file__).parents[2]
# The manifest is the one that is shipped. Its environment would be installed from the network,
# so the hooks run in the environment of the tests instead.
CONFIG = """\
repos:
  - repo: {repo}
    rev: {rev}
    hooks:
      - {{id: accord-generate, language: system}}
      - {{id: accord-verify, language: system}}
      - {{id: accord-range, language: system, verbose: true}}
"""


class Scratch:
    """A repository with accord and its hooks; `home` has the keys, and what pre-commit keeps."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.root = folder / "scratch"
        self.environment = os.environ | {
            "HOME": str(home),
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "XDG_STATE_HOME": str(folder / "state"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }

    def ask(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def run(self, *command: str) -> str:
        done = self.ask(*command)
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    home = make_once("pre-commit", _install)
    shutil.copytree(home / "scratch", tmp_path / "scratch", symlinks=True)
    return Scratch(tmp_path, home)


def _install(folder: Path) -> None:
    checkout = folder / "checkout"
    checkout.mkdir()
    scratch = Scratch(folder, folder)
    scratch.root.mkdir()
    # Only the manifest is needed, and a checkout in CI may be shallow, which git cannot clone.
    manifest = (PROJECT / ".pre-commit-hooks.yaml").read_text()
    (checkout / ".pre-commit-hooks.yaml").write_text(manifest)
    for folder in (checkout, scratch.root):
        scratch.run("git", "-C", str(folder), "init", "-qb", "main")
        scratch.run("git", "-C", str(folder), "config", "user.name", "T")
        scratch.run("git", "-C", str(folder), "config", "user.email", "t@example.org")
    scratch.run("git", "-C", str(checkout), "add", ".")
    scratch.run("git", "-C", str(checkout), "commit", "-qm", "hooks")
    rev = scratch.run("git", "-C", str(checkout), "rev-parse", "HEAD").strip()
    scratch.run(
        "accord", "init", "--agents", "a,b,c", "--authority", "o", "--decider", "d",
        "--generate-keys",
    )  # fmt: skip
    config = CONFIG.format(repo=checkout, rev=rev)
    (scratch.root / ".pre-commit-config.yaml").write_text(config)
    scratch.run("git", "add", ".")
    scratch.run("pre-commit", "install", "--hook-type=pre-commit", "--hook-type=pre-push")
    scratch.run("git", "commit", "-qm", "accord")
    scratch.run("git", "switch", "-qc", "work")


def propose(scratch: Scratch) -> Path:
    """An open decision; its directory."""
    brief = scratch.root.parent / "brief.json"
    brief.write_text('{"context": "c", "text": "t"}')
    scratch.run(
        "accord", "propose", "x", "--class", "architecture", "--from", str(brief), "--open",
        "--commit",
    )  # fmt: skip
    return next(path for path in (scratch.root / "decisions").iterdir() if path.is_dir())


@pytest.mark.slow
def test_the_hook_lets_accords_own_commits_pass(scratch: Scratch) -> None:
    propose(scratch)
    assert scratch.run("git", "status", "--short") == ""


def test_the_hook_refuses_a_hand_written_record(scratch: Scratch) -> None:
    decision = propose(scratch)
    (decision / "record.yaml").write_text("format: accord/record/1\nstatus: accepted\n")
    scratch.run("git", "add", ".")
    done = scratch.ask("git", "commit", "-qm", "accepted!")
    assert done.returncode == 1
    assert "error[record-early]" in done.stdout


@pytest.mark.slow
def test_the_hook_refuses_a_changed_ballot(scratch: Scratch) -> None:
    decision = propose(scratch)
    ballot = decision / "rounds/1/round.yaml"
    ballot.write_text(ballot.read_text().replace("max_rounds: 2", "max_rounds: 9"))
    done = scratch.ask("git", "commit", "-qam", "more rounds")
    assert done.returncode == 1
    assert "error[frozen-file-changed]" in done.stdout
    assert "error[bad-signature]" in done.stdout


def test_generate_writes_a_record_that_is_due_and_fails(scratch: Scratch) -> None:
    decision = propose(scratch)
    scratch.run("accord", "withdraw", "x", "--reason", "no time", "--as", "o")
    record = decision / "record.yaml"
    right = record.read_bytes()
    scratch.run("git", "rm", "-qf", str(record))
    done = scratch.ask("git", "commit", "-qm", "withdrawn")
    assert done.returncode == 1
    assert "stage it and commit again" in done.stdout
    assert record.read_bytes() == right
    scratch.run("git", "add", ".")
    scratch.run("git", "commit", "-qm", "withdrawn")


def test_a_push_is_judged_by_what_the_remote_has(scratch: Scratch) -> None:
    remote = scratch.root.parent / "remote.git"
    scratch.run("git", "init", "-q", "--bare", str(remote))
    scratch.run("git", "remote", "add", "mirror", str(remote))
    first = scratch.ask("git", "push", "mirror", "main")
    assert first.returncode == 0, first.stdout
    assert "main: mirror has nothing yet" in first.stdout
    propose(scratch)
    new = scratch.ask("git", "push", "mirror", "work")
    assert new.returncode == 0, new.stdout
    assert "Judged 4 files of 1 decision" in new.stdout
    refused = scratch.ask("git", "push", "mirror", "work:main")
    assert refused.returncode == 1
    assert "undecided-on-protected-branch" in refused.stdout
    scratch.run("git", "tag", "v1")
    assert scratch.ask("git", "push", "mirror", "v1").returncode == 0
