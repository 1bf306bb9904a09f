"""What is made once a session, by whichever worker of pytest comes first, and copied after that."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

_roots: list[Path] = []
_made: set[Path] = set()


def keep_in(root: Path) -> None:
    """Say where such things are kept: a folder that all workers of a session share."""
    root.mkdir(exist_ok=True)
    _roots[:] = [root]


def make_once(name: str, build: Callable[[Path], object]) -> Path:
    """The folder that `build` filled, in this process or in another one. Only read it."""
    made = _roots[0] / name.replace(" ", "-").replace(",", "")
    done = made / "made"
    if made not in _made:
        with FileLock(made.with_suffix(".lock")):
            if not done.exists():
                shutil.rmtree(made, ignore_errors=True)  # of a build that failed
                made.mkdir()
                build(made)
                done.touch()
        _made.add(made)
    return made
