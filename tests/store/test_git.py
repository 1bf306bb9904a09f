"""The repository: where it is, what is in it, and what git refuses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.store.tree import MemoryTree, OverlayTree, TreeEntry, blob_id
from tests.support.repos import ObjectFormat, Repo
from tests.support.tables import table


def fake_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put another `git` before the real one; `$GIT` in the script is the real one."""
    folder.mkdir()
    git = folder / "git"
    git.write_text(f"#!/bin/sh\nGIT={shutil.which('git')}\n{script}\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


class TestDiscover:
    @pytest.mark.parametrize("below", ["", "deep/down"])
    def test_from_anywhere_in_the_working_tree(self, repo: Repo, below: str) -> None:
        start = repo.path / below
        start.mkdir(parents=True, exist_ok=True)

        found = Repository.discover(start)

        assert found.root == repo.path
        assert found.git_dir == found.common_dir == repo.path / ".git"

    @pytest.mark.parametrize("object_format", ["sha1", "sha256"])
    def test_knows_how_objects_are_named(self, tmp_path: Path, object_format: ObjectFormat) -> None:
        repo = Repo.init(tmp_path, object_format)

        assert Repository.discover(repo.path).object_format == object_format

    def test_a_bare_repository_has_no_root(self, tmp_path: Path) -> None:
        bare = Repo.init(tmp_path / "bare.git", "sha1", "--bare")

        found = Repository.discover(bare.path)

        assert found.root is None
        assert found.git_dir == bare.path

    def test_inside_the_git_directory_there_is_no_root(self, repo: Repo) -> None:
        commit = repo.commit({"a": "1"})

        found = Repository.discover(repo.path / ".git")

        assert found.root is None
        assert found.head() == commit

    def test_a_linked_worktree_has_its_own_git_directory(self, repo: Repo, tmp_path: Path) -> None:
        repo.commit({"a": "1"})
        repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))

        found = Repository.discover(tmp_path / "linked")

        assert found.root == tmp_path / "linked"
        assert found.git_dir == repo.path / ".git/worktrees/linked"
        assert found.common_dir == repo.path / ".git"
        assert found.branch() == "side"

    def test_a_submodule_is_a_repository_of_its_own(self, repo: Repo, tmp_path: Path) -> None:
        inner = Repo.init(tmp_path / "inner")
        inside = inner.commit({"decisions/policy.yaml": "inner"})
        repo.git("submodule", "--quiet", "add", inner.path.as_uri(), "parts/inner")
        around = repo.commit({"decisions/policy.yaml": "outer"})

        outer = Repository.discover(repo.path / "parts")
        found = Repository.discover(repo.path / "parts/inner/decisions")

        assert outer.head() == around
        assert found.root == repo.path / "parts/inner"
        assert found.head() == inside
        assert found.index().read("decisions/policy.yaml") == b"inner"
        assert outer.index().find("parts/inner") == TreeEntry("parts/inner", "160000", inside)
        with pytest.raises(KeyError):
            outer.index().read("parts/inner")

    def test_a_path_with_odd_letters(self, tmp_path: Path) -> None:
        repo = Repo.init(tmp_path / "ünï 'cödé'")

        assert Repository.discover(repo.path).root == repo.path

    def test_no_repository(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="no git repository") as refused:
            Repository.discover(tmp_path)

        assert "git init" in refused.value.hint

    def test_no_such_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CannotJudge, match="cannot change to"):
            Repository.discover(tmp_path / "missing")

    def test_somebody_elses_repository(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        script = 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$GIT" "$@"'
        fake_git(tmp_path / "bin", script, monkeypatch)

        with pytest.raises(CannotJudge, match="somebody else") as refused:
            Repository.discover(repo.path)

        assert f"git config --global --add safe.directory {repo.path}" in refused.value.hint

    def test_bare_repositories_may_be_forbidden(self, tmp_path: Path) -> None:
        bare = Repo.init(tmp_path / "bare.git", "sha1", "--bare")
        bare.git("config", "--global", "safe.bareRepository", "explicit")

        with pytest.raises(CannotJudge, match="bare") as refused:
            Repository.discover(bare.path)

        assert "safe.bareRepository" in refused.value.hint

    @pytest.mark.parametrize("version", ["2.20.1", "2.30.9"])
    def test_an_old_git(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
    ) -> None:
        # What rev-parse does not know it prints as it is.
        script = (
            'case "$*" in\n'
            f"  *version*) echo 'git version {version}';;\n"
            '  *) for word; do echo "$word"; done;;\n'
            "esac"
        )
        fake_git(tmp_path / "bin", script, monkeypatch)

        with pytest.raises(CannotJudge, match=f"git version {version} is too old") as refused:
            Repository.discover(repo.path)

        assert "2.31" in refused.value.hint

    def test_a_repository_of_a_later_git(self, repo: Repo) -> None:
        repo.git("config", "core.repositoryFormatVersion", "1")
        repo.git("config", "extensions.fromTheFuture", "true")

        with pytest.raises(CannotJudge, match=r"(?i)fromthefuture"):
            Repository.discover(repo.path)

    @pytest.mark.parametrize("executable", [None, 0o644])
    def test_no_git(
        self,
        repo: Repo,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        executable: int | None,
    ) -> None:
        (tmp_path / "bin").mkdir()
        if executable:
            (tmp_path / "bin/git").touch(executable)
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))

        with pytest.raises(CannotJudge, match="git cannot be run") as refused:
            Repository.discover(repo.path)

        assert "install git" in refused.value.hint

    def test_no_git_when_accord_starts(self, repo: Repo) -> None:
        """GitPython looks for git when it is imported, which must not be an error of its own."""
        program = (
            "from pathlib import Path\n"
            "from accord.errors import CannotJudge\n"
            "from accord.store.git import Repository\n"
            "try: Repository.discover(Path.cwd())\n"
            "except CannotJudge as refused: print(refused.message)\n"
        )

        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=repo.path,
            env=os.environ | {"PATH": "/nowhere"},
            capture_output=True,
            text=True,
            check=True,
        )

        assert done.stdout == "git cannot be run\n"
        assert done.stderr == ""

    def test_the_variables_of_an_outer_git_do_not_lead_away(
        self, any_repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        commit = any_repo.commit({"a": "1"})
        other = Repo.init(tmp_path / "other")
        other.commit({"b": "1"})
        for name, value in {
            "GIT_DIR": f"{other.path}/.git",
            "GIT_WORK_TREE": str(other.path),
            "GIT_INDEX_FILE": f"{other.path}/.git/index",
            "GIT_OBJECT_DIRECTORY": f"{other.path}/.git/objects",
            "GIT_NAMESPACE": "elsewhere",
            "GIT_PYTHON_GIT_EXECUTABLE": "/nowhere/git",
        }.items():
            monkeypatch.setenv(name, value)

        found = Repository.discover(any_repo.path)

        assert found.head() == commit
        assert [entry.path for entry in found.index().list()] == ["a"]
        assert os.environ["GIT_NAMESPACE"] == "elsewhere"


class TestHistory:
    def test_head_of_a_new_repository_is_none(self, any_repo: Repo) -> None:
        repository = Repository.discover(any_repo.path)

        assert repository.head() is None
        assert repository.branch() == "main"
        assert repository.index().list() == ()

    def test_head_of_an_empty_bare_repository_is_none(self, tmp_path: Path) -> None:
        bare = Repo.init(tmp_path / "bare.git", "sha1", "--bare")

        assert Repository.discover(bare.path).head() is None

    def test_a_detached_head_is_on_no_branch(self, any_repo: Repo) -> None:
        first = any_repo.commit({"a": "1"})
        any_repo.commit({"a": "2"})
        any_repo.git("checkout", "--quiet", first)
        repository = Repository.discover(any_repo.path)

        assert repository.head() == first
        assert repository.branch() is None

    @pytest.mark.parametrize("content", ["", "garbage\n"], ids=["emptied", "garbage"])
    def test_a_damaged_branch_is_not_a_new_repository(self, repo: Repo, content: str) -> None:
        repo.commit({"a": "1"})
        (repo.path / ".git/refs/heads/main").write_text(content)

        with pytest.raises(CannotJudge, match="HEAD cannot be read"):
            Repository.discover(repo.path).head()

    def test_a_branch_whose_commit_is_missing(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        (repo.path / ".git/refs/heads/main").write_text("1" * 40 + "\n")

        with pytest.raises(CannotJudge, match="1111 is not in this repository") as refused:
            Repository.discover(repo.path).index()

        assert "git fsck" in refused.value.hint

    def test_resolves_names_abbreviations_and_expressions(self, any_repo: Repo) -> None:
        first = any_repo.commit({"a": "1"})
        second = any_repo.commit({"a": "2"})
        any_repo.git("tag", "-a", "-m", "x", "v1", first)
        repository = Repository.discover(any_repo.path)

        meanings = {"HEAD": second, "main": second, "HEAD^1": first, "v1": first, first[:9]: first}
        assert {name: repository.resolve(name) for name in meanings} == meanings

    @pytest.mark.parametrize(
        "revision", ["", "nowhere", "^main", "HEAD^", "--all", "main:a", "HEAD..HEAD", "a b\nc"]
    )
    def test_what_means_no_commit(self, repo: Repo, revision: str) -> None:
        repo.commit({"a": "1"})

        with pytest.raises(UsageError, match="no commit is called"):
            Repository.discover(repo.path).resolve(revision)

    def test_a_nul_is_no_revision(self, repo: Repo) -> None:
        with pytest.raises(UsageError, match="NUL"):
            Repository.discover(repo.path).resolve("a\0b")

    def test_a_commit_that_is_not_at_hand(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        repository = Repository.discover(repo.path)

        with pytest.raises(CannotJudge, match="is not at hand"):
            repository.resolve("2" * 40)
        with pytest.raises(CannotJudge, match="is not in this repository"):
            repository.commit("2" * 40)
        assert not repository.has("2" * 40)

    def test_parents_and_time_are_those_of_the_commit(self, any_repo: Repo) -> None:
        first = any_repo.commit({"a": "1"})
        any_repo.git("checkout", "--quiet", "-b", "side")
        side = any_repo.commit({"b": "1"})
        any_repo.git("checkout", "--quiet", "main")
        trunk = any_repo.commit({"c": "1"})
        any_repo.git("merge", "--quiet", "--no-edit", "side")
        repository = Repository.discover(any_repo.path)
        merge = repository.resolve("HEAD")

        assert repository.parents(merge) == (trunk, side)
        assert repository.parents(first) == ()
        assert repository.commit_time(first) == "2026-11-30T12:00:00Z"

    def test_a_graft_moves_no_parent(self, repo: Repo) -> None:
        first = repo.commit({"a": "1"})
        second = repo.commit({"a": "2"})
        (repo.path / ".git/info").mkdir(exist_ok=True)
        (repo.path / ".git/info/grafts").write_text(f"{second}\n")

        assert Repository.discover(repo.path).parents(second) == (first,)

    def test_a_replaced_object_is_read_as_it_was(self, any_repo: Repo) -> None:
        commit = any_repo.commit({"vote": "disagree"})
        any_repo.git("replace", any_repo.blob(b"disagree"), any_repo.blob(b"agree"))
        other = any_repo.git("commit-tree", "-m", "other", any_repo.git("write-tree"))
        any_repo.git("replace", commit, other)
        repository = Repository.discover(any_repo.path)

        assert any_repo.git("show", f"{other}:vote") == "agree"
        assert repository.commit(commit).read("vote") == b"disagree"
        assert repository.index().read("vote") == b"disagree"
        assert repository.changed_paths(repository.commit(commit), repository.index()) == ()

    def test_a_file_at_a_revision(self, any_repo: Repo) -> None:
        first = any_repo.commit({"a": "1\r\n"})
        any_repo.stage_entry("120000", any_repo.blob(b"a"), "link")
        any_repo.stage_entry("100755", any_repo.blob(b"#!"), "tool")
        second = any_repo.commit({"a": "2"})
        repository = Repository.discover(any_repo.path)

        assert repository.file_at(first, "a") == b"1\r\n"
        assert repository.file_at(second, "a") == b"2"
        assert repository.file_at(second, "tool") == b"#!"
        assert repository.file_at(first, "link") is None
        assert repository.file_at(second, "link") is None
        assert repository.has(first)
        with pytest.raises(CannotJudge):
            repository.file_at("3" * len(first), "a")
        with pytest.raises(CannotJudge):
            repository.file_at(first[:12], "a")

    def test_a_shallow_clone_names_the_command_that_deepens_it(
        self, repo: Repo, tmp_path: Path
    ) -> None:
        first = repo.commit({"a": "1"})
        second = repo.commit({"a": "2"})
        shallow = Repo.clone(repo, tmp_path / "shallow", "--depth=1")
        repository = Repository.discover(shallow.path)

        assert repository.parents(second) == (first,)
        for ask in (repository.commit, repository.resolve, lambda _: repository.resolve("HEAD^1")):
            with pytest.raises(CannotJudge) as refused:
                ask(first)
            assert "git fetch --unshallow" in refused.value.hint
        with pytest.raises(UsageError):
            repository.resolve("nowhere")

        shallow.git("fetch", "--quiet", "--unshallow")

        assert Repository.discover(shallow.path).commit(first).read("a") == b"1"

    @pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
    def test_a_partial_clone_is_not_completed_behind_the_back(
        self, repo: Repo, tmp_path: Path, left_out: str
    ) -> None:
        first = repo.commit({"folder/a": "1"})
        repo.commit({"folder/a": "2"})
        repo.git("config", "uploadpack.allowFilter", "true")
        partial = Repo.clone(repo, tmp_path / "partial", f"--filter={left_out}", "--no-checkout")
        repository = Repository.discover(partial.path)

        with pytest.raises(CannotJudge, match="cannot read the object") as refused:
            repository.commit(first).read("folder/a")

        assert "git fetch --refetch --no-filter" in refused.value.hint
        partial.git("fetch", "--quiet", "--refetch", "--no-filter")
        assert repository.commit(first).read("folder/a") == b"1"

    def test_trees_that_a_partial_clone_left_out_cannot_be_compared(
        self, repo: Repo, tmp_path: Path
    ) -> None:
        repo.commit({"folder/a": "1"})
        repo.git("config", "uploadpack.allowFilter", "true")
        partial = Repo.clone(repo, tmp_path / "partial", "--filter=tree:0", "--no-checkout")

        with pytest.raises(CannotJudge, match="cannot compare") as refused:
            Repository.discover(partial.path).index()

        assert "git fetch --refetch --no-filter" in refused.value.hint


class TestIndex:
    def test_is_what_is_staged_not_what_lies_there(self, any_repo: Repo) -> None:
        any_repo.commit({"a": "committed", "b": "committed", "c": "committed"})
        any_repo.add({"a": "staged", "new": "staged"})
        any_repo.git("rm", "--quiet", "--cached", "c")
        any_repo.write({"a": "typed", "b": "typed", "untracked": "typed"})
        index = Repository.discover(any_repo.path).index()

        assert {entry.path: index.read(entry.path) for entry in index.list()} == {
            "a": b"staged",
            "b": b"committed",
            "new": b"staged",
        }
        assert index.id == "index"

    def test_shows_links_submodules_and_executables_by_mode(self, any_repo: Repo) -> None:
        head = any_repo.commit({"plain": "1"})
        oid = any_repo.blob(b"../outside")
        any_repo.stage_entry("120000", oid, "decisions/link")
        any_repo.stage_entry("160000", head, "decisions/part")
        any_repo.stage_entry("100755", oid, "decisions/tool")
        index = Repository.discover(any_repo.path).index()

        modes = {entry.path: entry.mode for entry in index.list("decisions")}
        assert modes == {
            "decisions/link": "120000",
            "decisions/part": "160000",
            "decisions/tool": "100755",
        }
        assert index.read("decisions/link") == b"../outside"

    def test_a_hidden_submodule_is_seen(self, any_repo: Repo) -> None:
        head = any_repo.commit({"a": "1"})
        settings = '[submodule "x"]\n\tpath = decisions/x\n\turl = ./x\n\tignore = all\n'
        any_repo.add({".gitmodules": settings})
        any_repo.stage_entry("160000", head, "decisions/x")
        any_repo.git("config", "diff.ignoreSubmodules", "all")
        repository = Repository.discover(any_repo.path)
        base = repository.commit(head)

        assert repository.changed_paths(base, repository.index(), "decisions") == ("decisions/x",)
        commit = repository.commit(any_repo.commit({}))
        assert repository.changed_paths(base, commit, "decisions") == ("decisions/x",)

    def test_an_intended_file_is_not_there_yet(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        repo.write({"later": "1"})
        repo.git("add", "--intent-to-add", "later")

        assert [entry.path for entry in Repository.discover(repo.path).index().list()] == ["a"]

    def test_a_conflict_is_not_a_tree(self, any_repo: Repo) -> None:
        conflict(any_repo, [f"decisions/{name}" for name in "abcdefg"])

        with pytest.raises(UsageError, match=r"decisions/a, .*, …") as refused:
            Repository.discover(any_repo.path).index()

        assert "git add" in refused.value.hint

    def test_a_resolved_merge_is_what_will_be_committed(self, any_repo: Repo) -> None:
        conflict(any_repo, ["a"])
        any_repo.add({"a": "resolved"})
        index = Repository.discover(any_repo.path).index()

        assert index.read("a") == b"resolved"

    def test_a_sparse_index_holds_what_is_not_checked_out(self, repo: Repo) -> None:
        commit = repo.commit({"decisions/x/vote": "1", "src/a": "1", "src/deep/b": "1"})
        repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src/deep")
        repo.stage_entry("100644", repo.blob(b"2"), "src/new")
        repository = Repository.discover(repo.path)

        assert not (repo.path / "decisions").exists()
        assert [entry.path for entry in repository.index().list()] == [
            "decisions/x/vote",
            "src/a",
            "src/deep/b",
            "src/new",
        ]
        assert repository.index().read("decisions/x/vote") == b"1"
        assert repository.changed_paths(repository.commit(commit), repository.index()) == (
            "src/new",
        )


def conflict(repo: Repo, paths: list[str]) -> None:
    """Stop in the middle of a merge that needs a hand at some paths."""
    repo.commit(dict.fromkeys(paths, "base"))
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit(dict.fromkeys(paths, "theirs"))
    repo.git("checkout", "--quiet", "main")
    repo.commit(dict.fromkeys(paths, "ours"))
    stopped = subprocess.run(
        ["git", "merge", "side"], cwd=repo.path, capture_output=True, check=False
    )
    assert stopped.returncode == 1


HOOK_COMMITS: dict[str, tuple[str, ...]] = {
    "commit": ("commit",),
    "commit-a": ("commit", "-a"),
    "commit-path": ("commit", "--", "a", "new"),
    "amend": ("commit", "--amend"),
}


class TestIndexOfAHook:
    """In a hook, `GIT_INDEX_FILE` names what will be committed, which may not be the index."""

    @pytest.mark.parametrize("linked", [False, True], ids=["main", "linked"])
    @table("command", HOOK_COMMITS)
    def test_is_the_tree_that_git_commits(
        self, repo: Repo, tmp_path: Path, command: tuple[str, ...], linked: bool
    ) -> None:
        repo.commit({"a": "1", "b": "1"})
        seen = tmp_path / "seen"
        repo.hook("pre-commit", f'exec "{sys.executable}" -c \'{LIST_INDEX}\' > "{seen}"')
        work = repo
        if linked:
            repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
            work = Repo(tmp_path / "linked")
        work.add({"b": "2", "new": "1"})
        work.write({"a": "2"})

        work.git(*command, "--quiet", "-m", "x") if "--" not in command else work.git(
            "commit", "--quiet", "-m", "x", *command[1:]
        )

        assert seen.read_text() == work.git("ls-tree", "-r", "HEAD") + "\n"

    def test_may_be_anywhere(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repo.commit({"a": "1"})
        shutil.copy(repo.path / ".git/index", tmp_path / "own-index")
        repo.add({"staged": "1"})
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "own-index"))
        repository = Repository.discover(repo.path)

        assert repository.index_file == tmp_path / "own-index"
        assert [entry.path for entry in repository.index().list()] == ["a"]

    @table(
        "named",
        {
            "in-another-repository": lambda other: f"{other.path}/.git/index",
            "of-another-commit": lambda other: f"{other.path}/.git/next-index-1.lock",
            "in-no-folder": lambda other: f"{other.path}/nowhere/index",
            "empty": lambda _: "",
        },
    )
    def test_of_another_repository_is_not_ours(
        self,
        repo: Repo,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        named: Callable[[Repo], str],
    ) -> None:
        other = Repo.init(tmp_path / "other")
        other.commit({"theirs": "1"})
        repo.commit({"ours": "1"})
        monkeypatch.setenv("GIT_INDEX_FILE", named(other))
        repository = Repository.discover(repo.path)

        assert repository.index_file == repo.path / ".git/index"
        assert [entry.path for entry in repository.index().list()] == ["ours"]

    def test_of_a_hook_in_another_repository_is_not_ours(
        self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = Repo.init(tmp_path / "other")
        repo.commit({"ours": "1"})
        monkeypatch.setenv("GIT_DIR", f"{other.path}/.git")
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index-of-other"))

        assert Repository.discover(repo.path).index_file == repo.path / ".git/index"


LIST_INDEX = (
    "from pathlib import Path; from accord.store.git import Repository\n"
    "for path, mode, oid in Repository.discover(Path.cwd()).index().list():\n"
    '    print(f"{mode} blob {oid}\\t{path}")'
)


class TestChangedPaths:
    @pytest.fixture
    def steps(self, any_repo: Repo) -> tuple[Repo, str, str]:
        """Two commits between which everything happens that can happen to a file."""
        base = any_repo.commit(
            {
                "decisions/a/changed": "1\n" * 50,
                "decisions/a/gone": "1\n" * 60,
                "decisions/a/mode": "1\n" * 70,
                "decisions/a/moved": "1\n" * 80,
                "decisions/a/same": "1",
                "decisions/ab": "1",
                "src/x": "1",
            }
        )
        any_repo.git("update-index", "--chmod=+x", "decisions/a/mode")
        any_repo.git("mv", "decisions/a/moved", "decisions/a/moved-here")
        any_repo.git("rm", "--quiet", "decisions/a/gone")
        any_repo.add({"decisions/a/changed": "2", "decisions/ab": "2", "src/x": "2"})
        any_repo.add({'decisions/a/ü"\t\n': "1", "decisions/a/*": "1"})
        any_repo.git("config", "diff.renames", "copies")
        any_repo.git("config", "diff.relative", "true")
        any_repo.git("commit", "--quiet", "-m", "x")
        return any_repo, base, any_repo.git("rev-parse", "HEAD")

    CHANGED = (
        "decisions/a/*",
        "decisions/a/changed",
        "decisions/a/gone",
        "decisions/a/mode",
        "decisions/a/moved",
        "decisions/a/moved-here",
        'decisions/a/ü"\t\n',
    )

    @pytest.mark.parametrize("prefix", ["decisions/a", "decisions/a/"])
    def test_between_commits(self, steps: tuple[Repo, str, str], prefix: str) -> None:
        repo, base, head = steps
        repository = Repository.discover(repo.path / "decisions")
        old, new = repository.commit(base), repository.commit(head)

        assert repository.changed_paths(old, new, prefix) == self.CHANGED
        assert repository.changed_paths(old, new) == (*self.CHANGED, "decisions/ab", "src/x")
        assert repository.changed_paths(new, new) == ()

    def test_prefixes_are_no_patterns(self, steps: tuple[Repo, str, str]) -> None:
        repo, base, head = steps
        repository = Repository.discover(repo.path)
        old, new = repository.commit(base), repository.commit(head)

        assert repository.changed_paths(old, new, "decisions/*") == ()
        assert repository.changed_paths(old, new, "decisions/a/*") == ("decisions/a/*",)
        assert repository.changed_paths(old, new, ":/") == ()

    def test_to_the_index_from_head_and_from_elsewhere(self, steps: tuple[Repo, str, str]) -> None:
        repo, base, head = steps
        repo.add({"decisions/a/same": "2"})
        repository = Repository.discover(repo.path)
        index = repository.index()

        from_head = repository.changed_paths(repository.commit(head), index, "decisions/a")
        from_base = repository.changed_paths(repository.commit(base), index, "decisions/a")

        assert from_head == ("decisions/a/same",)
        assert from_base == tuple(sorted((*self.CHANGED, "decisions/a/same")))

    def test_from_nothing(self, steps: tuple[Repo, str, str]) -> None:
        repo, base, _ = steps
        repository = Repository.discover(repo.path)

        assert repository.changed_paths(None, repository.commit(base), "src") == ("src/x",)

    def test_to_what_would_be_written(self, steps: tuple[Repo, str, str]) -> None:
        repo, _, head = steps
        repo.add({"decisions/a/same": "2", "decisions/ab": "3"})
        repository = Repository.discover(repo.path)
        base = repository.commit(head)
        overlay = OverlayTree(
            repository.index(), {"decisions/a/same": b"1", "decisions/new": b"1", "src/x": None}
        )

        assert repository.changed_paths(base, overlay) == (
            "decisions/ab",
            "decisions/new",
            "src/x",
        )
        assert repository.changed_paths(base, overlay, "src") == ("src/x",)

    def test_between_other_trees(self, repo: Repo) -> None:
        repository = Repository.discover(repo.path)
        base, head = MemoryTree({"a": b"1", "b": b"1"}), MemoryTree({"a": b"2", "b": b"1"})

        assert repository.changed_paths(base, head) == ("a",)


class TestConfig:
    def test_reads_one_value(self, repo: Repo) -> None:
        repo.git("config", "accord.software_engineer.key", "~/a key\nwith a line break")
        repository = Repository.discover(repo.path)

        key = repository.config("accord.software_engineer.key")

        assert key == "~/a key\nwith a line break"
        assert repository.config("accord.nobody.key") is None
        assert repository.config("no-section") is None

    def test_reads_many_values(self, repo: Repo) -> None:
        repo.git("config", "--global", "accord.dana.key", "outer")
        repo.git("config", "accord.dana.key", "inner")
        repo.git("config", "accord.Omar_x.key", "=\n")
        repo.git("config", "accord.other", "x")
        repository = Repository.discover(repo.path)

        assert repository.config_matching(r"^accord\..*\.key$") == {
            "accord.dana.key": "inner",
            "accord.Omar_x.key": "=\n",
        }
        assert repository.config_matching(r"^nothing\.") == {}


def test_close_can_be_repeated_and_reading_goes_on(repo: Repo) -> None:
    commit = repo.commit({"a": "1"})
    repository = Repository.discover(repo.path)

    repository.close()
    assert repository.commit(commit).read("a") == b"1"
    repository.close()
    repository.close()
    assert repository.file_at(commit, "a") == b"1"
    assert repository.commit(commit).find("a") == TreeEntry("a", "100644", blob_id(b"1", "sha1"))


def test_an_interrupted_command_is_ended(repo: Repo, tmp_path: Path) -> None:
    """Ctrl-C while git works (here: a hook that never ends) leaves no git behind."""
    repo.hook("pre-commit", f'echo $$ > "{tmp_path}/pid"; exec sleep 600')
    program = (
        "import signal, threading, time, os\n"
        "from pathlib import Path\n"
        "from accord.store.git import Repository\n"
        # Who starts the tests in the background ignores Ctrl-C, and children inherit that.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"pid = Path({str(tmp_path / 'pid')!r})\n"
        "def interrupt():\n"
        "    while not (pid.exists() and pid.read_text().strip()): time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "repository = Repository.discover(Path.cwd())\n"
        "repository.stage({'a': b'1'})\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "try: repository.commit_paths('x', ['a'])\n"
        "except KeyboardInterrupt: print('interrupted')\n"
        "repository.close()\n"
        "try: os.waitpid(-1, os.WNOHANG)\n"
        "except ChildProcessError: print('nothing is left')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=repo.path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    os.kill(int((tmp_path / "pid").read_text()), 9)

    assert done.stdout == "interrupted\nnothing is left\n"
