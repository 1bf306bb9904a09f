"""What an attack is, and which places cannot see which kind of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.attacks.places import Place
from tests.e2e.team import Team

NOWHERE: frozenset[Place] = frozenset()


class Attack(NamedTuple):
    """`unseen` are the places that cannot see it, and say nothing of this code."""

    start: str
    act: Callable[[Team], object]
    code: str
    unseen: frozenset[Place] = NOWHERE


# What the order of commits shows, or a merge, is not in what is staged.
NOT_STAGED: frozenset[Place] = frozenset({"hook"})
# From a history alone nobody can tell which side of a merge was main: who judges what is merged,
# before it is merged, knows.
BY_SIDE: frozenset[Place] = frozenset({"hook", "history"})
# Commit by commit the fault is in the one before, and was told there.
STEP_BY_STEP: frozenset[Place] = frozenset({"hook", "history"})
