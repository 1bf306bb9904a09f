"""The cache: quicker the second time, and never another answer."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.cli.main import run
from accord.store import cache
from accord.store.cache import FILE, Cache, remembering
from accord.store.git import Repository
from accord.store.kinds import KINDS
from accord.store.parse import parse_file
from accord.store.writer import dump
from benchmarks.generate import generate
from tests.store.strategies import records
from tests.support.repos import Repo
from tests.support.tables import table

SEAL = b"""format: accord/seal/1
decision: 2026-11-30-one
round: 1
voter: dana
ballot: sha256:%s
vote: sha256:%s
at: 2026-11-30T09:00:00Z
""" % (b"a" * 64, b"b" * 64)
ABOUT = (b"ssh", b"key", b"signature", b"data")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.discover(Repo.init(tmp_path / "repo").path)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read after all, by path."""
    read: list[str] = []

    def parse(data: bytes, path: str, kind: str) -> Any:
        read.append(path)
        return parse_file(data, path, kind)

    monkeypatch.setattr(cache, "parse_file", parse)
    return read


def ask(repository: Repository, data: bytes = SEAL, kind: str = "seal", path: str = "a") -> Any:
    """What is said of a file by a repository that remembers."""
    with remembering(repository):
        return repository.memory.parse(data, path, kind)


def is_kept(repository: Repository) -> bool:
    """Whether there is a file that is believed."""
    with remembering(repository):
        return isinstance(repository.memory, Cache)


def count_checks(repository: Repository, about: tuple[bytes, ...], good: bool) -> int:
    """How often a signature is checked that is asked for twice, in two runs."""
    checks: list[bool] = []

    def check() -> bool:
        checks.append(good)
        return good

    for _ in range(2):
        with remembering(repository):
            assert repository.memory.prove(about, check) is good
    return len(checks)


