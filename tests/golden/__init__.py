"""Pages compared whole. ACCORD_GOLDEN=write writes what is there now, to be read in the diff."""

from __future__ import annotations

import os
from pathlib import Path

PAGES = Path(__file__).parent
WRITE = os.environ.get("ACCORD_GOLDEN") == "write"  # read before tests clear the environment


def check_golden(name: str, text: str) -> None:
    """Compare a text with the page that is kept under this name."""
    page = PAGES / name
    if WRITE:
        page.write_text(text, encoding="utf-8")
    assert text == page.read_text(encoding="utf-8")
