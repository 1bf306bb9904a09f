"""Names that mean several commits are refused; full names are looked for nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.errors import UsageError
from accord.store.git import Repository
from accord.store.refs import find_branch, find_remote
from tests.support.repos import Repo
from tests.support.tables import table


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two commits: `main` and origin's have the first, HEAD (`work`) has the second."""
    repo = Repo.init(tmp_path / "repo", "sha1", "-b", "main")
    first = repo.commit({"a.txt": "a\n"})
    repo.git("update-ref", "refs/remotes/origin/main", first)
    repo.git("switch", "-qc", "work")
    repo.commit({"b.txt": "b\n"})
    return repo


def first(repo: Repo) -> str:
    return repo.git("rev-parse", "refs/heads/work~1")


def resolve(repo: Repo, revision: str) -> str:
    return Repository.discover(repo.path).resolve(revision)


OTHERS = {
    "a tag like the branch": ("main", "refs/tags/main"),
    "a tag like the remote's branch": ("origin/main", "refs/tags/origin/main"),
    "a branch like the remote's": ("origin/main", "refs/heads/origin/main"),
    "a ref like the branch": ("main", "refs/main"),
    "a remote like the branch": ("main", "refs/remotes/main/HEAD"),
    "with a step back": ("main^0", "refs/tags/main"),
    "with an ancestor": ("main~0", "refs/tags/main"),
    "with a kind": ("main^{commit}", "refs/tags/main"),
}


@table(("revision", "ref"), OTHERS)
def test_a_name_of_two_commits(repo: Repo, revision: str, ref: str) -> None:
    repo.git("update-ref", ref, "work")
    with pytest.raises(UsageError, match="means several commits") as error:
        resolve(repo, revision)
    assert error.value.hint.startswith("write the full name, such as refs/")


@table(("revision", "ref"), OTHERS)
def test_a_name_of_one_commit_at_two_places(repo: Repo, revision: str, ref: str) -> None:
    repo.git("update-ref", ref, first(repo))
    assert resolve(repo, revision) == first(repo)


@pytest.mark.parametrize("ref", ["refs/tags/HEAD", "refs/heads/HEAD"])
@pytest.mark.parametrize("name", ["HEAD", "@"])
def test_a_ref_called_head(repo: Repo, name: str, ref: str) -> None:
    repo.git("update-ref", ref, first(repo))
    with pytest.raises(UsageError, match="HEAD means several commits"):
        resolve(repo, name)
    assert Repository.discover(repo.path).head() == repo.git("rev-parse", "refs/heads/work")


def test_a_tag_like_the_id_of_a_commit(repo: Repo) -> None:
    short = first(repo)[:10]
    repo.git("update-ref", f"refs/tags/{short}", "work")
    with pytest.raises(UsageError, match="means several commits") as error:
        resolve(repo, short)
    assert error.value.hint == (
        f"write the id of the commit; or remove the tag, if nobody needs it: git tag -d {short}"
    )
    repo.git("update-ref", f"refs/tags/{first(repo)}", "work")
    assert resolve(repo, first(repo)) == first(repo)


def test_an_annotated_tag_of_the_same_commit(repo: Repo) -> None:
    repo.git("tag", "-a", "-m", "m", "main", first(repo))
    assert resolve(repo, "main") == first(repo)


def test_a_full_name_is_one(repo: Repo) -> None:
    repo.git("update-ref", "refs/tags/main", "work")
    repo.git("update-ref", "refs/tags/refs/heads/main", "work")
    assert resolve(repo, "refs/heads/main") == first(repo)
    repo.git("update-ref", "refs/tags/refs/heads/gone", "work")
    with pytest.raises(UsageError, match="no commit is called"):
        resolve(repo, "refs/heads/gone")


@pytest.mark.parametrize("revision", ["HEAD^1", "@~1", "work@{0}~1", "HEAD~1^0"])
def test_other_expressions_are_git_s(repo: Repo, revision: str) -> None:
    assert len(resolve(repo, revision)) == 40


def test_the_branch_is_called_the_same_beside_a_tag(repo: Repo) -> None:
    """git's short form would be heads/work, which no policy protects."""
    repo.git("tag", "work", first(repo))
    assert Repository.discover(repo.path).branch() == "work"


def test_a_tag_is_no_branch(repo: Repo) -> None:
    """A clone may have no such branch, and a tag may be called refs/heads/…"""
    repo.git("update-ref", "refs/tags/refs/heads/other", "work")
    repo.git("update-ref", "refs/tags/refs/remotes/origin/other", "work")
    repository = Repository.discover(repo.path)
    assert find_branch(repository, "other") is None
    assert find_remote(repository, "other") is None


def test_a_tag_is_no_head(repo: Repo) -> None:
    repo.git("tag", "HEAD", first(repo))
    repo.git("symbolic-ref", "HEAD", "refs/heads/unborn")
    assert Repository.discover(repo.path).head() is None


def test_a_detached_head_beside_a_tag(repo: Repo) -> None:
    repo.git("switch", "-q", "--detach", "work")
    repo.git("tag", "HEAD", first(repo))
    assert Repository.discover(repo.path).head() == repo.git("rev-parse", "refs/heads/work")
