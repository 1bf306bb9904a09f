"""Reading git's raw diff: which paths differ, and what is there now."""

from __future__ import annotations

from accord.errors import UsageError
from accord.store.tree import TreeEntry

_GONE = "000000"
_SHOWN = 5


def parse_raw_diff(output: bytes) -> dict[str, TreeEntry | None]:
    """Path → its new entry, None where it is gone; from `--raw -z --no-abbrev --no-renames`.

    Raises UsageError for paths that are not merged yet: they have no content.
    """
    words = output.split(b"\0")
    changes: dict[str, TreeEntry | None] = {}
    unmerged = []
    for about, name in zip(words[::2], words[1::2], strict=False):
        _, mode, _, oid, status = about.decode("ascii").split(" ")
        path = name.decode("utf-8", "surrogateescape")
        if status.startswith("U"):
            unmerged.append(path)
        changes[path] = None if mode == _GONE else TreeEntry(path, mode, oid)
    if unmerged:
        shown = ", ".join(unmerged[:_SHOWN]) + (", …" if len(unmerged) > _SHOWN else "")
        raise UsageError(
            f"a merge is not resolved yet in {shown}",
            "resolve it, then `git add` these files; of a signed file and its signature take one"
            " side whole (`git checkout --ours -- FILE FILE.sig`, or --theirs)",
        )
    return changes
