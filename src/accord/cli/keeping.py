"""What verbs do alike that keep generated files: show, check or write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple

import click

from accord.cli import output
from accord.cli.context import commit_options
from accord.errors import UsageError
from accord.flow.publish import Saving
from accord.flow.session import Session
from accord.render.escape import escape

Callback = Callable[..., Any]


class Keeping(NamedTuple):
    """What is asked for, and what becomes of what is written."""

    verb: Literal["show", "check", "write"]
    saving: Saving


def keeping_options(*, check: str, write: str) -> Callable[[Callback], Callback]:
    """`--check`, `--write`, `--commit` and `--push`, as `keeping`; the words are their help."""

    def decorate(function: Callback) -> Callback:
        @click.option("--check", "checks", is_flag=True, help=check)
        @click.option("--write", "writes", is_flag=True, help=write)
        @commit_options
        @wraps(function)
        def command(
            *arguments: object,
            checks: bool,
            writes: bool,
            commit: bool,
            push: bool,
            **options: object,
        ) -> object:
            if checks and writes:
                raise UsageError("--check and --write exclude each other")
            if (commit or push) and not writes:
                raise UsageError("--commit and --push go with --write")
            verb: Literal["show", "check", "write"] = (
                "write" if writes else "check" if checks else "show"
            )
            return function(*arguments, keeping=Keeping(verb, Saving(commit, push)), **options)

        return command

    return decorate


def tell_kept(session: Session, paths: Sequence[str], commit: str | None, saving: Saving) -> None:
    """Say what was written and committed, and push it if that is wished."""
    for path in paths:
        output.write(f"wrote {escape(path)}\n")
    if commit is not None:
        output.write(f"committed {commit[:12]}\n")
    if saving.push:
        output.write(f"pushed to {escape(session.repository.push())}\n")


def tell_where_it_belongs(session: Session, what: str) -> None:
    """Say so where a file that belongs to all decisions is written on another branch."""
    branch, protected = session.repository.branch(), session.policy.protected
    if branch is not None and branch not in protected:
        output.tell(
            f"note: {what} belongs on {' or '.join(protected)}, and this is {branch}: two"
            " branches that touch it conflict"
        )
