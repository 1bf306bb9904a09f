"""Whether the ledger and the index name what has ended (section 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.model.finding import Finding
from accord.model.paths import LEDGER

# Whatever has the shape of a decision id, read once: there may be thousands of both.
_IDS = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9_-]+")


def check_listed(path: str, data: bytes | None, ended: Sequence[str]) -> tuple[Finding, ...]:
    """What a generated file of all decisions lacks; `data` is None where it was never written."""
    named = {name.decode() for name in _IDS.findall(data or b"")}
    lacking = [name for name in ended if name not in named]
    if not lacking:
        return ()
    what, verb = ("ledger", "ledger") if path == LEDGER else ("index", "adr --index")
    number = len(lacking)
    more = f" and {number - 1:,} more" if number > 1 else ""
    fault = "was never written" if data is None else "is old"
    return (
        Finding(
            code="ledger-stale",
            path=path,
            message=f"the {what} {fault}: it lacks {lacking[-1]}{more}",
            hint=f"Write it anew on the protected branch: accord {verb} --write --commit",
        ),
    )
