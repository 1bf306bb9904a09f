"""Whether a decision allows what changed in guarded code (section 3.2, `guarded`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.policy import Guard
from accord.rules.globs import fits, reaches

# The digest of the bytes that a path has after a change: None where it is gone, and "" where it
# is no plain file (a link, a submodule), whose bytes nothing can enact.
Changes = Mapping[str, str | None]
Demand = Literal["in force", "under way"]


class Warrant(NamedTuple):
    """A decision that may allow a change: what it names, and why it allows nothing, if so.

    `under_way` says of one that allows nothing yet that its vote may still bring it into force.
    """

    decision: str
    class_: str
    affects: tuple[str, ...] = ()
    enacts: Mapping[str, str] = {}
    fault: str | None = None
    under_way: bool = False


def find_guarded(
    guards: Sequence[Guard], path: str, digest: str | None = None
) -> tuple[Guard, ...]:
    """The guards that a path falls under; each of them has to be satisfied.

    What is no plain file falls under those of all that could be below it: a link or a submodule
    stands for a folder.
    """
    return tuple(
        guard for guard in guards if any(_is_about(glob, path, digest) for glob in guard.paths)
    )


def _is_about(glob: str, path: str, digest: str | None) -> bool:
    return fits(path, glob) or (digest == "" and reaches(path, glob))


def check_guarded(
    guards: Sequence[Guard],
    changes: Changes,
    warrants: Sequence[Warrant],
    demand: Demand = "in force",
) -> tuple[Finding, ...]:
    """Every change of a guarded path that no decision of the guard's class allows.

    `warrants` are the decisions that arrive in the same step or are named by its commits. Under
    the demand `under way` one that is not decided yet will do.
    """
    return tuple(
        finding
        for path, digest in sorted(changes.items())
        for guard in find_guarded(guards, path, digest)
        for finding in _check(guard, path, digest, warrants, demand)
    )


def _check(
    guard: Guard, path: str, digest: str | None, warrants: Sequence[Warrant], demand: Demand
) -> Iterator[Finding]:
    of_class = [one for one in warrants if one.class_ == guard.class_]
    naming = [one for one in of_class if _names(one, guard, path, digest)]
    able = [one for one in naming if one.fault is None or (demand == "under way" and one.under_way)]
    if any(_allows(one, guard, path, digest) for one in able):
        return
    if able:
        yield Finding(
            code="enacts-differs",
            path=path,
            message=f"{able[0].decision} enacts this file with other bytes than it has here",
            hint="Take the bytes that were decided, or decide on these.",
        )
        return
    yield Finding(
        code="guarded-path",
        path=path,
        message=f"no accepted {guard.class_} decision allows this change"
        + "".join(f"; {one.decision} {one.fault}" for one in naming),
        hint=_HINTS[guard.by].format(class_=guard.class_, path=path),
    )


_HINTS = {
    "affects": "Decide on it ({class_}, with `affects: [{path}]`) on this branch, or name the"
    " decision that allows it in the commit: Accord-Decision: ID",
    "enacts": "Decide on these bytes ({class_}, with `enacts`) on this branch, or name the"
    " decision that enacts them in the commit: Accord-Decision: ID",
}


def _names(warrant: Warrant, guard: Guard, path: str, digest: str | None) -> bool:
    """Whether a decision is about a path. What is gone has no bytes that could be enacted."""
    if guard.by == "enacts" and digest is not None:
        return path in warrant.enacts
    return any(_is_about(glob, path, digest) for glob in warrant.affects)


def _allows(warrant: Warrant, guard: Guard, path: str, digest: str | None) -> bool:
    if guard.by == "enacts" and digest is not None:
        return warrant.enacts[path] == digest
    return True
