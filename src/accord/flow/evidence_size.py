"""How much evidence a repository takes: what is kept in it stays in every clone for ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from accord.errors import UsageError
from accord.model.paths import find_location

ASKED_ABOVE = 1 << 20
REFUSED_ABOVE = 10 << 20
# Whether somebody wants it all the same, asked in a sentence.
Agree = Callable[[str], bool]


def no_doubt(_question: str) -> bool:
    """Whoever calls wants it, however large it is."""
    return True


def weigh_evidence(files: Mapping[str, bytes], agree: Agree) -> None:
    """Refuse evidence that is too large, and ask about what is large.

    Raises UsageError with the way by digest or excerpt.
    """
    for path, data in sorted(files.items()):
        location = find_location(path)
        if location is None or location.kind != "evidence" or len(data) <= ASKED_ABOVE:
            continue
        size = f"{path} has {len(data) / (1 << 20):.1f} MiB"
        if len(data) > REFUSED_ABOVE:
            raise UsageError(
                f"{size}; evidence above {REFUSED_ABOVE >> 20} MiB is not kept in the repository",
                "list an excerpt that the decision rests on (`--output -- sed -n 1,200p FILE`);"
                " or keep the whole elsewhere and list it as `artifact: URI` with its `digest`",
            )
        if not agree(f"{size}, and stays in every clone for ever. Keep it?"):
            raise UsageError(
                f"{path} was not taken, and nothing was written",
                "list an excerpt, or keep it elsewhere and list its URI and digest",
            )
