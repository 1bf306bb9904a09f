"""What can go wrong, and the exit code that says so (docs/protocol.md, section 9).

Results of a judgement are never exceptions: a broken rule is a `Finding`. What is raised
here is what keeps accord from judging or from writing at all.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.model.finding import Finding


class Exit(IntEnum):
    """The exit codes of every command."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    CANNOT_JUDGE = 3
    INTERNAL = 4
    INTERRUPTED = 130


class AccordError(Exception):
    """Something the user can mend: `message` says what is wrong, `hint` how to mend it."""

    exit = Exit.USAGE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(AccordError):
    """The command cannot mean what was typed, or not here, or not now."""


class CannotJudge(AccordError):
    """History, an object, a key type or a part of accord is missing; nothing was judged."""

    exit = Exit.CANNOT_JUDGE


class Refused(AccordError):
    """The rules refuse what would be written. `findings` are all reasons, not the first."""

    exit = Exit.FINDINGS

    def __init__(self, message: str, findings: Sequence[Finding] = (), hint: str = "") -> None:
        super().__init__(message, hint)
        self.findings = tuple(findings)
