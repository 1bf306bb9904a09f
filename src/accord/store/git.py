"""The repository that accord runs in, and what is asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Literal, cast

from accord.errors import AccordError, CannotJudge, UsageError
from accord.model.base import Record
from accord.model.finding import Finding
from accord.store.environment import (
    INDEX_FILE,
    OBJECT_DIRECTORY,
    acting_environment,
    find_index,
    find_quarantine,
    reading_environment,
)
from accord.store.folder import FSCK
from accord.store.git_command import Answer, Git
from accord.store.git_trees import CommitTree, IndexTree
from accord.store.memory import Memory
from accord.store.mentions import FILE as MENTIONS_FILE
from accord.store.mentions import Mentions
from accord.store.objects import BatchProcess, Objects
from accord.store.raw_diff import parse_raw_diff
from accord.store.recent import Recent
from accord.store.restored import RestoredTree
from accord.store.tree import (
    REGULAR,
    MemoryTree,
    ObjectFormat,
    OverlayTree,
    Tree,
    TreeEntry,
    find_differences,
    object_id,
    within,
)

OLDEST_GIT = (2, 31)

_OID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_EXECUTABLE = "100755"
_GIVEN_WHOLE = 1 << 20
_ABOUT_REPOSITORY = (
    "--is-inside-work-tree",
    "--show-object-format",
    "--path-format=absolute",
    "--absolute-git-dir",
    "--git-common-dir",
    "--show-toplevel",
)
_RAW_DIFF = ("-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none")


class Repository:
    """A repository, and where accord stands in it.

    `root` is the working tree, None in a bare repository and inside a git directory; `git_dir`
    is that of this worktree, `common_dir` the one that all worktrees share, `object_folders` is
    where its objects are. `others` says whether other branches have a say in what is judged.
    """

    def __init__(
        self,
        root: Path | None,
        git_dir: Path,
        common_dir: Path,
        object_format: ObjectFormat,
        environment: Mapping[str, str],
    ) -> None:
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.object_format: ObjectFormat = object_format
        self.others: Literal["seen", "unseen"] = "seen"
        self.memory: Memory = Recent()
        self.mentions = Mentions(common_dir / MENTIONS_FILE, self._parse)
        top = root or git_dir
        index = find_index(environment, top, git_dir)
        self.index_file = index or git_dir / "index"
        named = {INDEX_FILE: str(index)} if index else {}
        quarantine = find_quarantine(environment, common_dir)
        own = common_dir / "objects"
        waiting = quarantine.get(OBJECT_DIRECTORY)
        self.object_folders = (Path(waiting), own) if waiting else (own,)
        self.reading = Git(top, reading_environment(environment) | named | quarantine)
        self.acting = Git(top, acting_environment(environment) | named)
        self.objects = Objects(self._start_objects, object_format, self._find_remedy)

    @classmethod
    def discover(cls, start: Path) -> Repository:
        """The repository around a folder: of its working tree, a bare one, or a linked worktree.

        Raises UsageError when there is none, CannotJudge when git refuses it or is too old.
        """
        environment = dict(os.environ)
        git = Git(start, reading_environment(environment))
        answer = git.ask("rev-parse", *_ABOUT_REPOSITORY)
        lines = answer.text.split("\n")
        inside = lines[0] == "true" and not answer.status
        if len(lines) != (len(_ABOUT_REPOSITORY) - 1 if inside else 4) or lines[1] not in (
            "sha1",
            "sha256",
        ):
            raise _refusal(git, answer, start)
        return cls(
            Path(lines[4]) if inside else None,
            Path(lines[2]),
            Path(lines[3]),
            cast("ObjectFormat", lines[1]),
            environment,
        )

    def head(self) -> str | None:
        """The commit of HEAD; None when there is none yet.

        Raises CannotJudge when there was one: a damaged branch is not a new repository.
        """
        found = self.objects.find_head()
        if found is not None:
            return found
        name = self.reading.ask("symbolic-ref", "--quiet", "HEAD")
        # By its full name: where that is not there, git would take a tag that is called so.
        answer = (
            self.reading.ask("rev-parse", "--verify", "--quiet", "HEAD")
            if name.status
            else self.reading.ask("for-each-ref", "--format=%(objectname)", name.text)
        )
        if answer.status or answer.err:
            raise CannotJudge(f"HEAD cannot be read: {answer.err or name.err}", FSCK)
        return answer.text or None

    def resolve(self, revision: str) -> str:
        """The commit that a name, an abbreviation or an expression such as `HEAD^1` means.

        Raises UsageError when it means none or several, CannotJudge when the history is not at
        hand.
        """
        from accord.store.names import check_name

        check_name(self, revision)
        answer = self.reading.ask(
            "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"
        )
        if answer.status == 0 and _OID.match(answer.text):
            return answer.text
        beyond = self._is_shallow and ("^" in revision or "~" in revision)
        if beyond or _OID.match(revision):
            raise CannotJudge(f"the commit {revision} is not at hand", self._find_remedy())
        raise UsageError(f"no commit is called {revision!r}", "`git branch --all` lists the names")

    def branch(self) -> str | None:
        """The branch that is checked out, also before its first commit; None when detached."""
        # Not the short form: that is `heads/main` where a tag is called main too.
        answer = self.reading.ask("symbolic-ref", "--quiet", "HEAD")
        return None if answer.status else answer.text.removeprefix("refs/heads/")

    def commit(self, oid: str) -> CommitTree:
        """The files of a commit. Raises CannotJudge when it is not at hand."""
        return CommitTree(oid, self.objects.commit(oid).tree, self.objects)

    def index(self) -> IndexTree:
        """What is staged, read by one command. Raises UsageError while a merge is unresolved."""
        head = self.head()
        base = (
            MemoryTree({}, object_format=self.object_format) if head is None else self.commit(head)
        )
        return IndexTree(base, self._compare_index(base), self.objects)

    def parents(self, oid: str) -> tuple[str, ...]:
        """The parents of a commit as it names them, whether they are at hand or not."""
        return self.objects.commit(oid).parents

    def commit_time(self, oid: str) -> str:
        """When a commit was made, by its committer's clock: RFC 3339 in UTC."""
        return self.objects.commit(oid).time

    def last_change(self, commit: str, path: str) -> str | None:
        """The newest commit that touched a path, of all before this one; None when none did.

        Raises CannotJudge when none did that is at hand, and not all are.
        """
        answer = self.reading.ask("rev-list", "-1", "--full-history", commit, "--", path)
        if answer.status or (not answer.text and self._is_shallow):
            raise CannotJudge(f"the history of {path} is not all at hand", self._find_remedy())
        return answer.text or None

    def has(self, oid: str) -> bool:
        """Whether a commit or another object is at hand."""
        return self.objects.has(oid)

    def sizes(self, oids: Collection[str]) -> dict[str, int]:
        """How many bytes objects have, by git's own word: none is read. 0 for one not at hand."""
        asked = "".join(f"{oid}\n" for oid in sorted(oids)).encode()
        answer = self.reading.ask(
            "cat-file", "--batch-check=%(objectname) %(objectsize)", data=asked
        )
        pairs = (line.split(" ") for line in answer.text.split("\n") if line)
        return {oid: int(size) if size.isdecimal() else 0 for oid, size in pairs}

    def file_at(self, revision: str, path: str) -> bytes | None:
        """A file of a commit, named by its whole id; None when it has no such plain file.

        Raises CannotJudge when the commit is not at hand (ask `has`).
        """
        entry = self.commit(revision).find(path)
        if entry is None or entry.mode not in (REGULAR, _EXECUTABLE):
            return None
        return self.objects.read(entry.oid)

    def changed_paths(self, base: Tree | None, head: Tree, *prefixes: str) -> tuple[str, ...]:
        """The paths whose bytes or mode differ, gone ones too, in order.

        With `prefixes` only those at and below one of these, of which none is below another.
        `base` None means that there was nothing before. A rename is a file gone and a new one.
        """
        if isinstance(base, CommitTree) and isinstance(head, CommitTree):
            return self._compare_commits(base, head, prefixes)
        if isinstance(base, RestoredTree):
            return self._compare_restored(base, base.base, head, prefixes)
        if base is not None and isinstance(head, RestoredTree):
            return self._compare_restored(head, base, head.base, prefixes)
        places = prefixes or ("",)
        if isinstance(base, CommitTree) and isinstance(head, IndexTree) and head.base.id != base.id:
            paths = sorted(self._compare_index(base))
            return tuple(path for place in places for path in within(paths, place))
        return tuple(path for place in places for path in self._find_changes(base, head, place))

    def _compare_restored(
        self, restored: RestoredTree, base: Tree, head: Tree, prefixes: Sequence[str]
    ) -> tuple[str, ...]:
        """Where one of two trees has files of others, without listing what both have."""
        own = (path for place in prefixes or ("",) for path in restored.changed_paths(place))
        paths = {*self.changed_paths(base, head, *prefixes), *own}
        sides = (restored, head) if restored.base is base else (base, restored)
        return tuple(sorted(path for path in paths if sides[0].find(path) != sides[1].find(path)))

    def _find_changes(self, base: Tree | None, head: Tree, prefix: str) -> Sequence[str]:
        if base is None:
            return [entry.path for entry in head.list(prefix)]
        if isinstance(head, OverlayTree):
            under = {*self.changed_paths(base, head.base, prefix), *head.changed_paths(prefix)}
            return sorted(path for path in under if base.find(path) != head.find(path))
        on_commit = isinstance(base, CommitTree)
        if on_commit and isinstance(head, IndexTree) and head.base.id == base.id:
            return head.changed_paths(prefix)
        return find_differences(base, head, prefix)

    def config(self, key: str) -> str | None:
        """A value of the git configuration, None when it is not set."""
        answer = self.reading.ask("config", "--null", "--get", key)
        return None if answer.status else answer.text.removesuffix("\0")

    def config_matching(self, pattern: str) -> dict[str, str]:
        """All values whose key matches a regular expression; the last one where it has several."""
        answer = self.reading.ask("config", "--null", "--get-regexp", pattern)
        pairs = (record.partition("\n") for record in answer.text.split("\0") if record)
        return {key: value for key, _, value in pairs}

    def stage(self, files: Mapping[str, bytes | None]) -> None:
        """Stage these bytes at these paths, exactly, whatever filters or line endings are set.

        None stages that a file is gone.
        """
        from accord.store.commits import stage_files

        stage_files(self, files)

    def commit_paths(self, message: str, paths: Sequence[str]) -> str:
        """Commit what is staged at these paths, and nothing else; the new commit."""
        from accord.store.commits import commit_paths

        return commit_paths(self, message, paths)

    def push(self) -> str:
        """Push the branch to where git pushes it, or to the only remote; its name there."""
        from accord.store.commits import push_branch

        return push_branch(self)

    def as_it_was(self) -> Repository:
        """The same repository for what has landed long ago: no branch of now has a say in it."""
        alone = copy(self)
        alone.others = "unseen"
        return alone

    def seeing(self, objects: Path) -> Repository:
        """The same repository, with the objects of a folder that borrows those of this one."""
        seeing = copy(self)
        seeing.object_folders = (objects, *self.object_folders)
        seeing.reading = self.reading.with_variables({OBJECT_DIRECTORY: str(objects)})
        seeing.objects = Objects(seeing._start_objects, seeing.object_format, seeing._find_remedy)
        return seeing

    def close(self) -> None:
        """End the process that reads objects."""
        self.objects.close()

    @property
    def remedy(self) -> str:
        """What brings commits and other objects that this clone left out."""
        return self._find_remedy()

    @property
    def _is_shallow(self) -> bool:
        return (self.common_dir / "shallow").is_file()

    def _parse(
        self, data: bytes, path: str, kind: str
    ) -> tuple[Record | None, tuple[Finding, ...]]:
        return self.memory.parse(data, path, kind)

    def _start_objects(self) -> BatchProcess:
        # What is large is given in pieces, so that git does not hold it either.
        large = f"core.bigFileThreshold={_GIVEN_WHOLE}"
        return cast("BatchProcess", self.reading.start("-c", large, "cat-file", "--batch"))

    def _find_remedy(self) -> str:
        """The command that brings an object that this clone left out."""
        remedies = []
        if self._is_shallow:
            remedies.append(
                "this clone is shallow: `git fetch --unshallow` (in CI, fetch-depth: 0)"
            )
        if self.config_matching(r"^(remote\..*\.promisor|extensions\.partialclone)$"):
            remedies.append("this clone is partial: `git fetch --refetch --no-filter`")
        return "; ".join(remedies) or FSCK

    def _compare_index(self, base: Tree) -> dict[str, TreeEntry | None]:
        empty = object_id("tree", b"", self.object_format)
        tree = base.tree_oid if isinstance(base, CommitTree) else empty
        return self._compare("diff-index", "--cached", "--ita-invisible-in-index", *_RAW_DIFF, tree)

    def _compare_commits(
        self, base: CommitTree, head: CommitTree, prefixes: Sequence[str]
    ) -> tuple[str, ...]:
        trees = (base.tree_oid, head.tree_oid)
        paths = [prefix.rstrip("/") for prefix in prefixes]
        limit = ("--", *paths) if all(paths) else ()
        return tuple(sorted(self._compare("diff-tree", "-r", *_RAW_DIFF, *trees, *limit)))

    def _compare(self, *command: str) -> dict[str, TreeEntry | None]:
        answer = self.reading.list(*command)
        if answer.status:
            hint = self._find_remedy() if "promisor" in answer.err else FSCK
            raise CannotJudge(f"git cannot compare two trees: {answer.err}", hint)
        return parse_raw_diff(answer.out)


