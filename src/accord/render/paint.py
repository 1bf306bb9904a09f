"""What the styles of a page look like at a terminal. The only importer of rich."""

from __future__ import annotations

from accord.render.page import Paint, Style

LOOKS: dict[Style, str] = {
    "title": "bold",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "wait": "cyan",
    "dim": "dim",
    "command": "bold cyan",
    "path": "magenta",
}


def terminal_paint() -> Paint:
    """A painter for terminals, in the sixteen colours that every theme defines."""
    from rich.color import ColorSystem
    from rich.style import Style as Look

    looks = {style: Look.parse(look) for style, look in LOOKS.items()}

    def paint(text: str, style: Style) -> str:
        return looks[style].render(text, color_system=ColorSystem.STANDARD)

    return paint
