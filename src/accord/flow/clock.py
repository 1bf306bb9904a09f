"""The clock. It stands alone, so that a hook which only asks it loads nothing that writes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], str]


def read_clock() -> str:
    """The time now, RFC 3339 in UTC. The only place of accord that asks the clock."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
