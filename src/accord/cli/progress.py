"""A bar for long work, on standard error, where somebody sits at it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

T = TypeVar("T")
# Below that it is over before a bar can be read.
_LONG = 100


def show_progress(items: Sequence[T], /) -> Iterator[T]:
    """The items, with a bar that grows as they are taken; none on a pipe or for short work."""
    hidden = len(items) < _LONG or not sys.stderr.isatty()
    with click.progressbar(items, label="judging", file=sys.stderr, hidden=hidden) as bar:
        yield from bar
