"""Work that is done once, however often it is asked for, also where it could not be done."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from accord.errors import CannotJudge

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Once(Generic[K, T]):
    """A function that is asked once for each key, and answers or refuses the same ever after."""

    def __init__(self, work: Callable[[K], T]) -> None:
        self._work = work
        self._done: dict[K, T] = {}
        self._refused: dict[K, CannotJudge] = {}

    def __call__(self, key: K) -> T:
        """What the function says of a key. Raises CannotJudge where it did."""
        if key in self._refused:
            raise self._refused[key]
        if key not in self._done:
            try:
                self._done[key] = self._work(key)
            except CannotJudge as error:
                self._refused[key] = error
                raise
        return self._done[key]
