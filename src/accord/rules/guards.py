"""Whether a decision allows what changed in guarded code (section 3.2, `guarded`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.policy import Guard
from accord.rules.globs import fits, reaches
from accord.rules.spelling import covers, covers_below

PLAIN = ("100644", "100755")
_MODES = {"100644": "a plain file", "100755": "an executable", "120000": "a link"}


class Content(NamedTuple):
    """What a path holds: git's mode, and the digest of the bytes ("" for a submodule)."""

    mode: str
    digest: str


# What guarded paths hold after a change: None where nothing is left.
Changes = Mapping[str, Content | None]
Demand = Literal["in force", "under way"]
Found = Literal["arrives", "enacts", "named"]


class Warrant(NamedTuple):
    """A decision that may allow a change: what it names, and why it allows nothing, if so.

    `under_way` says of one that allows nothing yet that its vote may still bring it into force.
    `found` is how it was found: it arrives in the same step, enacts these bytes, or is named by
    a commit and not found otherwise.
    """

    decision: str
    class_: str
    affects: tuple[str, ...] = ()
    enacts: Mapping[str, Content] = {}
    fault: str | None = None
    under_way: bool = False
    found: Found = "arrives"


def find_guarded(
    guards: Sequence[Guard], path: str, content: Content | None = None
) -> tuple[Guard, ...]:
    """The guards that a path falls under; each of them has to be satisfied.

    What is no plain file falls under those of all that could be below it: a link or a submodule
    stands for a folder. A path that some file system takes for a guarded one is guarded.
    """
    is_about = covers_below if _is_odd(content) else covers
    return tuple(
        guard
        for guard in guards
        if any(covers(glob, path) or is_about(glob, path) for glob in guard.paths)
    )


def _is_odd(content: Content | None) -> bool:
    return content is not None and content.mode not in PLAIN


def check_guarded(
    guards: Sequence[Guard],
    changes: Changes,
    warrants: Sequence[Warrant],
    demand: Demand = "in force",
) -> tuple[Finding, ...]:
    """Every change of a guarded path that no decision of the guard's class allows.

    `warrants` are the decisions that were found for the step. Under the demand `under way` one
    that is not decided yet will do.
    """
    return tuple(
        finding
        for path, content in sorted(changes.items())
        for guard in find_guarded(guards, path, content)
        for finding in _check(guard, path, content, warrants, demand)
    )


def find_named_only(
    guards: Sequence[Guard], changes: Changes, warrants: Sequence[Warrant]
) -> Mapping[str, tuple[str, ...]]:
    """The decisions that allow a change only because a commit names them → what they allow."""
    found: dict[str, dict[str, None]] = {}
    for path, content in sorted(changes.items()):
        for guard in find_guarded(guards, path, content):
            allowing = [one for one in warrants if _is_warrant(one, guard, path, content)]
            if allowing and all(one.found == "named" for one in allowing):
                found.setdefault(allowing[0].decision, {})[path] = None
    return {decision: tuple(paths) for decision, paths in found.items()}


def check_kept(
    guards: Sequence[Guard], changes: Changes, warrants: Sequence[Warrant], trailer: str
) -> tuple[Finding, ...]:
    """The decisions that a change needs by name: whoever squashes it must keep the name."""
    return tuple(
        Finding(
            code="trailer-only",
            path=paths[0],
            message=f"only a trailer says that {decision} allows this"
            + (f" (and {len(paths) - 1} more)" if paths[1:] else "")
            + "; a squash that drops it is refused on the protected branch",
            hint="When this is squashed, keep a line of its own at the end of the message:"
            f" {trailer}: {decision}",
        )
        for decision, paths in sorted(find_named_only(guards, changes, warrants).items())
    )


def _is_warrant(warrant: Warrant, guard: Guard, path: str, content: Content | None) -> bool:
    return (
        warrant.class_ == guard.class_
        and warrant.fault is None
        and _names(warrant, guard, path, content)
        and _allows(warrant, guard, path, content)
    )


def _check(
    guard: Guard,
    path: str,
    content: Content | None,
    warrants: Sequence[Warrant],
    demand: Demand,
) -> Iterator[Finding]:
    of_class = [one for one in warrants if one.class_ == guard.class_]
    naming = [one for one in of_class if _names(one, guard, path, content)]
    able = [one for one in naming if one.fault is None or (demand == "under way" and one.under_way)]
    if any(_allows(one, guard, path, content) for one in able):
        return
    if able and content is not None:
        yield _differs(able[0], path, content)
        return
    yield Finding(
        code="guarded-path",
        path=path,
        message=f"no accepted {guard.class_} decision allows this change"
        + _tell_spelling(guard, path, content)
        + "".join(f"; {one.decision} {one.fault}" for one in naming),
        hint=_HINTS[guard.by].format(class_=guard.class_, path=path)
        if "\\" not in path
        else "Name it with `/`: no decision can name a path with a backslash.",
    )


_HINTS = {
    "affects": "Decide on it ({class_}, with `affects: [{path}]`) on this branch, or name the"
    " decision that allows it in the commit: Accord-Decision: ID",
    "enacts": "Decide on these bytes ({class_}, with `enacts`) on this branch; a file that is"
    " removed needs a decision with `affects: [{path}]`, which the commit may name:"
    " Accord-Decision: ID",
}


def _tell_spelling(guard: Guard, path: str, content: Content | None) -> str:
    """Why a path is guarded that nobody wrote like this."""
    if any(_is_about(glob, path, content) for glob in guard.paths):
        return ""
    return f" (some file systems take it for a path of {', '.join(guard.paths)})"


def _differs(warrant: Warrant, path: str, content: Content) -> Finding:
    enacted = warrant.enacts[path]
    if enacted.digest != content.digest:
        return Finding(
            code="enacts-differs",
            path=path,
            message=f"{warrant.decision} enacts this file with other bytes than it has here",
            hint="Take the bytes that were decided, or decide on these.",
        )
    here = _MODES.get(content.mode, f"of mode {content.mode}")
    return Finding(
        code="enacts-differs",
        path=path,
        message=f"{warrant.decision} enacts these bytes as {_MODES[enacted.mode]}, and here they"
        f" are {here}",
        hint="Take the mode that was decided (git update-index --chmod), or decide on this one:"
        " `mode` stands beside the digest.",
    )


def _is_about(glob: str, path: str, content: Content | None) -> bool:
    return fits(path, glob) or (_is_odd(content) and reaches(path, glob))


def _names(warrant: Warrant, guard: Guard, path: str, content: Content | None) -> bool:
    """Whether a decision is about a path. What is gone has no bytes that could be enacted.

    By the very spelling: what is decided for `src/db` says nothing of `SRC/db`.
    """
    if guard.by == "enacts" and content is not None:
        return path in warrant.enacts
    return any(_is_about(glob, path, content) for glob in warrant.affects)


def _allows(warrant: Warrant, guard: Guard, path: str, content: Content | None) -> bool:
    if guard.by == "enacts" and content is not None:
        return warrant.enacts[path] == content
    return True
