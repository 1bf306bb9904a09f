"""Globs of paths: `*` and `?` stay within a name, `**` stands for any folders or all below.

Both globs and paths may come from a change that is judged, so nothing is tried twice: all
positions that a glob can be at are the bits of one number, and a character of the path moves them
all in a few operations. The time is that of reading the path, whatever the glob is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

_ANY, _NAME, _DEEP, _MAYBE = "?", "*", "**", "**/"
_TOKEN = re.compile(r"(?:(?<=/)|\A)(?:\*\*/)+|\*\*+|.", re.DOTALL)
_FIRST_SPECIAL = re.compile(r"[*?]")


def fits(path: str, glob: str) -> bool:
    """Whether a whole path fits a glob."""
    matcher = _compile(glob)
    return path.startswith(matcher.head) and bool(_follow(matcher, path) & matcher.end)


def reaches(path: str, glob: str) -> bool:
    """Whether something below a path could fit a glob: what stands there may hide it."""
    return bool(_follow(_compile(glob), f"{path}/"))


class _Matcher(NamedTuple):
    """A glob; the bit `1 << n` is the position before its token n, and `end` is behind them all.

    `head` is what every path that fits begins with. `steps` are the positions that a character
    leads on from, `anything` and `within` those that any character does, or any but a slash;
    `deep` and `name` those that stay where they are. `stars` may be passed over, and `maybe` too,
    with the star and the slash that follow.
    """

    head: str
    steps: dict[str, int]
    within: int
    deep: int
    name: int
    stars: int
    maybe: int
    end: int

    def settle(self, at: int) -> int:
        """With the positions that are reached without a character more."""
        maybe = at & self.maybe
        at |= maybe << 1 | maybe << 3
        return at | (at & self.stars) << 1


def _follow(matcher: _Matcher, path: str) -> int:
    """The positions in a glob that reading all of a path leads to."""
    at = matcher.settle(1)
    for char in path:
        moved, stay = matcher.steps.get(char, 0), matcher.deep
        if char != "/":
            moved |= matcher.within
            stay |= matcher.name
        at = matcher.settle((at & moved) << 1 | at & stay)
        if not at:
            break
    return at


@lru_cache(maxsize=4096)
def _compile(glob: str) -> _Matcher:
    tokens = _split(glob)
    bits: dict[str, int] = defaultdict(int)
    for place, token in enumerate(tokens):
        bits[token] |= 1 << place
    special = _FIRST_SPECIAL.search(glob)
    return _Matcher(
        head=glob[: special.start()] if special else glob,
        steps={token: places for token, places in bits.items() if token not in _SPECIAL},
        within=bits[_ANY],
        deep=bits[_DEEP],
        name=bits[_NAME],
        stars=bits[_NAME] | bits[_DEEP],
        maybe=bits[_MAYBE],
        end=1 << len(tokens),
    )


_SPECIAL = frozenset({_ANY, _NAME, _DEEP, _MAYBE})


def _split(glob: str) -> list[str]:
    """Characters and stars; `**/` becomes a mark that what follows it, `**` and `/`, may miss.

    No two stars, and no two marks, stand beside each other.
    """
    tokens: list[str] = []
    for found in _TOKEN.findall(glob):
        if found.endswith(_MAYBE):
            tokens += [_MAYBE, _DEEP, "/"]
        else:
            tokens.append(_DEEP if found.startswith(_DEEP) else found)
    return tokens
