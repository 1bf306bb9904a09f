"""A folder as git stores it: names, and what has them, with nothing that two readers could read
in two ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from accord.errors import CannotJudge
from accord.store.tree import ObjectFormat

FOLDER = "040000"
HEX_LENGTH: dict[ObjectFormat, int] = {"sha1": 40, "sha256": 64}
FSCK = "`git fsck --full` says more; fetch the object again from another clone"

_MODES = {
    b"40000": FOLDER,
    b"040000": FOLDER,  # some old tools padded it
    b"100644": "100644",
    b"100664": "100644",  # git itself, before 2007
    b"100755": "100755",
    b"120000": "120000",
    b"160000": "160000",
}
_FOLDERS = (b"40000", b"040000")
_ENTRY: dict[ObjectFormat, re.Pattern[bytes]] = {
    "sha1": re.compile(rb"([0-7]{5,6}) ([^/\0]+)\0(.{20})", re.DOTALL),
    "sha256": re.compile(rb"([0-7]{5,6}) ([^/\0]+)\0(.{32})", re.DOTALL),
}


class Node(NamedTuple):
    """What a name in a folder stands for."""

    mode: str
    oid: str


class Folder:
    """What stands directly in a folder."""

    def __init__(self, entries: Mapping[bytes, tuple[bytes, bytes, bytes]]) -> None:
        self._entries = entries

    def find(self, name: str) -> Node | None:
        """What has this name, or None."""
        entry = self._entries.get(name.encode("utf-8", "surrogateescape"))
        return None if entry is None else Node(_MODES[entry[0]], entry[2].hex())

    def folders(self) -> dict[str, str]:
        """Those that are folders themselves: name → id."""
        return {
            name.decode("utf-8", "surrogateescape"): target.hex()
            for name, (mode, _, target) in self._entries.items()
            if mode in _FOLDERS
        }

    def files(self) -> list[str]:
        """The names of all others."""
        return [
            name.decode("utf-8", "surrogateescape")
            for name, (mode, _, _) in self._entries.items()
            if mode not in _FOLDERS
        ]

    def items(self) -> Iterator[tuple[str, Node]]:
        """All names, and what has them."""
        for name, (mode, _, target) in self._entries.items():
            yield name.decode("utf-8", "surrogateescape"), Node(_MODES[mode], target.hex())


def parse_tree(oid: str, data: bytes, object_format: ObjectFormat) -> Folder:
    """A folder from its bytes. Raises CannotJudge when git would not have written them."""
    # A folder may hold ten thousand decisions, of which one is looked for: what can wait, waits.
    entries: list[tuple[bytes, bytes, bytes]] = _ENTRY[object_format].findall(data)
    modes = [mode for mode, _, _ in entries]
    names = [name for _, name, _ in entries]
    width = HEX_LENGTH[object_format] // 2 + 2
    whole = sum(map(len, modes)) + sum(map(len, names)) + width * len(entries) == len(data)
    # git sorts a folder as if its name ended in a slash. What is not in this order has a name
    # twice, and two readers could then see two different files.
    order = [name + b"/" if mode in _FOLDERS else name for mode, name, _ in entries]
    ordered = all(map(bytes.__lt__, order, order[1:]))
    by_name = dict(zip(names, entries, strict=True))
    odd = by_name.keys() & {b".", b".."} or set(modes) - _MODES.keys()
    if not whole or not ordered or odd or len(by_name) != len(entries):
        raise CannotJudge(f"the tree {oid} is malformed", FSCK)
    return Folder(by_name)
