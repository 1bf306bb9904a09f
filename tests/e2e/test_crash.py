"""kill -9 at any moment of a writing command: nothing is lost, and the command can be repeated."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.e2e.team import AFFIRM, AGREE, BRIEF, VOTERS, Team, all_agree

# Runs a command and kills itself before the n-th thing that changes something, or starts git.
KILLED = """
import os, signal, sys
from accord.cli.main import run

left = int(sys.argv[1])
changing = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "subprocess.Popen"}
writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def watch(event, arguments):
    global left
    if event in changing or event == "open" and arguments[2] & writing:
        left -= 1
        if left < 0:
            print("killed before", event, arguments, file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)


sys.addaudithook(watch)
raise SystemExit(run(sys.argv[2:]))
"""
# Every so many moments, a few where there is little time, and all for whoever wants to know.
STEADY = [range(2, 10_000, 5)]
PROFILES = {
    "quick": [range(2, 10_000, 20)],
    "explore": [range(start, 10_000, 5) for start in range(5)],
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    profile = metafunc.config.getoption("--hypothesis-profile")
    metafunc.parametrize("moments", PROFILES.get(profile, STEADY), ids=str)


class Scene:
    """A team before a command, as often as it is wanted."""

    def __init__(self, team: Team, state: Path) -> None:
        self.team = team
        self._places = {"repo": team.repo.path, "state": state}
        self._kept = team.folder / "kept"
        for name, place in self._places.items():
            shutil.copytree(place, self._kept / name, symlinks=True)

    def set(self) -> None:
        for name, place in self._places.items():
            for each in place.iterdir():
                shutil.rmtree(each) if each.is_dir() else each.unlink()
            shutil.copytree(self._kept / name, place, symlinks=True, dirs_exist_ok=True)

    def kill(self, command: Sequence[str], moments: range) -> Iterator[str]:
        """What was about to happen when the command was killed, until it comes to its end."""
        # What measures coverage writes at the end, which most of these do not come to.
        unmeasured = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
        for moment in moments:
            self.set()
            done = subprocess.run(
                [sys.executable, "-c", KILLED, str(moment), *command],
                cwd=self.team.repo.path,
                env=unmeasured,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != -signal.SIGKILL:
                assert done.returncode == 0, done.stdout + done.stderr
                return
            yield done.stderr

    def repeat(self, command: Sequence[str]) -> str:
        """Run the command again, and commit what it had staged and not committed."""
        self.team.capture.readouterr()
        ended = run(command)
        printed = "".join(self.team.capture.readouterr())
        assert ended in (0, 2), printed
        git = self.team.repo.git
        if ended and git("diff", "--cached", "--name-only"):
            # It says that this was done before: it was staged, and not committed.
            git("commit", "--quiet", "-m", "what was staged")
        return printed

    def look(self) -> tuple[frozenset[str], str]:
        """The files of HEAD, and what else is there."""
        git = self.team.repo.git
        names = git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
        return frozenset(names), git("status", "--short")


@pytest.fixture
def stage(team: Team, isolation: Path) -> Callable[[], Scene]:
    (isolation / "state").mkdir(exist_ok=True)
    return lambda: Scene(team, isolation / "state")


def test_a_vote(moments: range, team: Team, stage: Callable[[], Scene]) -> None:
    team.propose("x")
    draft = str(team.write("v.json", AGREE))
    command = ("vote", "x", "--as=reviewer", "--from", draft, "--commit")
    scene = stage()
    team.accord(*command)
    expected = scene.look()
    seen = 0
    for moment in scene.kill(command, moments):
        told = scene.repeat(command)
        assert scene.look() == expected, (moment, told)
        assert team.findings(code=0) == {}
        seen += 1
    assert seen * moments.step > 25
    scene.set()
    for _ in scene.kill(command, range(22, 23)):
        break
    scene.repeat(command)
    # What was sealed is still there to be opened.
    others = {voter: AGREE for voter in VOTERS if voter != "reviewer"}
    assert "opened 3 of 3" in team.vote("x", others)


@pytest.mark.slow
def test_the_last_affirmation_and_the_record(
    moments: range, team: Team, stage: Callable[[], Scene]
) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x", VOTERS[:2])
    draft = str(team.write("a.json", AFFIRM))
    command = ("affirm", "x", f"--as={VOTERS[2]}", "--from", draft, "--commit")
    scene = stage()
    team.accord(*command)
    expected = scene.look()
    for moment in scene.kill(command, moments):
        told = scene.repeat(command)
        assert scene.look() == expected, (moment, told)
        assert team.status_of("x") == "accepted"


@pytest.mark.slow
def test_a_redaction(moments: range, team: Team, stage: Callable[[], Scene]) -> None:
    (team.repo.path / "note.txt").write_text("a name")
    team.propose("x", evidence=[{"id": "note", "kind": "primary", "artifact": "note.txt"}])
    (team.repo.path / "note.txt").unlink()
    command = ("redact", "x", "note", "--reason=a name", "--commit")
    scene = stage()
    team.accord(*command)
    expected = scene.look()
    for moment in scene.kill(command, moments):
        told = scene.repeat(command)
        assert scene.look() == expected, (moment, told)
        assert team.findings("--range=HEAD^..HEAD", code=0).keys() == {"evidence-redacted"}


@pytest.mark.slow
def test_a_proposal_and_its_ballot(moments: range, team: Team, stage: Callable[[], Scene]) -> None:
    draft = str(team.write("x.json", BRIEF))
    options = ("--class=architecture", "--from", draft, "--open", "--commit")
    command = ("propose", "x", *options)
    scene = stage()
    team.accord(*command)
    expected = scene.look()
    for moment in scene.kill(command, moments):
        told = scene.repeat(command)
        if scene.look() != expected:  # drafted, and not opened yet
            told += team.accord("open", "x", "--commit")
        assert scene.look() == expected, (moment, told)


def test_a_new_repository(moments: range, team: Team, stage: Callable[[], Scene]) -> None:
    """Keys of an attempt that was killed stay where they are, and others are made elsewhere."""
    team.repo.git("rm", "-rq", "--cached", "decisions")
    team.repo.git("commit", "-qm", "begin anew", "--amend")
    shutil.rmtree(team.decisions)
    command = ("init", "--agents=a,b,c", "--authority=o", "--decider=d", "--generate-keys")
    scene = stage()
    keys = team.folder / "made"
    for _ in scene.kill((*command, "--key-dir", str(keys)), moments):
        told = scene.repeat((*command, "--key-dir", str(keys)))
        if not (team.decisions / "policy.yaml").is_file():
            assert f"there is a key at {keys}/a already" in told
            told = scene.repeat((*command, "--key-dir", str(team.folder / "other")))
        assert (team.decisions / "policy.yaml").is_file(), told
        assert not list(team.repo.path.rglob(".accord-*"))
        for folder in (keys, team.folder / "other"):
            shutil.rmtree(folder, ignore_errors=True)