class TestWhatIsRemembered:
    def test_a_file_is_read_once(self, repository: Repository, unread: list[str]) -> None:
        assert ask(repository) == ask(repository, path="b") == parse_file(SEAL, "", "seal")
        assert unread == ["a"]

    @table(
        ("data", "kind"),
        {"other bytes": (SEAL + b"# more\n", "seal"), "another kind": (SEAL, "vote")},
    )
    def test_it_is_bound_to_bytes_and_kind(
        self, repository: Repository, unread: list[str], data: bytes, kind: str
    ) -> None:
        ask(repository)
        assert ask(repository, data, kind, "b") == parse_file(data, "b", kind)
        assert unread == ["a", "b"]

    def test_another_version_reads_anew(
        self, repository: Repository, unread: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ask(repository)
        monkeypatch.setattr(cache, "__version__", "99")
        ask(repository, path="b")
        assert unread == ["a", "b"]

    def test_what_is_wrong_is_found_again(self, repository: Repository, unread: list[str]) -> None:
        wrong = SEAL + b"surprise: 1\n"
        assert ask(repository, wrong) == parse_file(wrong, "a", "seal")
        assert ask(repository, wrong, path="b")[1][0].path == "b"
        assert unread == ["a", "b"]

    def test_a_good_signature_is_checked_once(self, repository: Repository) -> None:
        assert count_checks(repository, ABOUT, good=True) == 1

    def test_a_bad_signature_is_checked_each_time(self, repository: Repository) -> None:
        assert count_checks(repository, ABOUT, good=False) == 2

    @pytest.mark.parametrize("part", range(len(ABOUT)))
    def test_good_is_bound_to_scheme_key_signature_and_bytes(
        self, repository: Repository, part: int
    ) -> None:
        count_checks(repository, ABOUT, good=True)
        other = (*ABOUT[:part], ABOUT[part] + b"x", *ABOUT[part + 1 :])
        assert count_checks(repository, other, good=False) == 2

    def test_where_one_part_ends_is_told_apart(self, repository: Repository) -> None:
        count_checks(repository, (b"ssh", b"ke", b"y"), good=True)
        assert count_checks(repository, (b"ssh", b"k", b"ey"), good=False) == 2

    def test_much_is_written_on_the_way(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cache, "_KEPT_BACK", 2)
        with remembering(repository):
            for number in range(3):
                repository.memory.prove((b"%d" % number,), lambda: True)
            assert _count(repository, "proven") == 2
        assert _count(repository, "proven") == 3

    def test_afterwards_nothing_is_remembered(self, repository: Repository) -> None:
        with remembering(repository):
            assert isinstance(repository.memory, Cache)
        assert not isinstance(repository.memory, Cache)


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_what_comes_back_is_what_was_read(
    kind: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    written = dump(data.draw(records(kind)), kind)
    kept = cache._open(tmp_path_factory.mktemp("cache") / FILE)
    assert kept is not None
    first, second = (kept.parse(written, "a", kind) for _ in range(2))
    kept._write()
    assert first == second == kept.parse(written, "a", kind) == parse_file(written, "a", kind)
    kept.close()


_COUNT = {
    "parsed": "SELECT count(*) FROM parsed",
    "proven": "SELECT count(*) FROM proven",
}


def _count(repository: Repository, what: str) -> int:
    with sqlite3.connect(repository.common_dir / FILE) as looking:
        (number,) = looking.execute(_COUNT[what]).fetchone()
    looking.close()
    return int(number)


def _fill(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def _flip(file: Path, _: bytes) -> None:
    """One bit of the record, which SQLite does not notice."""
    changed = sqlite3.connect(file)
    (record,) = changed.execute("SELECT record FROM parsed").fetchone()
    for at in (0, len(record) // 2, len(record) - 1):
        wrong = bytearray(record)
        wrong[at] ^= 1
        changed.execute("UPDATE parsed SET record = ?", (bytes(wrong),))
    changed.commit()
    changed.close()


class TestWhatIsWrongWithTheFile:
    @pytest.mark.parametrize("how", ["garbage", "nothing", "half of it", "a wrong bit"])
    def test_it_is_begun_anew(self, repository: Repository, unread: list[str], how: str) -> None:
        right = ask(repository)
        file = repository.common_dir / FILE
        whole = file.read_bytes()
        damage = {
            "garbage": (_fill, b"garbage" * 1000),
            "nothing": (_fill, b""),
            "half of it": (_fill, whole[: len(whole) // 2]),
            "a wrong bit": (_flip, b""),
        }
        do, data = damage[how]
        do(file, data)
        assert ask(repository, path="b") == right
        assert ask(repository, path="c") == right
        assert unread[:2] == ["a", "b"]

    def test_damage_in_the_middle_of_a_run(self, repository: Repository) -> None:
        ask(repository)
        with remembering(repository):
            (repository.common_dir / FILE).write_bytes(b"garbage" * 10000)
            assert repository.memory.parse(SEAL, "a", "seal")[0] is not None
            assert repository.memory.prove(ABOUT, lambda: True)

    def test_one_that_is_locked_is_left_alone(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cache, "_PATIENCE", 0)
        right = ask(repository)
        other = sqlite3.connect(repository.common_dir / FILE, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert ask(repository) == right
        other.close()
        assert _count(repository, "parsed") == 1

    def test_one_that_gets_locked_meanwhile_is_given_up(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cache, "_PATIENCE", 0)
        ask(repository, SEAL + b"# more\n")
        other = sqlite3.connect(repository.common_dir / FILE, isolation_level=None)
        with remembering(repository):
            other.execute("BEGIN IMMEDIATE")
            assert repository.memory.parse(SEAL, "a", "seal")[0] is not None
        other.close()
        assert _count(repository, "parsed") == 1

    def test_one_that_others_can_write_is_not_believed(self, repository: Repository) -> None:
        ask(repository)
        (repository.common_dir / FILE).chmod(0o666)
        assert not is_kept(repository)

    def test_a_link_is_not_followed(self, repository: Repository, tmp_path: Path) -> None:
        file, elsewhere = repository.common_dir / FILE, tmp_path / "elsewhere"
        file.parent.mkdir()
        elsewhere.write_bytes(b"of somebody")
        file.symlink_to(elsewhere)
        assert ask(repository)[0] is not None
        assert elsewhere.read_bytes() == b"of somebody"

    def test_without_a_place_for_it_all_goes_on(self, repository: Repository) -> None:
        (repository.common_dir / FILE.parent).write_text("in the way")
        assert ask(repository)[0] is not None
        assert not is_kept(repository)

    def test_it_does_not_grow_for_ever(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ask(repository)
        monkeypatch.setattr(cache, "MOST_BYTES", 100)
        ask(repository, SEAL + b"# more\n")
        assert _count(repository, "parsed") == 1


class TestAudits:
    @pytest.fixture
    def project(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
        generate(tmp_path / "project", 3)
        monkeypatch.chdir(tmp_path / "project")
        return Repo(tmp_path / "project")

    def test_what_was_good_does_not_make_good_what_is_not(
        self, project: Repo, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = ("verify", "--rev", "HEAD", "--tree-only", "--format=json")
        assert run(options) == 0
        vote = next((project.path / "decisions").glob("*-00002/rounds/1/votes/challenger.yaml"))
        project.commit({str(vote.relative_to(project.path)): vote.read_bytes() + b"# more\n"})
        capsys.readouterr()
        assert run(options) == 1
        with_cache = capsys.readouterr().out
        assert "bad-signature" in with_cache
        assert run((*options, "--no-cache")) == 1
        assert capsys.readouterr().out == with_cache

    def test_only_audits_leave_something(self, project: Repo) -> None:
        kept = project.path / ".git" / FILE
        assert run(("verify", "--range", "main..HEAD")) == 0
        assert run(("verify", "--history", "--no-cache")) == 0
        assert not kept.exists()
        assert run(("verify", "--history")) == 0
        assert kept.stat().st_mode & 0o777 == 0o600

    def test_many_at_once(self, project: Repo) -> None:
        command = [sys.executable, "-m", "accord", "verify", "--rev", "HEAD", "--tree-only"]
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
        assert [one.wait() for one in running] == [0, 0, 0, 0]
        with sqlite3.connect(project.path / ".git" / FILE) as looking:
            assert looking.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert looking.execute("SELECT count(*) FROM proven").fetchone()[0] > 30
        looking.close()


def test_a_file_of_somebody_else_is_not_believed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(repository)
    assert is_kept(repository)
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert not is_kept(repository)
