"""Objects: what is damaged, malformed or of another kind is not judged."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import pytest

from accord.errors import CannotJudge
from accord.store.git import Repository
from tests.support.repos import Repo
from tests.support.tables import table


def store_raw(repo: Repo, kind: str, data: bytes) -> str:
    """Store an object that git itself would refuse to write; its id."""
    oid = hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
    put(repo, oid, kind, data)
    return oid


def put(repo: Repo, oid: str, kind: str, data: bytes) -> Path:
    """Write a loose object under any name."""
    path = repo.path / ".git/objects" / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(f"{kind} {len(data)}\0".encode() + data))
    return path


def commit_of(repo: Repo, *entries: bytes) -> str:
    """A commit of a hand-made tree."""
    tree = store_raw(repo, "tree", b"".join(entries))
    return store_raw(repo, "commit", COMMIT % (tree.encode(), b"1800000000 +0000"))


COMMIT = b"tree %s\nauthor a <a> 1 +0000\ncommitter c <c> %s\n\nwords\n"
BLOB = hashlib.sha1(b"blob 1\x001", usedforsecurity=False).digest()
HINT = "git fsck"


def entry(name: bytes, mode: bytes = b"100644") -> bytes:
    return mode + b" " + name + b"\0" + BLOB


@pytest.fixture
def repository(repo: Repo) -> Repository:
    repo.blob(b"1")
    return Repository.discover(repo.path)


class TestTrees:
    def test_old_modes_are_those_of_today(self, repo: Repo, repository: Repository) -> None:
        inner = bytes.fromhex(store_raw(repo, "tree", entry(b"x", b"100664")))
        commit = commit_of(repo, entry(b"a", b"100664"), b"040000 b\0" + inner)

        listed = repository.commit(commit).list()

        assert [(path, mode) for path, mode, _ in listed] == [("a", "100644"), ("b/x", "100644")]

    @table(
        "entries",
        {
            "a-name-twice": [entry(b"a"), entry(b"a")],
            "a-file-and-a-folder": [entry(b"a"), entry(b"a-b"), entry(b"a", b"40000")],
            "out-of-order": [entry(b"b"), entry(b"a")],
            "a-slash-in-a-name": [entry(b"decisions/policy.yaml")],
            "an-empty-name": [entry(b"")],
            "dot": [entry(b".")],
            "dot-dot": [entry(b"..", b"40000")],
            "another-mode": [entry(b"a", b"100666")],
            "no-mode": [b" a\0" + BLOB],
            "cut-off": [entry(b"a"), entry(b"b")[:-1]],
            "junk-at-the-end": [entry(b"a"), b"x"],
        },
    )
    def test_a_malformed_tree_is_not_judged(
        self, repo: Repo, repository: Repository, entries: list[bytes]
    ) -> None:
        commit = repository.commit(commit_of(repo, *entries))

        for look in (commit.list, commit.folders, lambda: commit.find("a")):
            with pytest.raises(CannotJudge, match="is malformed") as refused:
                look()
            assert HINT in refused.value.hint

    def test_folders_may_be_nested_deeply(self, repo: Repo, repository: Repository) -> None:
        tree = store_raw(repo, "tree", entry(b"f"))
        for _ in range(2000):
            tree = store_raw(repo, "tree", b"40000 d\0" + bytes.fromhex(tree))
        commit = store_raw(repo, "commit", COMMIT % (tree.encode(), b"1800000000 +0000"))

        listed = repository.commit(commit).list()

        assert [each.path for each in listed] == ["d/" * 2000 + "f"]


class TestCommits:
    def test_later_headers_are_no_parents(self, repo: Repo, repository: Repository) -> None:
        tree = store_raw(repo, "tree", b"").encode()
        first = store_raw(repo, "commit", COMMIT % (tree, b"1800000000 +0000"))
        forged = COMMIT.replace(b"\n\n", b"\nparent " + first.encode() + b"\n\n")
        second = store_raw(repo, "commit", forged % (tree, b"1800000001 -0930"))

        assert repository.parents(second) == ()
        assert repository.commit_time(second) == "2027-01-15T08:00:01Z"

    @table(
        "data",
        {
            "empty": b"",
            "no-tree": COMMIT.removeprefix(b"tree %s\n") % b"1 +0000",
            "no-time": COMMIT % (b"0" * 40, b""),
            "a-time-before-time": COMMIT % (b"0" * 40, b"-1 +0000"),
            "beyond-all-years": COMMIT % (b"0" * 40, b"999999999999 +0000"),
            "no-author": b"tree " + b"0" * 40 + b"\ncommitter c <c> 1 +0000\n\nwords\n",
        },
    )
    def test_a_malformed_commit_is_not_judged(
        self, repo: Repo, repository: Repository, data: bytes
    ) -> None:
        with pytest.raises(CannotJudge, match=r"is malformed|does not exist") as refused:
            repository.commit(store_raw(repo, "commit", data))

        assert HINT in refused.value.hint

    def test_another_kind_is_no_commit(self, repo: Repo, repository: Repository) -> None:
        with pytest.raises(CannotJudge, match="is a blob, not a commit"):
            repository.commit(repo.blob(b"1"))


class TestDamage:
    def test_bytes_that_are_not_what_the_name_says(
        self, repo: Repo, repository: Repository
    ) -> None:
        commit = repo.commit({"vote": "disagree", "other": "1"})
        put(repo, repo.blob(b"disagree"), "blob", b"agree")

        with pytest.raises(CannotJudge, match="does not hold what its name says") as refused:
            repository.commit(commit).read("vote")

        assert HINT in refused.value.hint
        assert repository.commit(commit).read("other") == b"1"

    @pytest.mark.parametrize("cut", [0, 1, 12], ids=["empty", "one-byte", "half"])
    def test_an_object_that_git_cannot_unpack(
        self, repo: Repo, repository: Repository, cut: int
    ) -> None:
        commit = repo.commit({"vote": "disagree", "other": "1"})
        path = put(repo, repo.blob(b"disagree"), "blob", b"disagree")
        path.write_bytes(path.read_bytes()[:cut])

        with pytest.raises(CannotJudge) as refused:
            repository.commit(commit).read("vote")

        assert HINT in refused.value.hint
        assert repository.commit(commit).read("other") == b"1"

    def test_an_object_that_is_gone(self, repo: Repo, repository: Repository) -> None:
        commit = repo.commit({"vote": "disagree"})
        put(repo, repo.blob(b"disagree"), "blob", b"disagree").unlink()

        with pytest.raises(CannotJudge, match="is not in this repository") as refused:
            repository.commit(commit).read("vote")

        assert HINT in refused.value.hint

    def test_git_was_killed(self, repo: Repo, repository: Repository) -> None:
        commit = repo.commit({"a": "1"})
        tree = repository.commit(commit)
        process = repository.objects._process
        assert process is not None
        process.kill()  # type: ignore[attr-defined]
        process.wait()

        with pytest.raises(CannotJudge, match="git cannot read the object"):
            tree.read("a")
        assert tree.read("a") == b"1"
