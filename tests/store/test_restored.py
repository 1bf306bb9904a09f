"""A tree in which some files are what they were in others."""

from __future__ import annotations

import pytest

from accord.store.git import Repository
from accord.store.restored import RestoredTree
from accord.store.tree import MemoryTree
from tests.support.repos import Repo

OLD = MemoryTree({"a/kept": b"old", "a/gone": b"was here"})
NEW = MemoryTree({"a/kept": b"new", "a/other": b"x"})


class TestFiles:
    @pytest.fixture
    def tree(self) -> RestoredTree:
        return RestoredTree(NEW, {"a/kept": OLD, "a/gone": OLD, "a/other": OLD})

    def test_they_are_those_of_the_other_tree(self, tree: RestoredTree) -> None:
        assert tree.read("a/kept") == b"old"
        assert tree.read("a/gone") == b"was here"
        assert tree.find("a/kept") == OLD.find("a/kept")

    def test_what_the_other_tree_lacks_is_gone(self, tree: RestoredTree) -> None:
        assert tree.find("a/other") is None
        assert [entry.path for entry in tree.list("a")] == ["a/gone", "a/kept"]
        with pytest.raises(KeyError):
            tree.read("a/other")

    def test_the_rest_is_as_it_was(self) -> None:
        tree = RestoredTree(NEW, {"a/kept": OLD})
        assert tree.read("a/other") == b"x"
        assert tree.id == NEW.id


class TestDifferences:
    """A repository compares such trees without listing all that both have."""

    @pytest.fixture
    def commits(self, repo: Repo) -> tuple[str, str]:
        first = repo.commit({"a/kept": "old", "a/gone": "was here", "b": "b"})
        repo.git("rm", "-q", "a/gone")
        return first, repo.commit({"a/kept": "new", "a/more": "more"})

    @pytest.mark.parametrize(
        ("restored", "expected"),
        [
            ((), ("a/gone", "a/kept", "a/more")),
            (("a/gone",), ("a/kept", "a/more")),
            (("a/gone", "a/kept"), ("a/more",)),
            (("a/more",), ("a/gone", "a/kept")),
        ],
    )
    def test_both_ways(
        self, repo: Repo, commits: tuple[str, str], restored: tuple[str, ...], expected: object
    ) -> None:
        repository = Repository.discover(repo.path)
        old, new = map(repository.commit, commits)
        tree = RestoredTree(new, dict.fromkeys(restored, old))
        assert repository.changed_paths(old, tree) == expected
        assert repository.changed_paths(tree, old) == expected
        assert repository.changed_paths(tree, new, "a") == tuple(sorted(restored))
        assert repository.changed_paths(tree, tree) == ()
