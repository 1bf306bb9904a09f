"""A full audit says the same, however many processes share it, and whatever becomes of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from accord.store.git import Repository
from accord.store.load import list_decisions, load_policy
from accord.verify import worker
from accord.verify.decision import Decisions
from accord.verify.sources import means_of
from accord.verify.tree import Account, judge_decisions, tree_sources
from benchmarks.generate import generate
from tests.support.repos import Repo
from tests.support.tables import table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five decisions, of which the last but one has a vote that nobody signed like this."""
    folder = tmp_path_factory.mktemp("audit") / "repo"
    generate(folder, 4)
    vote = next((folder / "decisions").glob("*-00003/rounds/1/votes/challenger.yaml"))
    vote.write_bytes(vote.read_bytes() + b"# and more\n")
    Repo(folder).commit({str(vote.relative_to(folder)): vote.read_bytes()})
    return folder


class Audit:
    """Judges all decisions of HEAD, alone or on several processes."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository.discover(folder)
        self.commit = self.repository.resolve("HEAD")
        tree = self.repository.commit(self.commit)
        policy = load_policy(tree).policy
        assert policy is not None
        self.names = list_decisions(tree)
        sources = tree_sources(policy, tree, means_of(self.repository))
        self.decisions = Decisions(tree, sources)

    def alone(self) -> Account:
        return judge_decisions(self.decisions, self.names)

    def on(self, processes: int) -> Account:
        return worker.spread(self.repository, self.commit, processes=processes)(
            self.decisions, self.names
        )

    def task(self, code: str, folder: Path) -> worker.Task:
        return worker.Task(code, str(folder), self.commit, False, self.names)


@pytest.fixture
def audit(folder: Path) -> Audit:
    return Audit(folder)


def test_there_is_something_to_find(audit: Audit) -> None:
    assert {finding.code for finding in audit.alone().findings} >= {"bad-signature"}


@pytest.mark.parametrize("processes", [1, 2, 3, 5, 8])
def test_the_account_is_the_same_on_several_processes(audit: Audit, processes: int) -> None:
    assert audit.on(processes) == audit.alone()


def test_a_worker_judges_as_well_as_whoever_asks(audit: Audit, folder: Path) -> None:
    assert worker.work(audit.task(worker.__file__, folder)) == audit.alone()


def test_a_worker_is_a_process_of_its_own(audit: Audit, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "accord.verify.worker"],
        input=msgspec.json.encode(audit.task(worker.__file__, folder)),
        capture_output=True,
        check=True,
    )

    assert msgspec.json.decode(done.stdout, type=Account) == audit.alone()


@table(
    ("script",),
    {
        "fails": ("exit 1",),
        "says-nothing": ("cat > /dev/null",),
        "says-nonsense": ("echo nonsense",),
        "says-something-else": ('echo \'{"files": "many"}\'',),
        "says-too-little": ("cat > /dev/null; echo '[0, [], [], []]'",),
        "fails-after-all": ("echo '[0, [], [], []]'; exit 1",),
        "does-not-listen": ("exec < /dev/null; exit 1",),
    },
)
def test_whatever_a_worker_does_not_say_is_judged_here(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))

    assert audit.on(2) == audit.alone()


def test_where_no_worker_starts_all_is_judged_here(
    audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert audit.on(3) == audit.alone()


def test_no_worker_is_left_behind(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"; exec sleep 600\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    pid = tmp_path / "pid"

    class Interrupted(Decisions):
        def judge(self, *_: object, **__: object) -> object:  # type: ignore[override]
            while not (pid.exists() and pid.read_text().strip()):
                pass
            raise KeyboardInterrupt

    audit.decisions = Interrupted(audit.decisions.tree, audit.decisions.sources)
    with pytest.raises(KeyboardInterrupt):
        audit.on(2)

    assert not Path(f"/proc/{pid.read_text().strip()}").exists()


def test_another_accord_is_not_believed(audit: Audit, folder: Path) -> None:
    with pytest.raises(ValueError, match="another accord"):
        worker.work(audit.task("/elsewhere/worker.py", folder))


def test_nothing_is_judged_without_a_policy(audit: Audit, tmp_path: Path) -> None:
    bare = Repo.init(tmp_path / "without")
    commit = bare.commit({"a": "1"})
    task = worker.Task(worker.__file__, str(bare.path), commit, False, ())

    with pytest.raises(ValueError, match="without a policy"):
        worker.work(task)


@table(
    ("decisions", "most"),
    {
        "none": (0, 1),
        "few": (worker.LEAST_DECISIONS, 1),
        "many": (2 * worker.LEAST_DECISIONS, 2),
    },
)
def test_few_decisions_are_judged_by_one_process(decisions: int, most: int) -> None:
    assert 1 <= worker.count_processes(decisions) <= most
