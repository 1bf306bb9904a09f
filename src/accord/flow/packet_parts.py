"""What the packets of both phases have in common."""

from __future__ import annotations

from typing import Literal

from accord.model.ballot import Rules
from accord.model.vote import CATEGORIES
from accord.render.packet import Named

Claims = Literal["left out", "beside their primaries"]


def list_categories(rules: Rules) -> tuple[Named, ...]:
    """The categories of a ballot and their meanings, the project's own last."""
    own = ((category, "a category of this project") for category in rules.categories)
    return (*CATEGORIES.items(), *own)
