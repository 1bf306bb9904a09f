"""Files that accord brings along: in a wheel inside of the package, in a checkout beside it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Literal

from accord.errors import CannotJudge

Folder = Literal["templates", "hooks"]


def read_bundled(folder: Folder, name: str) -> str:
    """The text of a file of a folder. Raises CannotJudge when accord came without it."""
    package = files("accord")
    for place in (package / f"_{folder}", Path(str(package)).parents[1] / folder):
        if (file := place / name).is_file():
            return file.read_text(encoding="utf-8")
    raise CannotJudge(f"{folder}/{name} is missing", "install accord again")
