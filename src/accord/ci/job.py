"""What a CI job is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Merge = Literal["made", "asked for"]


@dataclass(frozen=True, slots=True)
class Step:
    """A commit that is, or would be, the next of a branch: a merge result, or what was pushed.

    `base` is what the branch had, `branch` its name, None where nobody says. `merge` says whether
    it lands just so, or is asked for, and may be made otherwise: squashed, or rebased.
    """

    base: str
    head: str
    branch: str | None
    merge: Merge = "made"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A branch that is not merged yet: it is judged as it would be on top of `target`."""

    target: str
    head: str
    branch: str | None


@dataclass(frozen=True, slots=True)
class Whole:
    """A branch without a base: all of its history."""

    head: str
    branch: str | None


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why there is nothing to judge: a tag, a branch that was removed."""

    why: str


Job = Step | Proposed | Whole | Nothing


def describe(job: Job) -> str:
    """A sentence for the log of the job."""
    match job:
        case Step():
            return f"judging {job.head[:12]} on top of {job.base[:12]}{_onto(job.branch)}"
        case Proposed():
            return (
                f"judging what {job.head[:12]} would be, merged into"
                f" {job.target[:12]}{_onto(job.branch)}"
            )
        case Whole():
            return f"judging all of the history of {job.head[:12]}{_onto(job.branch)}"
        case Nothing():
            return f"nothing to judge: {job.why}"


def _onto(branch: str | None) -> str:
    return f", for {branch}" if branch else ""
