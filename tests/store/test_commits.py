"""Staging, committing and pushing: exact bytes, the given paths, the user's hooks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from accord.errors import AccordError, UsageError
from accord.store.git import Repository
from tests.store.test_git import conflict
from tests.support.repos import Repo
from tests.support.tables import table

BYTES = b"\x00\xff\r\nas they are\r\n"
PATH = "decisions/2026-11-30-one/evidence/log.txt"


class TestStage:
    @table(
        ("config", "attributes"),
        {
            "autocrlf": ({"core.autocrlf": "true"}, ""),
            "input": ({"core.autocrlf": "input"}, "* text=auto\n"),
            "eol": ({}, "* text eol=crlf\n"),
            "ident": ({}, "* ident\n"),
            "filter": ({"filter.shout.clean": "tr a-z A-Z"}, "* filter=shout\n"),
            "encoding": ({}, "*.txt working-tree-encoding=UTF-16\n"),
        },
    )
    def test_stages_and_commits_exact_bytes(
        self, any_repo: Repo, config: dict[str, str], attributes: str
    ) -> None:
        for key, value in config.items():
            any_repo.git("config", key, value)
        any_repo.commit({".gitattributes": attributes})
        any_repo.write({PATH: BYTES})
        repository = Repository.discover(any_repo.path / "decisions")

        repository.stage({PATH: BYTES})
        staged = repository.index().read(PATH)
        commit = repository.commit_paths("words", [PATH])

        assert staged == BYTES
        assert repository.commit(commit).read(PATH) == BYTES

    def test_stages_that_a_file_is_gone(self, any_repo: Repo) -> None:
        any_repo.commit({"gone": "1", "stays": "2"})
        repository = Repository.discover(any_repo.path)

        repository.stage({"gone": None, "never": None, "new": b"3"})

        assert any_repo.git("ls-files").split() == ["new", "stays"]

    def test_stages_nothing(self, repo: Repo) -> None:
        repo.add({"a": "1"})
        repository = Repository.discover(repo.path)

        repository.stage({})

        assert [entry.path for entry in repository.index().list()] == ["a"]

    def test_stages_what_it_is_given_not_what_lies_there(self, repo: Repo) -> None:
        repo.write({PATH: b"typed meanwhile"})
        repository = Repository.discover(repo.path)

        repository.stage({PATH: b"signed"})

        assert repository.index().read(PATH) == b"signed"

    def test_stages_odd_paths(self, any_repo: Repo) -> None:
        files = {'decisions/ü "x"\t\n*': b"1", "decisions/:(top)y": b"2", "decisions/\udcff": b"3"}
        repository = Repository.discover(any_repo.path)

        repository.stage(files)

        assert {path: repository.index().read(path) for path in files} == files

    def test_hooks_see_an_unchanged_file(self, repo: Repo) -> None:
        """What compares by time stamps alone, as pre-commit does, sees no unstaged change."""
        repo.commit({"a": "1"})
        repo.write({PATH: BYTES})

        Repository.discover(repo.path).stage({PATH: BYTES})

        assert repo.git("diff-files") == ""

    @pytest.mark.parametrize("path", ["../outside", ".git/hooks/pre-commit", "/etc/x", "a//b"])
    def test_a_path_that_git_does_not_take(self, repo: Repo, path: str) -> None:
        with pytest.raises(UsageError, match=path):
            Repository.discover(repo.path).stage({path: b"1"})

    def test_a_folder_takes_the_place_of_a_file(self, repo: Repo) -> None:
        repo.add({"decisions": "a file"})
        repository = Repository.discover(repo.path)

        repository.stage({PATH: b"1"})

        assert [entry.path for entry in repository.index().list()] == [PATH]

    def test_a_lock_of_git_is_named(self, repo: Repo) -> None:
        (repo.path / ".git/index.lock").touch()

        with pytest.raises(AccordError, match=r"index\.lock") as refused:
            Repository.discover(repo.path).stage({"a": b"1"})

        assert "another git command" in refused.value.hint

    def test_a_bare_repository_has_no_place_to_write(self, tmp_path: Path) -> None:
        bare = Repository.discover(Repo.init(tmp_path / "bare.git", "sha1", "--bare").path)

        with pytest.raises(UsageError, match="no working tree"):
            bare.stage({"a": b"1"})
        with pytest.raises(UsageError, match="no working tree"):
            bare.commit_paths("words", ["a"])


class TestCommit:
    def test_commits_the_given_paths_alone(self, any_repo: Repo) -> None:
        any_repo.commit({"mine": "1", "gone": "1", "folder/x": "1"})
        any_repo.add({"mine": "2", "new": "1"})
        any_repo.git("rm", "--quiet", "gone")
        any_repo.git("rm", "--quiet", "folder/x")
        any_repo.add({"folder": "now a file"})
        any_repo.write({"mine": "3", "untracked": "1"})
        staged = any_repo.git("diff", "--cached", "--raw", "--no-renames")
        repository = Repository.discover(any_repo.path)
        repository.stage({PATH: BYTES, "decisions/b": b"1"})

        commit = repository.commit_paths("words\n\n# kept\n", [PATH])

        assert commit == any_repo.git("rev-parse", "HEAD")
        assert any_repo.git("show", "--raw", "--format=%B", "--name-only").split("\n") == [
            "words",
            "",
            "# kept",
            "",
            "",
            PATH,
        ]
        any_repo.git("rm", "--quiet", "--cached", "decisions/b")
        assert any_repo.git("diff", "--cached", "--raw", "--no-renames") == staged
        assert (any_repo.path / "mine").read_text() == "3"

    def test_the_first_commit(self, any_repo: Repo) -> None:
        any_repo.add({"mine": "1"})
        repository = Repository.discover(any_repo.path)
        repository.stage({PATH: BYTES})

        commit = repository.commit_paths("words", [PATH])

        assert [entry.path for entry in repository.commit(commit).list()] == [PATH]
        assert any_repo.git("diff", "--cached", "--name-only") == "mine"

    def test_commits_a_removal(self, repo: Repo) -> None:
        repo.commit({"a": "1", "b": "1"})
        repo.git("rm", "--quiet", "a", "b")
        repository = Repository.discover(repo.path)

        commit = repository.commit_paths("words", ["a"])

        assert [entry.path for entry in repository.commit(commit).list()] == ["b"]

    def test_works_in_a_linked_worktree_with_a_split_index(
        self, repo: Repo, tmp_path: Path
    ) -> None:
        repo.commit({"a": "1"})
        repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
        linked = Repo(tmp_path / "linked")
        linked.git("update-index", "--split-index")
        linked.add({"a": "2"})
        repository = Repository.discover(linked.path)
        repository.stage({PATH: BYTES})

        commit = repository.commit_paths("words", [PATH])

        assert linked.git("show", "--name-only", "--format=", commit) == PATH
        assert linked.git("diff", "--cached", "--name-only") == "a"

    def test_nothing_differs(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        repo.add({"b": "1"})

        with pytest.raises(UsageError, match="nothing to commit"):
            Repository.discover(repo.path).commit_paths("words", ["a"])

    def test_hooks_run_on_what_is_committed(self, repo: Repo, tmp_path: Path) -> None:
        repo.commit({"a": "1"})
        repo.add({"a": "2"})
        repo.hook("pre-commit", f'git diff --cached --name-only > "{tmp_path}/seen"')
        repo.hook("commit-msg", 'echo "Reviewed-by: hook" >> "$1"')
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})

        repository.commit_paths("words", [PATH])

        assert (tmp_path / "seen").read_text() == PATH + "\n"
        assert repo.git("log", "-1", "--format=%B").split() == ["words", "Reviewed-by:", "hook"]

    @pytest.mark.parametrize("hook", ["pre-commit", "commit-msg"])
    def test_a_hook_refuses(self, repo: Repo, hook: str) -> None:
        head = repo.commit({"a": "1"})
        repo.add({"a": "2"})
        repo.hook(hook, "echo 'on stdout: no'; echo 'on stderr: no' >&2; exit 1")
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})
        staged = repository.index().list()

        with pytest.raises(AccordError, match="git did not commit") as refused:
            repository.commit_paths("words", [PATH])

        assert "on stdout: no" in refused.value.message
        assert "on stderr: no" in refused.value.message
        assert repository.head() == head
        assert repository.index().list() == staged

    def test_a_hook_that_changes_what_was_signed_is_told(self, repo: Repo) -> None:
        repo.commit({"a": "1"})
        repo.hook("pre-commit", f"echo formatted > {PATH}; git add {PATH}")
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})

        with pytest.raises(AccordError, match=f"a hook changed what was signed: {PATH}") as told:
            repository.commit_paths("words", [PATH])

        assert "git reset --soft HEAD^" in told.value.hint

    def test_nobody_commits(self, repo: Repo) -> None:
        repo.git("config", "--global", "--unset", "user.email")
        repo.git("config", "--global", "user.useConfigOnly", "true")
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})

        with pytest.raises(AccordError, match="git did not commit") as refused:
            repository.commit_paths("words", [PATH])

        assert "git config user.name" in refused.value.hint

    def test_the_environment_says_who_commits(
        self, repo: Repo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_AUTHOR_NAME", "Dana")
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})

        repository.commit_paths("words", [PATH])

        assert repo.git("log", "--format=%an, %at") == "Dana, 1796040000"

    @pytest.mark.parametrize("command", ["merge", "cherry-pick", "revert"])
    def test_refuses_in_the_middle_of_something_else(self, repo: Repo, command: str) -> None:
        stop_in(repo, command)
        repository = Repository.discover(repo.path)
        repository.stage({PATH: BYTES})

        with pytest.raises(UsageError, match=f"a {command} is in progress") as refused:
            repository.commit_paths("words", [PATH])

        assert f"git {command} --abort" in refused.value.hint
        assert repository.index().read(PATH) == BYTES


def stop_in(repo: Repo, command: str) -> None:
    """Stop in the middle of a command, all conflicts resolved."""
    if command == "merge":
        conflict(repo, ["a"])
    else:
        first = repo.commit({"a": "1"})
        second = repo.commit({"a": "2"})
        repo.commit({"a": "3"})
        commit = first if command == "cherry-pick" else second
        stopped = subprocess.run(
            ["git", command, "--no-edit", commit][: None if command == "revert" else 2]
            + ([] if command == "revert" else [second]),
            cwd=repo.path,
            capture_output=True,
            check=False,
        )
        assert stopped.returncode == 1
    repo.add({"a": "resolved"})


class TestPush:
    @pytest.fixture
    def remote(self, repo: Repo, tmp_path: Path) -> Repo:
        """The bare repository to which the branch of `repo` goes, so far without it."""
        bare = Repo.init(tmp_path / "remote.git", "sha1", "--bare")
        repo.git("remote", "add", "central", bare.path.as_uri())
        repo.commit({"a": "1"})
        return bare

    def test_a_new_branch_gets_an_upstream(self, repo: Repo, remote: Repo) -> None:
        repo.git("switch", "--quiet", "-c", "accord/one")
        repository = Repository.discover(repo.path)

        assert repository.push() == "central/accord/one"
        assert remote.git("rev-parse", "accord/one") == repository.head()
        assert repo.git("rev-parse", "--abbrev-ref", "@{upstream}") == "central/accord/one"

    def test_a_known_branch_goes_where_git_pushes_it(self, repo: Repo, remote: Repo) -> None:
        repo.git("push", "--quiet", "--set-upstream", "central", "main")
        second = repo.commit({"a": "2"})

        assert Repository.discover(repo.path).push() == "central/main"
        assert remote.git("rev-parse", "main") == second

    @pytest.mark.usefixtures("remote")
    def test_of_several_remotes_the_configured_one(self, repo: Repo, tmp_path: Path) -> None:
        other = Repo.init(tmp_path / "other.git", "sha1", "--bare")
        repo.git("remote", "add", "origin", other.path.as_uri())
        repository = Repository.discover(repo.path)

        assert repository.push() == "origin/main"
        repo.git("branch", "--unset-upstream")
        repo.git("config", "remote.pushDefault", "central")
        assert repository.push() == "central/main"

    def test_others_were_faster(self, repo: Repo, remote: Repo, tmp_path: Path) -> None:
        repo.git("push", "--quiet", "central", "main")
        other = Repo.clone(remote, tmp_path / "clone")
        other.commit({"b": "1"})
        other.git("push", "--quiet")
        repo.commit({"a": "2"})

        with pytest.raises(AccordError, match="git did not push") as refused:
            Repository.discover(repo.path).push()

        assert "git pull" in refused.value.hint

    def test_the_server_refuses(self, repo: Repo, remote: Repo) -> None:
        remote.hook("pre-receive", "echo 'not like this' >&2; exit 1")

        with pytest.raises(AccordError, match="remote: not like this"):
            Repository.discover(repo.path).push()

    def test_the_remote_is_not_there(self, repo: Repo, tmp_path: Path) -> None:
        repo.git("remote", "add", "gone", (tmp_path / "nowhere").as_uri())
        repo.commit({"a": "1"})

        with pytest.raises(AccordError, match="git did not push") as refused:
            Repository.discover(repo.path).push()

        assert "git remote -v" in refused.value.hint

    def test_no_remote(self, repo: Repo) -> None:
        repo.commit({"a": "1"})

        with pytest.raises(UsageError, match="no remote") as refused:
            Repository.discover(repo.path).push()

        assert "git remote add" in refused.value.hint

    @pytest.mark.usefixtures("remote")
    def test_no_branch(self, repo: Repo) -> None:
        repo.git("checkout", "--quiet", "--detach")

        with pytest.raises(UsageError, match="detached"):
            Repository.discover(repo.path).push()
