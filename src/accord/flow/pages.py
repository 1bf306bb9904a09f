"""Pages and the index on the writing side: which are not right, and what is not written over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from accord.errors import UsageError
from accord.model.page_format import Kind, find_format
from accord.model.paths import ADR_INDEX, find_paged
from accord.store.tree import Tree, read_plain
from accord.verify import Sources
from accord.verify.library import Library
from accord.verify.step import judging_upon


def open_library(base: Tree, tree: Tree, sources: Sources) -> Library:
    """The decisions of a tree as they stand on top of a base, which has the templates."""
    return Library(base, tree, judging_upon(base, tree, sources))


def find_stale(tree: Tree, files: Mapping[str, Collection[bytes]]) -> dict[str, bytes]:
    """What a tree lacks or has otherwise: path → what is to be written."""
    return {
        path: next(iter(due)) for path, due in files.items() if read_plain(tree, path) not in due
    }


def refuse_replacing(base: Tree, tree: Tree, paths: Iterable[str]) -> None:
    """What people wrote by hand is not written over: UsageError where it would be.

    It is accord's if what is staged, or what HEAD has, names its format.
    """
    for path in paths:
        kind = _kind_of(path)
        if kind is None or tree.find(path) is None:
            continue
        versions = (read_plain(one, path) for one in (tree, base))
        if all(find_format(version, kind) is None for version in versions):
            raise UsageError(
                f"{path} was not written by accord, and would be written over",
                f"give it another name (git mv {path} {_other_name(path)}), then run the command"
                " again",
            )


def _kind_of(path: str) -> Kind | None:
    if path == ADR_INDEX:
        return "index"
    return "page" if find_paged(path) else None


def _other_name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/by-hand-{name}"
