"""Two paths that some file system takes for one (section 3.2, `guarded`).

git keeps paths apart that differ in case alone. On macOS and Windows they are one file in the
working tree, so a guard that looked at git's spelling only would guard the name and not the file.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from accord.rules.globs import fits, reaches

_KNOWN = 4096


def covers(glob: str, path: str) -> bool:
    """Whether a path fits a glob, as it is spelt or as a file system may read it."""
    return _matches(fits, glob, path)


def covers_below(glob: str, path: str) -> bool:
    """Whether something below a path could fit a glob, likewise."""
    return _matches(reaches, glob, path)


def _matches(test: Callable[[str, str], bool], glob: str, path: str) -> bool:
    if test(path, glob):
        return True
    forms = dict.fromkeys(zip(spell(path), spell(glob), strict=True))
    return any(test(*form) for form in forms if form != (path, glob))


@lru_cache(maxsize=_KNOWN)
def spell(path: str) -> tuple[str, str]:
    """How file systems that ignore case read a path: letter by letter, and in full.

    In full `ß` is `ss`; letter by letter it stays one letter, as `?` in a glob wants it.
    Backslashes part folders. What file systems drop is dropped: invisible characters, the dots
    and spaces at the end of a name, and the stream that a colon names.
    """
    names = path.replace("\\", "/").split("/")
    parts = ["".join(filter(_is_visible, name)).partition(":")[0].rstrip(". ") for name in names]
    # A name of dots alone is a step in a path, where a backslash made one.
    kept = [
        part or (name if "\\" in path else part) for part, name in zip(parts, names, strict=True)
    ]
    plain = unicodedata.normalize("NFC", posixpath.normpath("/".join(kept)))
    return "".join(map(_fold_letter, plain)), _fold(plain)


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text).upper().casefold()
    return unicodedata.normalize("NFC", decomposed)


def _fold_letter(letter: str) -> str:
    folded = _fold(letter)
    return folded if len(folded) == 1 else letter.lower()[:1]


def _is_visible(char: str) -> bool:
    return unicodedata.category(char) != "Cf"
