"""How a decided decision stands now that newer ones look at it again (section 7, reversal)."""

from __future__ import annotations

from typing import Literal

from accord.model.base import Result
from accord.model.evaluation import Status

View = Literal["under_redecision", "upheld", "reversed", "superseded"]


class Successor(Result, frozen=True, kw_only=True):
    """A decision that reopens or supersedes an older one, and where it stands itself."""

    decision: str
    status: Status
    reopens: str | None = None
    supersedes: str | None = None


class Succession(Result, frozen=True, kw_only=True):
    """What an older decision is shown as, and the newer one that makes it so.

    It is computed from the newer decision each time, and never stored in the older record.
    """

    view: View
    by: str
