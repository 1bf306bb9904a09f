"""`adr`: the pages, or the index of them, written and held against what is staged (section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from accord.errors import UsageError
from accord.flow.pages import find_stale, open_library, refuse_replacing
from accord.flow.publish import (
    Saving,
    alone,
    refuse_losing,
    refuse_uncommitted,
    require_committed_policy,
    write_and_stage,
)
from accord.flow.session import Session
from accord.model.finding import Finding
from accord.model.paths import ADR_DIRECTORY, ADR_INDEX, find_paged
from accord.render.adr import Style
from accord.rules.pages import check_pages
from accord.store.files import find_unlike
from accord.store.tree import read_plain
from accord.verify.library import Library, find_pages

Target = Literal["index"] | Sequence[str]


def find_files(
    library: Library, target: Target, style: Style | None
) -> dict[str, tuple[bytes, ...]]:
    """What is to stand there: the index, or the pages of some decisions, the first is written."""
    if target == "index":
        return {ADR_INDEX: (library.index(library.entries()),)}
    return find_pages(library, target, style)


def check_files(library: Library, target: Target, style: Style | None) -> tuple[Finding, ...]:
    """Which of them are missing, edited, left behind or about a decision that has not ended."""
    due = find_files(library, target, style)
    tree = library.tree
    there = {entry.path: read_plain(tree, entry.path) or b"" for entry in tree.list(ADR_DIRECTORY)}
    asked = {ADR_INDEX} if target == "index" else {*due, *_find_paths(there, frozenset(target))}
    return check_pages({path: there[path] for path in asked & there.keys()}, due)


class Kept(NamedTuple):
    """What was done: the paths written, none when all were right already, and the commit.

    `faults` says which templates of the repository could not be filled in.
    """

    paths: tuple[str, ...]
    commit: str | None
    faults: Mapping[str, UsageError]


def write_pages(session: Session, target: Target, style: Style | None, saving: Saving) -> Kept:
    """Write and stage those that are not right; commit those that HEAD has otherwise.

    Raises UsageError when something is in the way that accord did not write, or that was typed
    and not staged, or when they would be committed before the decisions that they tell of.
    """
    with alone(session, "adr") as here:
        commits = saving.commit or saving.push
        if commits:
            require_committed_policy(here)
            refuse_uncommitted(here, "a page would tell of it")
        library = open_library(here.base, here.tree, here.sources(here.tree))
        files = find_files(library, target, style)
        due = find_stale(here.tree, files) | _find_unlike(here, files)
        refuse_replacing(here.base, here.tree, due)
        refuse_losing(here, due)
        if due:
            write_and_stage(here, due)
        paths, new = tuple(sorted(due)), sorted(find_stale(here.base, files))
        if not commits or not new:
            return Kept(paths, None, library.faults)
        what = "the index" if target == "index" else "pages"
        commit = here.repository.commit_paths(f"Write {what} of decisions", new)
        return Kept(paths, commit, library.faults)


def _find_unlike(here: Session, files: Mapping[str, Sequence[bytes]]) -> dict[str, bytes]:
    """Those that are staged as they may be, and lie otherwise in the working tree."""
    staged = {path: read_plain(here.tree, path) for path in files}
    right = {path: data for path, data in staged.items() if data in files[path] and data}
    return find_unlike(here.root, right)


def _find_paths(there: Mapping[str, bytes], decisions: frozenset[str]) -> set[str]:
    return {path for path in there if (find_paged(path) or "") in decisions}
