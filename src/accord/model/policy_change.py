"""What one policy says otherwise than another, place by place (section 3.2)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Result

Change = Literal["added", "removed", "changed", "reordered"]
Plain = object  # what JSON has: text, numbers, truth, lists and tables of these, None


class Difference(Result, frozen=True, kw_only=True):
    """One thing that a policy says otherwise: where, and what stood and stands there.

    `place` are the names of fields and of what they hold, such as `members`, `dana`, `roles`.
    What is added or removed there is a member of a list or of a table; None stands for nothing.
    """

    place: tuple[str, ...]
    change: Change
    before: Plain = None
    after: Plain = None
