"""What is judged: a tree, never the working directory (section 9).

`Tree` is the protocol; the trees of git, commit and index, are in `git_trees`. Paths are those
of git: relative to the root, with `/`, bytes that are not UTF-8 as surrogates.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from accord.model.ids import digest_bytes

ObjectFormat = Literal["sha1", "sha256"]
REGULAR = "100644"


class TreeEntry(NamedTuple):
    """One file of a tree: `mode` as git writes it, `100644` for a plain file, and its object."""

    path: str
    mode: str
    oid: str


class Tree(Protocol):
    """A fixed set of files: a commit, the index, or what is in memory."""

    @property
    def id(self) -> str:
        """The commit, or `index`, or `memory`."""

    @property
    def object_format(self) -> ObjectFormat:
        """How objects are named: two files of equal `oid` are equal."""

    def list(self, prefix: str = "") -> tuple[TreeEntry, ...]:
        """The files at and below a path, in the order of paths; all of them for `""`.

        Whole names count: `a` holds `a` and `a/b`, never `ab`. Links and submodules are listed
        like files; folders are not.
        """

    def folders(self, prefix: str = "") -> Mapping[str, str | None]:
        """The folders directly in a folder, in the order of names: each with its id, or None.

        Two folders of one id hold the same. It reads no further, so it costs the same however
        much the folders below hold.
        """

    def files(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the files directly in a folder, in order, as cheaply."""

    def find(self, path: str) -> TreeEntry | None:
        """The file at a path; None when nothing or a folder is there."""

    def read(self, path: str) -> bytes:
        """The bytes of a file, of a link its target.

        Raises KeyError when there are none, CannotJudge when there are more than can be held.
        """

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes]:
        """The bytes of some of its entries, in their order: quicker than one by one.

        Raises KeyError when an entry has none.
        """

    def read_up_to(self, entries: Sequence[TreeEntry], most: int) -> Sequence[bytes | int]:
        """The same for files of at most so many bytes; of a larger one, how many it has."""

    def digest(self, path: str, most: int | None = None) -> str | int:
        """The digest of a file, without holding it; its size, if it has more than `most` bytes.

        Raises KeyError when there is none.
        """

    def match(self, *names: Collection[str] | None) -> tuple[TreeEntry, ...]:
        """The files at paths of so many names, each one of those that fit there, in order.

        None fits any name. Folders are read together, and only those on the way.
        """


def read_plain(tree: Tree, path: str) -> bytes | None:
    """The bytes of a plain file; None for a link, a submodule, an executable, and for nothing."""
    entry = tree.find(path)
    return tree.read(path) if entry is not None and entry.mode == REGULAR else None


def blob_id(data: bytes, object_format: ObjectFormat) -> str:
    """The id that git gives to a file with these bytes."""
    return object_id("blob", data, object_format)


def object_id(kind: str, data: bytes, object_format: ObjectFormat) -> str:
    """The id that git gives to an object."""
    name = hashlib.new(object_format, usedforsecurity=False)
    name.update(b"%s %d\0" % (kind.encode(), len(data)))
    name.update(data)
    return name.hexdigest()


def within(paths: Sequence[str], prefix: str) -> Sequence[str]:
    """Those of some sorted paths that are at or below a path."""
    prefix = prefix.rstrip("/")
    if not prefix:
        return paths
    # "0" is the character after "/".
    start = bisect_left(paths, f"{prefix}/")
    below = paths[start : bisect_left(paths, f"{prefix}0", start)]
    at = bisect_left(paths, prefix)
    exact = paths[at : at + 1]
    return [*exact, *below] if list(exact) == [prefix] else below


def names_within(paths: Iterable[str], prefix: str) -> set[str]:
    """The names directly in a folder, of some paths that are below it."""
    prefix = prefix.rstrip("/")
    start = len(prefix) + 1 if prefix else 0
    return {path[start:].partition("/")[0] for path in paths if path != prefix}


def folders_within(paths: Iterable[str], prefix: str) -> set[str]:
    """Those of the names that something is below."""
    prefix = prefix.rstrip("/")
    start = len(prefix) + 1 if prefix else 0
    parts = (path[start:].partition("/") for path in paths if path != prefix)
    return {name for name, slash, _ in parts if slash}


def is_match(path: str, wanted: Sequence[Collection[str] | None]) -> bool:
    """Whether a path has so many names, each of which fits there (`Tree.match`)."""
    names = path.split("/")
    fits = all(one is None or name in one for name, one in zip(names, wanted, strict=False))
    return len(names) == len(wanted) and fits


def _cut(data: bytes, most: int) -> bytes | int:
    return len(data) if len(data) > most else data


