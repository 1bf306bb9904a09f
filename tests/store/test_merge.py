"""The merge that nobody has made: what git itself would give, and nothing left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.store.merge import merging
from tests.store.test_git import fake_git
from tests.support.repos import OBJECT_FORMATS, ObjectFormat, Repo
from tests.support.tables import table

LINES = "".join(f"line {number}\n" for number in range(20))


def one_side_each(repo: Repo) -> None:
    """Both change one file, far apart."""
    repo.commit({"a.txt": LINES.replace("line 1\n", "theirs\n")})
    repo.git("switch", "-q", "main")
    repo.commit({"a.txt": LINES.replace("line 18\n", "ours\n")})


def criss_cross(repo: Repo) -> None:
    """Two merge bases, of which either alone gives another result than both."""
    git = repo.git
    repo.commit({"b.txt": "b\n"})
    git("branch", "b1")
    git("switch", "-q", "main")
    repo.commit({"a.txt": "newer\n"})
    git("branch", "m1")
    git("merge", "-q", "--no-ff", "-m", "m2", "b1")
    git("switch", "-q", "work")
    git("merge", "-q", "--no-ff", "-m", "b2", "m1")
    git("checkout", "b1", "--", "a.txt")
    git("commit", "-q", "--amend", "-m", "b2, with the older file")
    repo.commit({"c.txt": "innocent\n"})


def renamed_on_the_target(repo: Repo) -> None:
    """An edit of a file goes to where the target has moved it."""
    repo.commit({"a.txt": LINES.replace("line 1\n", "theirs\n")})
    repo.git("switch", "-q", "main")
    repo.git("mv", "a.txt", "moved.txt")
    repo.git("commit", "-qm", "moved")


def removed_beside(repo: Repo) -> None:
    repo.git("rm", "-q", "a.txt")
    repo.git("commit", "-qm", "gone")
    repo.git("switch", "-q", "main")
    repo.commit({"b.txt": "b\n"})


def both_alike(repo: Repo) -> None:
    """In one line, each in its way."""
    repo.commit({"a.txt": LINES.replace("line 1\n", "theirs\n")})
    repo.git("switch", "-q", "main")
    repo.commit({"a.txt": LINES.replace("line 1\n", "ours\n")})


def begin(path: Path, build: Callable[[Repo], None], object_format: ObjectFormat = "sha1") -> Repo:
    """`main`, and `work` that left it; `work` is checked out."""
    repo = Repo.init(path, object_format, "-b", "main")
    repo.commit({"a.txt": LINES})
    repo.git("switch", "-qc", "work")
    build(repo)
    repo.git("switch", "-q", "work")
    return repo


def merge(repo: Repo) -> tuple[str, tuple[str, ...], str]:
    """The merge of work into main: its commit, its parents, its tree."""
    repository = Repository.discover(repo.path)
    with merging(repository, *(repo.git("rev-parse", one) for one in ("main", "work"))) as made:
        seen = made.repository
        return made.commit, seen.parents(made.commit), seen.commit(made.commit).tree_oid


CLEAN = table(
    ("build",),
    {
        one.__name__.replace("_", " "): (one,)
        for one in (one_side_each, criss_cross, renamed_on_the_target, removed_beside)
    },
)


@CLEAN
def test_it_is_what_git_merge_gives(tmp_path: Path, build: Callable[[Repo], None]) -> None:
    repo = begin(tmp_path / "repo", build)
    _, parents, tree = merge(repo)
    assert parents == tuple(repo.git("rev-parse", "main", "work").split())
    repo.git("switch", "-q", "--detach", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
    assert tree == repo.git("rev-parse", "HEAD^{tree}")


def test_two_bases_are_not_one(tmp_path: Path) -> None:
    """The newer of the bases says that only the branch has changed a.txt; both together too."""
    repo = begin(tmp_path / "repo", criss_cross)
    assert len(repo.git("merge-base", "--all", "main", "work").split()) == 2
    repository = Repository.discover(repo.path)
    with merging(repository, *repo.git("rev-parse", "main", "work").split()) as made:
        assert made.repository.commit(made.commit).read("a.txt") == LINES.encode()


@pytest.mark.parametrize("object_format", OBJECT_FORMATS)
@pytest.mark.parametrize("name", ["plain", 'o:d"d', "back\\slash", "ünï"])
def test_nothing_is_written(tmp_path: Path, name: str, object_format: ObjectFormat) -> None:
    repo = begin(tmp_path / name, one_side_each, object_format)
    before = sorted((repo.path / ".git").rglob("*"))
    commit, _, _ = merge(repo)
    assert sorted((repo.path / ".git").rglob("*")) == before
    assert not Repository.discover(repo.path).has(commit)


def test_it_is_the_same_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = begin(tmp_path / "repo", one_side_each)
    first = merge(repo)
    monkeypatch.setenv("GIT_COMMITTER_NAME", "somebody else")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    repo.git("config", "user.name", "another")
    assert merge(repo) == first


def in_the_work_tree(repo: Repo) -> None:
    repo.commit({".gitattributes": "a.txt merge=union\n"})


def in_the_git_directory(repo: Repo) -> None:
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "attributes").write_text("a.txt merge=union\n")


def in_the_configuration(repo: Repo) -> None:
    repo.commit({".gitattributes": "a.txt merge=mine\n"})
    repo.git("config", "merge.mine.driver", "true")
    repo.git("config", "merge.default", "union")


def of_the_user(repo: Repo) -> None:
    attributes = repo.path.parent / "attributes"
    attributes.write_text("a.txt merge=union\n")
    repo.git("config", "core.attributesFile", str(attributes))


def at_the_usual_place(repo: Repo) -> None:
    folder = Path.home() / ".config" / "git"
    folder.mkdir(parents=True)
    (folder / "attributes").write_text("a.txt merge=union\n")
    (folder / "config").write_text("[merge]\n\tdefault = union\n")


@table(
    ("place",),
    {
        one.__name__.replace("_", " "): (one,)
        for one in (
            in_the_work_tree,
            in_the_git_directory,
            in_the_configuration,
            of_the_user,
            at_the_usual_place,
        )
    },
)
def test_nobody_says_how_to_merge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Callable[[Repo], None]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    repo = begin(tmp_path / "repo", both_alike)
    place(repo)
    with pytest.raises(CannotJudge, match=r"by itself: a\.txt conflict") as error:
        merge(repo)
    assert "merge the target into the branch" in error.value.hint


def test_many_conflicts_are_counted(tmp_path: Path) -> None:
    def build(repo: Repo) -> None:
        repo.commit({f"{number}.txt": "theirs\n" for number in range(7)})
        repo.git("switch", "-q", "main")
        repo.commit({f"{number}.txt": "ours\n" for number in range(7)})

    with pytest.raises(CannotJudge, match=r"4\.txt and 2 more conflict"):
        merge(begin(tmp_path / "repo", build))


def test_a_head_that_stands_on_the_target(tmp_path: Path) -> None:
    def build(repo: Repo) -> None:
        repo.commit({"b.txt": "b\n"})

    repo = begin(tmp_path / "repo", build)
    assert merge(repo)[0] == repo.git("rev-parse", "work")


def test_two_histories(tmp_path: Path) -> None:
    def build(repo: Repo) -> None:
        repo.git("switch", "-q", "--orphan", "other")
        repo.commit({"b.txt": "b\n"})
        repo.git("branch", "-f", "work")

    with pytest.raises(UsageError, match="no commit in common"):
        merge(begin(tmp_path / "repo", build))


def test_what_is_not_at_hand(tmp_path: Path) -> None:
    """A blob that only the other clone has."""
    source = begin(tmp_path / "source", one_side_each)
    blob = source.git("rev-parse", "work:a.txt")
    (source.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CannotJudge, match="git cannot merge"):
        merge(source)


def test_a_shallow_clone(tmp_path: Path) -> None:
    source = begin(tmp_path / "source", one_side_each)
    clone = Repo.clone(source, tmp_path / "clone", "--depth=1", "--no-single-branch")
    clone.git("branch", "-f", "main", "origin/main")
    with pytest.raises(CannotJudge) as error:
        merge(clone)
    assert "fetch-depth: 0" in error.value.hint


@table(
    ("script", "message", "hint"),
    {
        "too old": (
            'case "$*" in *version) echo git version 2.37.9;; *) exec "$GIT" "$@";; esac',
            "git version 2.37.9 cannot say what a merge would give",
            "install git 2.38 or newer; or merge or rebase the branch onto its target first",
        ),
        "nothing to merge with": (
            'case "$*" in *merge-tree*) echo no >&2; exit 1;; *) exec "$GIT" "$@";; esac',
            "git cannot merge .* no",
            "git fsck",
        ),
        "no commit": (
            'case "$*" in *commit-tree*) echo full >&2; exit 1;; *) exec "$GIT" "$@";; esac',
            "git cannot keep a merge beside the repository: full",
            "TMPDIR",
        ),
    },
)
def test_a_git_that_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str, hint: str
) -> None:
    repo = begin(tmp_path / "repo", one_side_each)
    fake_git(tmp_path / "bin", script, monkeypatch)
    with pytest.raises(CannotJudge, match=message) as error:
        merge(repo)
    assert hint in error.value.hint


def test_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = begin(tmp_path / "repo", one_side_each)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(CannotJudge, match="cannot be made") as error:
        merge(repo)
    assert "TMPDIR" in error.value.hint
