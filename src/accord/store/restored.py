"""A tree in which some files are what they were in others."""

from __future__ import annotations

from collections.abc import Mapping

from accord.store.tree import PatchedTree, Tree


class RestoredTree(PatchedTree):
    """A tree with the files of other trees at some paths, or with nothing where those have none."""

    def __init__(self, base: Tree, sources: Mapping[str, Tree]) -> None:
        super().__init__(base, {path: tree.find(path) for path, tree in sources.items()})
        self.id = base.id
        self._sources = dict(sources)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there is none."""
        source = self._sources.get(path)
        return super().read(path) if source is None else source.read(path)
