"""Questions at a terminal. On a pipe accord never asks: it names the option that answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from accord.errors import UsageError


def is_interactive() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str, option: str, default: str | None = None) -> str:
    """Ask for a line of text; `option` is what gives the answer without a terminal."""
    _need_somebody(question, option)
    answer: str = click.prompt(question, default=default, err=True)
    return answer


def choose(question: str, option: str, choices: Sequence[str], default: str | None = None) -> str:
    """Ask for one of some words."""
    _need_somebody(question, option)
    answer: str = click.prompt(question, type=click.Choice(choices), default=default, err=True)
    return answer


def confirm(question: str, option: str) -> bool:
    """Ask for yes or no; no is the default."""
    _need_somebody(question, option)
    return click.confirm(question, default=False, err=True)


def answered_twice(options: str) -> UsageError:
    """An answer is in a file or in the options: whichever was not read would be lost."""
    return UsageError(
        f"--from and {options} exclude each other", "put all of it into the file, or none"
    )


def _need_somebody(question: str, option: str) -> None:
    if not is_interactive():
        raise UsageError(
            f"{question.rstrip('?: ')}: nobody is here to be asked", f"answer with {option}"
        )
