"""Where words go: results to stdout, everything else to stderr, colour only at a terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Literal, TextIO

from accord.errors import AccordError, Refused
from accord.render import sink
from accord.render.escape import escape_lines
from accord.render.page import Page, Paint, plain

if TYPE_CHECKING:
    from accord.render.stats_rows import Drawing

ColourChoice = Literal["auto", "always", "never"]

_choice: ColourChoice = "auto"


def choose_colour(choice: ColourChoice) -> None:
    """Remember `--color`: errors are told after the command's context is gone."""
    global _choice
    _choice = choice


def write(text: str) -> None:
    """Print words for people on stdout."""
    sink.write_text(text)


def write_rendered(text: str) -> None:
    """Print what a program reads on stdout."""
    sink.write_rendered(text)


def write_page(page: Page) -> None:
    """Print a page on stdout, painted if people are looking."""
    sink.write_painted(page.text(find_paint(sys.stdout)))


def find_drawing() -> Drawing:
    """Bars where people are looking, also without colour; else the numbers alone."""
    return "bars" if _choice == "always" or sys.stdout.isatty() else "numbers"


def tell(message: str) -> None:
    """Say on stderr what goes on."""
    sink.say(escape_lines(message) + "\n")


def complain(message: str, hint: str = "") -> None:
    """Say on stderr what is wrong, and how to mend it."""
    paint = find_paint(sys.stderr)
    sink.say(f"{paint('error:', 'bad')} {escape_lines(message)}\n")
    if hint:
        sink.say(f"{paint('hint:', 'wait')} {escape_lines(hint)}\n")


def complain_of(error: AccordError) -> None:
    """Tell an error; the findings of a refusal go to stdout as a report, all of them."""
    if isinstance(error, Refused) and error.findings:
        from accord.render.findings import list_findings

        page = Page()
        list_findings(page, error.findings)
        write_page(page)
    complain(error.message, error.hint)


def find_paint(stream: TextIO) -> Paint:
    """The painter of a stream: colour at a terminal, unless `--color` or NO_COLOR say otherwise."""
    if not _wants_colour(stream):
        return plain
    from accord.render.paint import terminal_paint

    return terminal_paint()


def _wants_colour(stream: TextIO) -> bool:
    if _choice != "auto":
        return _choice == "always"
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not dull
