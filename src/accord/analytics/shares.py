"""Shares in the order in which people read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from accord.model.statistics import ClassShare, Share


def rank(counts: Counter[str], of: Counter[str] | int) -> tuple[Share, ...]:
    """The largest first, equal ones by name. `of` may be each one's own; who has one is there."""
    keys = counts if isinstance(of, int) else of
    shares = [
        Share(key=key, count=counts[key], of=of if isinstance(of, int) else of[key]) for key in keys
    ]
    return tuple(sorted(shares, key=lambda share: (-share.count, share.key)))


def by_name(shares: Iterable[Share]) -> tuple[Share, ...]:
    """In the order of keys: a list of people is no ranking, and months have an order."""
    return tuple(sorted(shares, key=lambda share: share.key))


def rank_by_class(pairs: Iterable[tuple[str, str]]) -> tuple[ClassShare, ...]:
    """Each (class, key), of all that the class has: class by class, the largest first."""
    counts = Counter(pairs)
    of: Counter[str] = Counter()
    for (class_, _), count in counts.items():
        of[class_] += count
    shares = [
        ClassShare(class_=class_, key=key, count=count, of=of[class_])
        for (class_, key), count in counts.items()
    ]
    return tuple(sorted(shares, key=lambda share: (share.class_, -share.count, share.key)))
