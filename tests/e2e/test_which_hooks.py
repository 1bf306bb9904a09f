"""docs/hooks.md says which git operations run which hooks: here git itself says it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.repos import Repo

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"
OURS = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-push")
QUIET = ("-c", "core.editor=true")

Act = Callable[[Repo], None]


def ours_and_theirs(repo: Repo, path: str = "theirs.txt") -> None:
    """Two branches with a commit each, on `main`; `other` has `path`."""
    repo.git("switch", "-qc", "other")
    repo.commit({path: "theirs\n"})
    repo.git("switch", "-q", "main")
    repo.commit({"ours.txt": "ours\n"})


def conflict(repo: Repo, *command: str) -> None:
    """A command that stops at a conflict, and the conflict mended."""
    with pytest.raises(AssertionError):
        repo.git(*command)
    repo.add({"ours.txt": "mended\n"})


def commit(repo: Repo) -> None:
    repo.write({"a.txt": "1\n"})
    repo.git("commit", "-qam", "x")


def commit_without(repo: Repo) -> None:
    repo.write({"a.txt": "1\n"})
    repo.git("commit", "-qam", "x", "--no-verify")


def fast_forward(repo: Repo) -> None:
    repo.git("merge", "-q", "--ff-only", "other")


def merge(repo: Repo) -> None:
    repo.git("merge", "-q", "--no-edit", "other")


def merge_with_conflict(repo: Repo) -> None:
    conflict(repo, "merge", "-q", "other")
    repo.git(*QUIET, "merge", "--continue")


def pick(repo: Repo) -> None:
    repo.git("cherry-pick", "other")


def pick_with_conflict(repo: Repo) -> None:
    conflict(repo, "cherry-pick", "other")
    repo.git(*QUIET, "cherry-pick", "--continue")


def revert(repo: Repo) -> None:
    repo.git("revert", "--no-edit", "HEAD")


def rebase(repo: Repo) -> None:
    repo.git("rebase", "-q", "other")


def rebase_with_conflict(repo: Repo) -> None:
    conflict(repo, "rebase", "-q", "other")
    repo.git(*QUIET, "rebase", "--continue")


def edit_todo(word: str, line: int) -> Act:
    def act(repo: Repo) -> None:
        todo = f"sequence.editor=sed -i {line}s/^pick/{word}/"
        repo.git(*QUIET, "-c", todo, "rebase", "-q", "-i", "--root")

    return act


def apply_mail(repo: Repo) -> None:
    patch = repo.git("format-patch", "--stdout", "-1", "other").encode() + b"\n"
    repo.git("am", "-q", data=patch)


def pull(repo: Repo) -> None:
    repo.git("pull", "-q", "--ff-only", ".", "other")


def push(repo: Repo, *options: str) -> None:
    Repo.init(repo.path.parent / "bare", "sha1", "--bare")
    repo.git("push", "-q", *options, "../bare", "main")


ROWS: dict[str, tuple[Act, str]] = {
    "`git commit`, also with `-a`, `-p`, `-- path`, `--amend`": (commit, ""),
    "`git commit --no-verify`": (commit_without, ""),
    "`git merge`, a fast-forward": (fast_forward, "behind"),
    "`git merge`, without a conflict": (merge, "diverged"),
    "`git merge --continue`, or `git commit` after a conflict": (merge_with_conflict, "clash"),
    "`git cherry-pick`": (pick, "diverged"),
    "`git cherry-pick --continue` after a conflict": (pick_with_conflict, "clash"),
    "`git revert`": (revert, "diverged"),
    "`git rebase`": (rebase, "diverged"),
    "`git rebase --continue` after a conflict": (rebase_with_conflict, "clash"),
    "`git rebase -i` with `squash`": (edit_todo("squash", 2), "diverged"),
    "`git rebase -i` with `reword`": (edit_todo("reword", 2), "diverged"),
    "`git am`": (apply_mail, "diverged"),
    "`git pull`, a fast-forward": (pull, "behind"),
    "`git push`": (push, ""),
    "`git push --no-verify`": (lambda repo: push(repo, "--no-verify"), ""),
}


def prepare(repo: Repo, state: str) -> None:
    if state == "behind":
        repo.git("switch", "-qc", "other")
        repo.commit({"theirs.txt": "theirs\n"})
        repo.git("switch", "-q", "main")
    elif state:
        ours_and_theirs(repo, "ours.txt" if state == "clash" else "theirs.txt")


def read_table() -> dict[str, tuple[str, ...]]:
    section = PAGE.read_text().split("## Which git operations run no hook")[1]
    rows = re.findall(r"^\| (`git.*?) \| (.*?) \|$", section, re.MULTILINE)
    return {
        name: () if hooks == "none" else tuple(one.strip() for one in hooks.split(","))
        for name, hooks in rows
    }


def test_every_row_is_tried() -> None:
    assert list(read_table()) == list(ROWS)


@pytest.mark.parametrize("row", ROWS)
def test_git_runs_what_the_page_says(row: str, tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo", "sha1", "-b", "main")
    repo.commit({"a.txt": "0\n"})
    act, state = ROWS[row]
    prepare(repo, state)
    log = tmp_path / "log"
    for hook in OURS:
        repo.hook(hook, f"echo {hook} >> {log}")

    act(repo)

    assert tuple(log.read_text().split() if log.exists() else ()) == read_table()[row]
