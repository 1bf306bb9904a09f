"""Checks for people: what a command printed, and what running it again gave."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from accord.model.escalation import Check
from accord.render.escape import escape_lines
from accord.render.page import Page, Span

_LINES = 40


def render_output(data: bytes) -> str:
    """What a command printed, indented; the middle of a long output is left out."""
    lines = data.decode("utf-8", "backslashreplace").splitlines()
    if len(lines) > _LINES:
        half = _LINES // 2
        left = len(lines) - 2 * half
        lines = [*lines[:half], f"[{left} more lines]", *lines[-half:]]
    return "".join(f"  {escape_lines(line)}\n" for line in lines)


def render_replay(
    check: Check, differences: Sequence[str], environment: Sequence[str], output: bytes
) -> Page:
    """One check that was run again."""
    page = Page()
    page.line(Span(f"$ {shlex.join(check.argv)}", "command"))
    told = f"exit code {check.exit_code}, the same output"
    word = Span("DIFFERS", "bad") if differences else Span("same", "good")
    page.prose(word, f"  {check.name}, round {check.round}: {'; '.join(differences) or told}")
    for line in environment:
        page.prose(Span(f"now {line}", "dim"), indent=2, hanging=4)
    if differences:
        for line in render_output(output).splitlines():
            page.line(line.removeprefix("  "), indent=2)
    return page


def replay_to_plain(
    check: Check, differences: Sequence[str], environment: Sequence[str]
) -> dict[str, object]:
    """The same as plain data."""
    return {
        "name": check.name,
        "argv": list(check.argv),
        "same": not differences,
        "differences": list(differences),
        "environment": list(environment),
    }
