"""Which Sigstore is trusted: that of the package, or the one that the policy pins (section 3.2)."""

from __future__ import annotations

from typing import NamedTuple


class Trust(NamedTuple):
    """The trusted root in JSON; None is the public one that comes with the sigstore package.

    `missing` says why there is none, where the policy names one and it is not at hand.
    """

    data: bytes | None = None
    missing: str | None = None


PUBLIC = Trust()
