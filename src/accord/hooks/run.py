"""What the hooks do. They never ask, write to the judged files, or run anything of the tree."""

from __future__ import annotations

from collections.abc import Callable

from accord.errors import Exit
from accord.flow.generate import write_due
from accord.flow.session import read_clock
from accord.hooks.catalog import Hook
from accord.model.finding import find_errors
from accord.render.findings import render_report
from accord.store.git import Repository
from accord.verify.run import judge_staged


def run_hook(hook: Hook, repository: Repository) -> int:
    """Run a hook; its exit code is that of the check."""
    return _RUNNERS[hook.id](repository)


def _verify(repository: Repository) -> int:
    report = judge_staged(repository, read_clock())
    if not report.findings and not report.files:
        return Exit.OK
    print(render_report(report).text(), end="")  # noqa: T201
    return Exit.FINDINGS if find_errors(report.findings) else Exit.OK


def _generate(repository: Repository) -> int:
    written = write_due(repository, read_clock())
    for path in written:
        print(f"wrote {path}: stage it and commit again")  # noqa: T201
    return Exit.FINDINGS if written else Exit.OK


_RUNNERS: dict[str, Callable[[Repository], int]] = {
    "accord-verify": _verify,
    "accord-generate": _generate,
}
