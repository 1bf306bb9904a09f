"""The last line of a page, by which it says that accord wrote it, and in which format (section 11).

The same decision gives the same bytes under one format. It is a line of its own, which no text of
others can be: in a page such texts are quoted.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["page", "index"]
FORMAT = 1

_MARK = re.compile(rb"^<!-- accord/(page|index)/([1-9][0-9]{0,5}) -->\r?$", re.MULTILINE)


def show_mark(kind: Kind) -> str:
    """The line of the present format."""
    return f"<!-- accord/{kind}/{FORMAT} -->"


def find_format(data: bytes | None, kind: Kind) -> int | None:
    """The format that a file names; None where accord did not write it, or nothing is there."""
    marks = [mark for mark in _MARK.finditer(data or b"") if mark[1] == kind.encode()]
    return int(marks[-1][2]) if marks else None
