"""The trees of git: a commit, read folder by folder, and the index.

The index is never listed. It is a commit and the differences that one `git diff-index` names,
so that a staged vote costs the same beside ten decisions and beside ten thousand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from accord.errors import CannotJudge
from accord.store.folder import FOLDER, Folder, Node
from accord.store.objects import Objects
from accord.store.tree import ObjectFormat, PatchedTree, Tree, TreeEntry

SUBMODULE = "160000"
MOST_FILES = 1_000_000  # 10,000 decisions have half of them
LONGEST_PATH = 4096  # bytes or so: no system checks out a longer one
_TOGETHER = 32  # how many are taken off a list at once, so that it never gets long


class CommitTree:
    """The files of a commit. A part of it is listed without reading the rest."""

    def __init__(self, commit: str, tree: str, objects: Objects) -> None:
        self.id = commit
        self.tree_oid = tree
        self.object_format: ObjectFormat = objects.object_format
        self._objects = objects

    def list(self, prefix: str = "") -> tuple[TreeEntry, ...]:
        """The files at and below a path, in order."""
        path = prefix.rstrip("/")
        node = self._node(path)
        return () if node is None else tuple(sorted(self._walk(path, node)))

    def folders(self, prefix: str = "") -> Mapping[str, str | None]:
        """The folders directly in a folder, in order, each with the id of its tree."""
        folder = self._folder(prefix)
        return {} if folder is None else dict(sorted(folder.folders().items()))

    def files(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the files directly in a folder, in order."""
        folder = self._folder(prefix)
        return () if folder is None else tuple(sorted(folder.files()))

    def find(self, path: str) -> TreeEntry | None:
        """The file at a path, or None."""
        node = self._node(path)
        return None if node is None or node.mode == FOLDER else TreeEntry(path, *node)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there are none."""
        return read_entry(self.find(path), path, self._objects)

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes]:
        """The bytes of some of its entries, in their order. Raises KeyError like `read`."""
        return read_entries(entries, self._objects)

    def read_up_to(self, entries: Sequence[TreeEntry], most: int) -> Sequence[bytes | int]:
        """Those of at most so many bytes; of a larger one, how many it has."""
        return self._objects.read_up_to(_list_oids(entries), most)

    def digest(self, path: str, most: int | None = None) -> str | int:
        """The digest of a file, without holding it; its size, if it has more than `most` bytes."""
        return digest_entry(self.find(path), path, self._objects, most)

    def match(self, *names: Collection[str] | None) -> tuple[TreeEntry, ...]:
        """The files at paths of so many names, each one of those that fit there, in order."""
        nodes = [("", Node(FOLDER, self.tree_oid))]
        for wanted in names:
            nodes = [
                (f"{path}/{name}" if path else name, node)
                for path, folder in self._open(nodes)
                for name, node in _pick(folder, wanted)
            ]
        return tuple(sorted(TreeEntry(path, *node) for path, node in nodes if node.mode != FOLDER))

    def _open(self, nodes: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, Folder]]:
        """Those that are folders, read some at a time."""
        folders = [(path, node.oid) for path, node in nodes if node.mode == FOLDER]
        for start in range(0, len(folders), _TOGETHER):
            together = folders[start : start + _TOGETHER]
            below = self._objects.trees([oid for _, oid in together])
            yield from zip((path for path, _ in together), below, strict=True)

    def _folder(self, prefix: str) -> Folder | None:
        node = self._node(prefix.rstrip("/"))
        return None if node is None or node.mode != FOLDER else self._objects.tree(node.oid)

    def _node(self, path: str) -> Node | None:
        node: Node | None = Node(FOLDER, self.tree_oid)
        for name in path.split("/") if path else ():
            if node is None or node.mode != FOLDER:
                return None
            node = self._objects.tree(node.oid).find(name)
        return node

    def _walk(self, path: str, node: Node) -> Iterator[TreeEntry]:
        # A stack, not a recursion: folders may be nested thousands deep.
        left = [(path, node)]
        seen = 0
        while left:
            together = left[-_TOGETHER:]
            del left[-_TOGETHER:]
            yield from (TreeEntry(path, *node) for path, node in together if node.mode != FOLDER)
            folders = [(path, node.oid) for path, node in together if node.mode == FOLDER]
            below = self._objects.trees([oid for _, oid in folders])
            for (path, _), folder in zip(folders, below, strict=True):
                start = f"{path}/" if path else ""
                children = [(start + name, child) for name, child in folder.items()]
                left.extend(children)
                seen += len(children)
                if seen > MOST_FILES or any(len(name) > LONGEST_PATH for name, _ in children):
                    raise CannotJudge(
                        f"{path or 'a tree'} holds more than {MOST_FILES:,} files, or paths of more"
                        f" than {LONGEST_PATH:,} characters",
                        "take that folder out: nobody could check it out either",
                    )


class IndexTree(PatchedTree):
    """What is staged: the commit that it follows (an empty tree at first) and what differs."""

    id = "index"

    def __init__(
        self, base: Tree, changes: Mapping[str, TreeEntry | None], objects: Objects
    ) -> None:
        super().__init__(base, changes)
        self._objects = objects

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there are none."""
        if path in self.changes:
            return read_entry(self.changes[path], path, self._objects)
        return self.base.read(path)

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes]:
        """The bytes of some of its entries, in their order. Raises KeyError like `read`."""
        return read_entries(entries, self._objects)

    def read_up_to(self, entries: Sequence[TreeEntry], most: int) -> Sequence[bytes | int]:
        """Those of at most so many bytes; of a larger one, how many it has."""
        return self._objects.read_up_to(_list_oids(entries), most)

    def digest(self, path: str, most: int | None = None) -> str | int:
        """The digest of a file, without holding it; its size, if it has more than `most` bytes."""
        return digest_entry(self.find(path), path, self._objects, most)


def _pick(folder: Folder, wanted: Collection[str] | None) -> Iterator[tuple[str, Node]]:
    if wanted is None:
        yield from folder.items()
        return
    for name in wanted:
        node = folder.find(name)
        if node is not None:
            yield name, node


def read_entry(entry: TreeEntry | None, path: str, objects: Objects) -> bytes:
    """The bytes of an entry. A submodule is a commit of another repository and has none."""
    if entry is None or entry.mode == SUBMODULE:
        raise KeyError(path)
    return objects.read(entry.oid)


def digest_entry(
    entry: TreeEntry | None, path: str, objects: Objects, most: int | None
) -> str | int:
    """The digest of an entry, or its size."""
    if entry is None or entry.mode == SUBMODULE:
        raise KeyError(path)
    found = objects.digest(entry.oid, most)
    return found if isinstance(found, int) else f"sha256:{found}"


def read_entries(entries: Sequence[TreeEntry], objects: Objects) -> list[bytes]:
    """The bytes of several entries, asked for together."""
    return objects.read_all(_list_oids(entries))


def _list_oids(entries: Sequence[TreeEntry]) -> list[str]:
    for entry in entries:
        if entry.mode == SUBMODULE:
            raise KeyError(entry.path)
    return [entry.oid for entry in entries]
