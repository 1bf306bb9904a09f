"""What the hooks do. They never ask, write to the judged files, or run anything of the tree.

What only one of them needs is imported by that one: a hook runs at every commit.
"""

from __future__ import annotations

from collections.abc import Callable

from accord.errors import Exit
from accord.flow.session import read_clock
from accord.hooks.catalog import Hook
from accord.model.finding import find_errors
from accord.render.escape import escape
from accord.store.git import Repository


def run_hook(hook: Hook, repository: Repository) -> int:
    """Run a hook; its exit code is that of the check."""
    return _RUNNERS[hook.id](repository)


def _verify(repository: Repository) -> int:
    """Judge what is staged. What could not be judged has not passed."""
    from accord.verify.run import judge_staged

    report = judge_staged(repository, read_clock())
    if report.findings or report.files:
        from accord.render.findings import render_report

        print(render_report(report).text(), end="")  # noqa: T201
    for note in report.notes:
        print(escape(note))  # noqa: T201
    if find_errors(report.findings):
        return Exit.FINDINGS
    return Exit.CANNOT_JUDGE if report.not_measured else Exit.OK


def _generate(repository: Repository) -> int:
    """Write the records and pages that are due, and fail, so that somebody looks and adds them."""
    from accord.flow.generate import write_due

    written = write_due(repository, read_clock())
    for path in written:
        print(f"wrote {path}: stage it and commit again")  # noqa: T201
    return Exit.FINDINGS if written else Exit.OK


_RUNNERS: dict[str, Callable[[Repository], int]] = {
    "accord-verify": _verify,
    "accord-generate": _generate,
}
