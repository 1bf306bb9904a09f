"""Being nobody: root writes everywhere, and then permissions cannot be tested."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Act without privileges; does nothing where there are none anyway."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that nobody can reach, unlike those of pytest, and write to."""
    folder = Path(tempfile.mkdtemp(prefix="accord-test-"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        for each in folder.rglob("*"):
            if each.is_dir() and not each.is_symlink():
                each.chmod(0o700)
        shutil.rmtree(folder)
