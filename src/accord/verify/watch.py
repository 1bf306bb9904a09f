"""Letting somebody watch long work go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Hands on the items of some work, one after another as each is begun."""

    def __call__(self, items: Sequence[T], /) -> Iterable[T]:
        """The same items, in their order."""


def unwatched(items: Sequence[T], /) -> Iterable[T]:
    """Nobody watches."""
    return items
