"""What a server is about to take (githooks(5), pre-receive)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.verify.received import Push, Update
from accord.verify.report import Report

ROOT_SETTING = "accord.root"


def read_updates(lines: str) -> tuple[Update, ...]:
    """What git says: `OLD NEW REF` a line, zeros where there is none. Raises UsageError."""
    updates = []
    for line in filter(None, lines.split("\n")):
        fields = line.split(" ", 2)
        if len(fields) != 3:
            raise UsageError(
                f"{line!r} is no update of a ref", "git runs this hook, as pre-receive"
            )
        old, new, ref = fields
        updates.append(Update(ref, _object(old), _object(new)))
    return tuple(updates)


def judge_received(repository: Repository) -> Iterator[tuple[str, Report | CannotJudge]]:
    """Judge each ref of the push on standard input; what cannot be judged is told so."""
    updates = read_updates(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    if not updates:
        raise UsageError(
            "nothing is said on standard input about what is pushed",
            "git runs this hook, as pre-receive; a script that runs it hands standard input on, and"
            " runs it before anything that reads it",
        )
    push = Push(repository, updates, repository.config(ROOT_SETTING))
    for update in updates:
        try:
            yield update.ref, push.judge(update)
        except CannotJudge as error:
            yield update.ref, error


def _object(oid: str) -> str | None:
    return oid if oid.strip("0") else None
