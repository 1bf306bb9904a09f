"""Where text leaves accord: the one place that writes to standard output and standard error.

Everything for people is escaped here, whoever wrote it and whichever verb or hook prints it. A
stream that is closed or full is no fault of accord's: the work goes on, and `Streams.settle` says
with the exit code that its output was lost.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EPIPE
from typing import TextIO, cast

from accord.errors import Exit
from accord.render.escape import disarm, escape_lines

SIGPIPE_EXIT = 141


def write_text(text: str) -> None:
    """Print words on stdout; nothing in them is obeyed by a terminal or a CI job."""
    sys.stdout.write(disarm(escape_lines(text)))


def write_painted(text: str) -> None:
    """Print a page that was escaped before it was painted."""
    sys.stdout.write(disarm(text))


def write_rendered(text: str) -> None:
    """Print what a program reads as it is; its renderer has escaped it in its own way."""
    sys.stdout.write(text)


def say(text: str) -> None:
    """Write words to stderr, after the results so far, also where both end in one file."""
    sys.stdout.flush()
    sys.stderr.write(disarm(text))


class Guarded:
    """A stream that never raises: after the first fault, what is written to it is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        if self.fault is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._leave(error)
        return len(text)

    def flush(self) -> None:
        if self.fault is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._leave(error)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def _leave(self, error: OSError) -> None:
        """What is still in the buffer goes nowhere, instead of failing again at the end."""
        self.fault = error
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)


class Streams:
    """Both streams of a command while it runs."""

    def __init__(self) -> None:
        self.out = Guarded(sys.stdout)
        self.err = Guarded(sys.stderr)

    def settle(self, code: int) -> int:
        """The exit code of the command, or what became of its output if that is worse."""
        self.out.flush()
        fault = self.out.fault
        if fault is None or code not in (Exit.OK, Exit.FINDINGS):
            return code
        if fault.errno == EPIPE:
            return SIGPIPE_EXIT
        self.err.write(
            f"error: standard output cannot be written: {fault.strerror}\n"
            "hint: the command did its work, and what it printed is lost; make room, or send its"
            " output elsewhere\n"
        )
        return code or Exit.USAGE


@contextmanager
def guarded_streams() -> Iterator[Streams]:
    """While this lasts writing to stdout and stderr never raises."""
    _open_closed()
    out, err = sys.stdout, sys.stderr
    streams = Streams()
    sys.stdout, sys.stderr = cast(TextIO, streams.out), cast(TextIO, streams.err)
    try:
        yield streams
    finally:
        streams.out.flush()
        streams.err.flush()
        sys.stdout, sys.stderr = out, err


def _open_closed() -> None:
    """Standard streams that were closed lead nowhere, instead of to the next file that is opened.

    Python has None for each of them.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    sys.stdin = sys.stdin or _open_nowhere(0, "r")
    sys.stdout = sys.stdout or _open_nowhere(1, "w")
    sys.stderr = sys.stderr or _open_nowhere(2, "w")


def _open_nowhere(number: int, mode: str) -> TextIO:
    return cast(TextIO, os.fdopen(number, mode, closefd=False))
