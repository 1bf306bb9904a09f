"""What is too large is not read: git says how large it is before it gives it."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path

import pytest

from accord.errors import CannotJudge
from accord.model.ids import digest_bytes
from accord.store import git_trees, objects
from accord.store.git import Repository
from accord.store.load import load_decision, load_policy
from accord.store.mentions import Mention, Mentions
from accord.store.objects import TooLarge
from accord.store.tree import MemoryTree, OverlayTree, Tree
from tests.store.test_objects import BLOB, store_raw
from tests.support.repos import Repo

DECISION = "decisions/2026-11-30-x"
VOTE = f"{DECISION}/rounds/1/votes/dana.yaml"
LARGE = 40 << 20


@pytest.fixture
def repository(repo: Repo) -> Repository:
    return Repository.discover(repo.path)


def test_of_a_large_object_only_the_size_is_read(repo: Repo, repository: Repository) -> None:
    large, small, middle = repo.blob(bytes(LARGE)), repo.blob(b"x"), repo.blob(b"y" * 300_000)

    tracemalloc.start()
    found = repository.objects.read_up_to((small, large, middle, large, small), 1000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found == [b"x", LARGE, 300_000, LARGE, b"x"]
    assert most < 1 << 20
    assert repository.objects.read(small) == b"x"


def test_a_digest_is_made_without_holding_the_bytes(repo: Repo, repository: Repository) -> None:
    large = repo.blob(bytes(LARGE))

    tracemalloc.start()
    digest = repository.objects.digest(large)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert digest == hashlib.sha256(bytes(LARGE)).hexdigest()
    assert most < 4 << 20
    assert repository.objects.digest(large) == digest
    assert repository.objects.digest(large, 10) == LARGE


def test_what_is_larger_than_anything_that_is_held(
    repo: Repo, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    oid = repo.blob(b"x" * 100)
    monkeypatch.setitem(objects.MOST_HELD, "blob", 99)

    with pytest.raises(TooLarge, match="has 100 bytes, and no more than 99 are read") as caught:
        repository.objects.read(oid)

    assert caught.value.size == 100


def test_no_more_is_hashed_than_may_be(repo: Repo, repository: Repository) -> None:
    first, second, third = (repo.blob(bytes([one]) * 60) for one in range(3))
    repository.objects.bound(130)

    assert isinstance(repository.objects.digest(first), str)
    assert isinstance(repository.objects.digest(first), str)
    assert repository.objects.digest(second, 59) == 60
    assert isinstance(repository.objects.digest(second), str)
    with pytest.raises(TooLarge):
        repository.objects.digest(third)
    with pytest.raises(TooLarge):
        repository.objects.digest(third, 60)


@pytest.mark.parametrize("where", ["commit", "index", "memory", "overlay"])
def test_every_tree_says_the_same(repo: Repo, where: str) -> None:
    files = {"a": b"x", "b": b"y" * 50}
    commit = repo.commit(files)
    repository = Repository.discover(repo.path)
    memory = MemoryTree(files)
    trees: dict[str, Tree] = {
        "commit": repository.commit(commit),
        "index": repository.index(),
        "memory": memory,
        "overlay": OverlayTree(MemoryTree({"a": b"x"}), {"b": files["b"]}),
    }
    tree = trees[where]

    assert list(tree.read_up_to(tree.list(), 10)) == [b"x", 50]
    assert tree.digest("b") == digest_bytes(files["b"])
    assert tree.digest("b", 50) == digest_bytes(files["b"])
    assert tree.digest("b", 49) == 50
    with pytest.raises(KeyError):
        tree.digest("c")


def test_a_decision_of_large_files(repo: Repo) -> None:
    files = {
        VOTE: b"x" * 262_145,
        f"{VOTE}.sig": b"y" * 262_145,
        f"{DECISION}/rounds/1/proposal.yaml": b"z" * 262_145,
        f"{DECISION}/evidence/log": bytes(10_485_761),
        f"{DECISION}/evidence/short": b"1",
    }
    repository = Repository.discover(repo.path)
    tree = repository.commit(repo.commit(files))

    loaded = load_decision(tree, "2026-11-30-x")

    assert [one.code for one in loaded.findings] == ["file-too-large"] * 4
    assert loaded.files == ()
    assert set(loaded.evidence) == {f"{DECISION}/evidence/short"}
    wanted = Mention("text", "x")
    assert Mentions().find(tree, (wanted,)) == {wanted: frozenset()}


def test_a_large_policy(repo: Repo) -> None:
    tree = Repository.discover(repo.path).commit(
        repo.commit({"decisions/policy.yaml": b"a" * 262_145})
    )

    loaded = load_policy(tree)

    assert loaded.policy is None
    assert [one.code for one in loaded.findings] == ["file-too-large"]


def test_a_folder_that_holds_itself_is_not_listed(
    repo: Repo, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kilobyte of trees that has 10^30 files."""
    oid = store_raw(repo, "tree", b"".join(b"100644 %d\0" % one + BLOB for one in range(10)))
    for _ in range(30):
        inner = bytes.fromhex(oid)
        oid = store_raw(repo, "tree", b"".join(b"40000 %d\0" % one + inner for one in range(10)))
    repo.blob(b"1")
    commit = repo.git("commit-tree", oid, "-m", "x")
    monkeypatch.setattr(git_trees, "MOST_FILES", 5000)

    with pytest.raises(CannotJudge, match="holds more than 5,000 files"):
        repository.commit(commit).list()


def test_git_may_say_so_much_and_no_more(repo: Repo, repository: Repository) -> None:
    repo.commit({f"file-{number}": b"" for number in range(200)})

    assert repository.reading.list("ls-tree", "HEAD", most=100_000).status == 0
    assert repository.reading.list("ls-tree", "nowhere").err
    with pytest.raises(CannotJudge, match="`git ls-tree` names more files than can be judged"):
        repository.reading.list("ls-tree", "HEAD", most=100)


def test_a_path_that_no_system_has_is_not_followed(repo: Repo, repository: Repository) -> None:
    oid = store_raw(repo, "tree", b"100644 x\0" + BLOB)
    for _ in range(30):
        oid = store_raw(repo, "tree", b"40000 " + b"n" * 200 + b"\0" + bytes.fromhex(oid))
    commit = repo.git("commit-tree", oid, "-m", "x")

    with pytest.raises(CannotJudge, match="paths of more than 4,096 characters"):
        repository.commit(commit).list()


def test_sizes_are_gits_own(repo: Repo, repository: Repository, tmp_path: Path) -> None:
    oids = [repo.blob(b"x" * size) for size in (1, 1000)]

    assert repository.sizes({*oids, "0" * 40}) == {oids[0]: 1, oids[1]: 1000, "0" * 40: 0}
    assert repository.sizes(()) == {}