# Words of git → the exception, what is wrong, what helps. `{folder}` is where accord was started.
_REFUSALS: dict[str, tuple[type[AccordError], str, str]] = {
    "dubious ownership": (
        CannotJudge,
        "git refuses this repository, because it belongs to somebody else",
        "if you trust it: `git config --global --add safe.directory {folder}`",
    ),
    "safe.bareRepository": (
        CannotJudge,
        "git refuses bare repositories, because safe.bareRepository is `explicit`",
        "`git config --global safe.bareRepository all`",
    ),
    "not a git repository": (
        UsageError,
        "there is no git repository at {folder}",
        "`git init` makes one; accord looks from the current directory upwards, not at GIT_DIR",
    ),
}


def _refusal(git: Git, answer: Answer, start: Path) -> AccordError:
    """Why `rev-parse` did not say where the repository is."""
    for words, (kind, message, hint) in _REFUSALS.items():
        if words in answer.err:
            return kind(message.format(folder=start), hint.format(folder=start))
    version = git.version()
    if version.numbers and version.numbers < OLDEST_GIT:
        oldest = ".".join(str(number) for number in OLDEST_GIT)
        return CannotJudge(f"{version.text} is too old", f"accord needs git {oldest} or newer")
    return CannotJudge(f"git cannot open the repository at {start}: {answer.err}", FSCK)
