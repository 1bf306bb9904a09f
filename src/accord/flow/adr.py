"""`adr`: the pages, or the index of them, written and held against what is staged (section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from accord.flow.pages import Library, find_entries, find_pages, find_stale, show_index
from accord.flow.publish import Saving, alone, refuse_losing, write_and_stage
from accord.flow.session import Session
from accord.model.finding import Finding
from accord.model.paths import ADR_DIRECTORY, ADR_INDEX, find_paged
from accord.render.adr import Style
from accord.rules.adr import check_pages
from accord.verify import judge_decision

Target = Literal["index"] | Sequence[str]


def find_files(library: Library, target: Target, style: Style | None) -> dict[str, bytes]:
    """What is to stand there: the index, or the pages of some decisions."""
    if target == "index":
        return {ADR_INDEX: show_index(library, find_entries(library)).encode()}
    return find_pages(library, target, style)


def check_files(library: Library, target: Target, style: Style | None) -> tuple[Finding, ...]:
    """Which of them are missing, edited, left behind or about a decision that has not ended."""
    due = find_files(library, target, style)
    tree = library.tree
    there = {entry.path: tree.read(entry.path) for entry in tree.list(ADR_DIRECTORY)}
    asked = {ADR_INDEX} if target == "index" else {*due, *_find_paths(there, target)}
    return check_pages({path: there[path] for path in asked & there.keys()}, due)


def write_pages(
    session: Session, target: Target, style: Style | None, saving: Saving
) -> tuple[tuple[str, ...], str | None]:
    """Write and stage those that are not right; their paths, and the commit if there is one.

    Raises UsageError when something is in the way that was typed and not staged.
    """
    with alone(session, "adr") as here:
        sources = here.sources(here.tree)
        library = Library(
            here.base, here.tree, lambda name: judge_decision(here.tree, name, sources)
        )
        files = find_stale(here.tree, find_files(library, target, style))
        refuse_losing(here, files)
        if not files:
            return (), None
        write_and_stage(here, files)
        paths = tuple(sorted(files))
        # What only was staged wrongly is right again, and there is nothing to commit.
        if not (saving.commit or saving.push) or not find_stale(here.base, files):
            return paths, None
        what = "the index" if target == "index" else "pages"
        return paths, here.repository.commit_paths(f"Write {what} of decisions", paths)


def _find_paths(there: Mapping[str, bytes], decisions: Sequence[str]) -> set[str]:
    return {path for path in there if find_paged(path) in decisions}
