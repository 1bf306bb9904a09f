"""Running git commands. The only importer of GitPython.

GitPython only runs commands: its object classes fail on SHA-256 repositories and its index
ignores `GIT_INDEX_FILE`. It is imported when the first command runs, since it costs as much as
a short command.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple, cast

from accord.errors import CannotJudge, UsageError
from accord.store.environment import INDEX_FILE

# Paths as they are; and no program of the user's is asked what changed in the working tree, since
# some commands ask it that never look there.
_SETTINGS = ("-c", "core.quotepath=off", "-c", "core.fsmonitor=false")


MOST_LISTED = 256 << 20  # bytes; 10,000 decisions that arrive at once take 80 million


class Answer(NamedTuple):
    """What a git command said."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """The output without its last newline."""
        return self.out.decode("utf-8", "surrogateescape").removesuffix("\n")


class Version(NamedTuple):
    """The version of git, as it says it; `numbers` are the first two, empty where it says none."""

    text: str
    numbers: tuple[int, ...]


class Git:
    """Runs git commands in a folder, with these variables of `GIT_…` and no other."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._environment = dict(environment)

    def with_index(self, index: Path) -> Git:
        """The same, on another index."""
        return self.with_variables({INDEX_FILE: str(index)})

    def with_variables(self, variables: Mapping[str, str]) -> Git:
        """The same, with more variables, or other values of them."""
        return Git(self.folder, self._environment | dict(variables))

    def version(self) -> Version:
        """Which git this is. Raises CannotJudge when git is not there."""
        text = self.ask("version").text
        return Version(text, tuple(int(number) for number in re.findall(r"[0-9]+", text)[:2]))

    def ask(self, *arguments: str, data: bytes = b"") -> Answer:
        """Run a command to its end, whatever its status, with `data` on its standard input.

        Raises CannotJudge when git is not there.
        """
        process = self.start(*arguments)
        try:
            out, err = process.communicate(data)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return Answer(process.returncode, out, err.decode("utf-8", "surrogateescape").strip())

    def list(self, *arguments: str, most: int = MOST_LISTED) -> Answer:
        """The same for a command that may say very much, such as what differs between two trees.

        Raises CannotJudge, and stops it, when it says more than `most` bytes: a tree of a few
        kilobytes can name itself so often that it has more files than anybody could list.
        """
        process = self.start(*arguments)
        stdin, stdout, stderr = _streams(process)
        errors: list[bytes] = []
        listening = Thread(target=lambda: errors.append(stderr.read()), daemon=True)
        listening.start()
        out = b""
        try:
            stdin.close()
            out = stdout.read(most + 1)
            if len(out) > most:
                raise CannotJudge(
                    f"`git {arguments[0]}` names more files than can be judged",
                    "a folder of the change holds millions of files, perhaps itself many times"
                    " over: take it out",
                )
            status = process.wait()
        finally:
            process.kill()
            process.wait()
            listening.join()
            for stream in (stdout, stderr):
                stream.close()
        return Answer(status, out, b"".join(errors).decode("utf-8", "surrogateescape").strip())

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command, its three streams as pipes."""
        command = ["git", "-C", str(self.folder), *_SETTINGS, *arguments]
        with _without_git_variables():
            from git.cmd import Git as Runner
            from git.exc import GitCommandNotFound

            try:
                started = Runner().execute(
                    command, istream=subprocess.PIPE, as_process=True, env=self._environment
                )
            except (GitCommandNotFound, PermissionError) as error:
                raise CannotJudge("git cannot be run", "install git, or put it on PATH") from error
            except ValueError as error:
                raise UsageError("an argument holds a NUL character") from error
        # The process is ours now: GitPython would kill it when its own wrapper goes.
        process, started.proc = started.proc, None
        return cast("subprocess.Popen[bytes]", process)


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Its streams, which are all pipes."""
    found = process.stdin, process.stdout, process.stderr
    return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", found)


@contextmanager
def _without_git_variables() -> Iterator[None]:
    """GitPython gives a child all variables of this process and only adds to them."""
    hidden = {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
    try:
        for name in hidden:
            del os.environ[name]
        os.environ["GIT_PYTHON_REFRESH"] = "quiet"  # a missing git is an error of ours
        yield
    finally:
        os.environ.pop("GIT_PYTHON_REFRESH", None)
        os.environ.update(hidden)
