"""A terminal: a command is run as a person runs it, and asked questions are answered."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

PATIENCE = 30.0


def run_at_terminal(
    folder: Path,
    arguments: Sequence[str],
    answers: Sequence[tuple[str, str]] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run accord at a terminal: its exit code, and all that could be read there.

    `answers` are pairs of what a question holds and what is typed when it appears. Fails when
    a question does not come.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "dumb"} | dict(environment or {}),
    )
    os.close(theirs)
    seen = ""
    try:
        told = 0
        for question, answer in answers:
            while (found := seen.find(question, told)) < 0:
                seen += _read(ours) or _fail(f"{question!r} was not asked", seen)
            told = found + len(question)
            os.write(ours, f"{answer}\n".encode())
        while more := _read(ours):
            seen += more
        return process.wait(), seen.replace("\r\n", "\n")
    except TimeoutError:
        _fail("it waits for an answer", seen)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read(terminal: int) -> str:
    """What comes next, "" at the end. Raises TimeoutError when nothing comes for long."""
    if not select.select([terminal], [], [], PATIENCE)[0]:
        raise TimeoutError
    try:
        return os.read(terminal, 65536).decode("utf-8", "replace")
    except OSError:  # Linux says so when the other end is closed
        return ""


def _fail(what: str, seen: str) -> NoReturn:
    raise AssertionError(f"{what}:\n{seen}")