class MemoryTree:
    """A tree of plain files in memory; `modes` names those that are something else."""

    id = "memory"

    def __init__(
        self,
        files: Mapping[str, bytes],
        modes: Mapping[str, str] | None = None,
        object_format: ObjectFormat = "sha1",
    ) -> None:
        self.object_format: ObjectFormat = object_format
        self._files = dict(files)
        self._modes = dict(modes or {})
        self._paths = sorted(self._files)

    def list(self, prefix: str = "") -> tuple[TreeEntry, ...]:
        """The files at and below a path, in order."""
        return tuple(self._entry(path) for path in within(self._paths, prefix))

    def folders(self, prefix: str = "") -> Mapping[str, str | None]:
        """The folders directly in a folder, in order; none has an id."""
        return dict.fromkeys(sorted(folders_within(within(self._paths, prefix), prefix)))

    def files(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the files directly in a folder, in order."""
        below = within(self._paths, prefix)
        return tuple(sorted(names_within(below, prefix) - folders_within(below, prefix)))

    def find(self, path: str) -> TreeEntry | None:
        """The file at a path, or None."""
        return self._entry(path) if path in self._files else None

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there is none."""
        return self._files[path]

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes]:
        """The bytes of some of its entries, in their order. Raises KeyError like `read`."""
        return [self.read(entry.path) for entry in entries]

    def read_up_to(self, entries: Sequence[TreeEntry], most: int) -> Sequence[bytes | int]:
        """Those of at most so many bytes; of a larger one, how many it has."""
        return [_cut(self.read(entry.path), most) for entry in entries]

    def digest(self, path: str, most: int | None = None) -> str | int:
        """The digest of a file; its size, if it has more than `most` bytes."""
        data = self.read(path)
        return len(data) if most is not None and len(data) > most else digest_bytes(data)

    def match(self, *names: Collection[str] | None) -> tuple[TreeEntry, ...]:
        """The files at paths of so many names, each one of those that fit there, in order."""
        return tuple(self._entry(path) for path in self._paths if is_match(path, names))

    def _entry(self, path: str) -> TreeEntry:
        oid = blob_id(self._files[path], self.object_format)
        return TreeEntry(path, self._modes.get(path, REGULAR), oid)


class PatchedTree:
    """A tree that differs from another in some entries; None where the other's is gone."""

    id = "memory"

    def __init__(self, base: Tree, changes: Mapping[str, TreeEntry | None]) -> None:
        self.base = base
        self.changes = dict(changes)
        self.object_format: ObjectFormat = base.object_format
        self._changed = sorted(self.changes)

    def changed_paths(self, prefix: str = "") -> tuple[str, ...]:
        """Where it differs from `base`, at and below a path, in order."""
        return tuple(within(self._changed, prefix))

    def list(self, prefix: str = "") -> tuple[TreeEntry, ...]:
        """The files at and below a path, in order."""
        entries = {entry.path: entry for entry in self.base.list(prefix)}
        for path in within(self._changed, prefix):
            change = self.changes[path]
            if change is None:
                entries.pop(path, None)
            else:
                entries[path] = change
        return tuple(sorted(entries.values()))

    def folders(self, prefix: str = "") -> Mapping[str, str | None]:
        """The folders directly in a folder, in order; what was changed in has no id."""
        touched = names_within(within(self._changed, prefix), prefix)
        below = self.base.folders(prefix)
        if not touched:
            return below
        folder = f"{prefix.rstrip('/')}/" if prefix else ""
        paths = (entry.path for name in touched for entry in self.list(folder + name))
        left = dict.fromkeys(folders_within(paths, prefix))
        kept = {name: oid for name, oid in below.items() if name not in touched}
        return dict(sorted((kept | left).items()))

    def files(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the files directly in a folder, in order."""
        touched = names_within(within(self._changed, prefix), prefix)
        folder = f"{prefix.rstrip('/')}/" if prefix else ""
        left = {name for name in touched if self.find(folder + name) is not None}
        return tuple(sorted(left | (set(self.base.files(prefix)) - touched)))

    def find(self, path: str) -> TreeEntry | None:
        """The file at a path, or None."""
        return self.changes[path] if path in self.changes else self.base.find(path)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there is none."""
        if path in self.changes:
            raise KeyError(path)
        return self.base.read(path)

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes]:
        """The bytes of some of its entries, in their order. Raises KeyError like `read`."""
        return [self.read(entry.path) for entry in entries]

    def read_up_to(self, entries: Sequence[TreeEntry], most: int) -> Sequence[bytes | int]:
        """Those of at most so many bytes; of a larger one, how many it has."""
        return [_cut(self.read(entry.path), most) for entry in entries]

    def digest(self, path: str, most: int | None = None) -> str | int:
        """The digest of a file; its size, if it has more than `most` bytes."""
        data = self.read(path)
        return len(data) if most is not None and len(data) > most else digest_bytes(data)

    def match(self, *names: Collection[str] | None) -> tuple[TreeEntry, ...]:
        """The files at paths of so many names, each one of those that fit there, in order."""
        below = (entry for entry in self.base.match(*names) if entry.path not in self.changes)
        changed = (self.changes[path] for path in self._changed if is_match(path, names))
        return tuple(sorted((*below, *(entry for entry in changed if entry is not None))))


class OverlayTree(PatchedTree):
    """What a tree will be once some files are written; None for those that are removed.

    No path of `files` may lead through a file of `base`, nor be a folder in it.
    """

    def __init__(self, base: Tree, files: Mapping[str, bytes | None]) -> None:
        self._files = dict(files)
        changes = {
            path: None
            if data is None
            else TreeEntry(path, REGULAR, blob_id(data, base.object_format))
            for path, data in files.items()
        }
        super().__init__(
            base, {path: new for path, new in changes.items() if new != base.find(path)}
        )

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises KeyError when there is none."""
        data = self._files.get(path)
        return super().read(path) if data is None else data


def find_differences(base: Tree, head: Tree, prefix: str = "") -> tuple[str, ...]:
    """The paths at which two trees differ in bytes or mode, in order, by listing both."""
    old, new = set(base.list(prefix)), set(head.list(prefix))
    return tuple(sorted({entry.path for entry in old ^ new}))
