"""Globs of paths: `*` and `?` stay within a name, `**` stands for any folders or all below.

Both globs and paths may come from a change that is judged, so matching takes no longer than the
product of their lengths, whatever they are: all positions that a glob can be at go along together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_ANY, _NAME, _DEEP, _MAYBE = "?", "*", "**", "**/"
_TOKEN = re.compile(r"(?:(?<=/)|\A)\*\*/|\*\*+|.", re.DOTALL)


def fits(path: str, glob: str) -> bool:
    """Whether a whole path fits a glob."""
    return len(_parse(glob)) in _follow(path, glob)


def reaches(path: str, glob: str) -> bool:
    """Whether something below a path could fit a glob: what stands there may hide it."""
    return bool(_follow(f"{path}/", glob))


def _follow(path: str, glob: str) -> set[int]:
    """The positions in a glob that reading all of a path leads to."""
    tokens = _parse(glob)
    at = _settle(tokens, {0})
    for char in path:
        at = _settle(tokens, (after for one in at for after in _step(tokens, one, char)))
    return at


@cache
def _parse(glob: str) -> tuple[str, ...]:
    """Characters and stars; `**/` becomes a mark that what follows it, `**` and `/`, may miss."""
    tokens: list[str] = []
    for found in _TOKEN.findall(glob):
        if found == _MAYBE:
            tokens += [_MAYBE, _DEEP, "/"]
        else:
            tokens.append(_DEEP if found.startswith(_DEEP) else found)
    return tuple(tokens)


def _settle(tokens: tuple[str, ...], at: Iterable[int]) -> set[int]:
    """With the positions that are reached without a character more."""
    settled: set[int] = set()
    waiting = list(at)
    while waiting:
        one = waiting.pop()
        if one in settled:
            continue
        settled.add(one)
        token = tokens[one] if one < len(tokens) else ""
        if token in (_NAME, _DEEP, _MAYBE):
            waiting.append(one + 1)
        if token == _MAYBE:
            waiting.append(one + 3)
    return settled


def _step(tokens: tuple[str, ...], at: int, char: str) -> tuple[int, ...]:
    token = tokens[at] if at < len(tokens) else ""
    if token == _DEEP or (token == _NAME and char != "/"):
        return (at,)
    if token == char or (token == _ANY and char != "/"):
        return (at + 1,)
    return ()
