"""What the hooks do. They never ask, write to the judged files, or run anything of the tree.

What only one of them needs is imported by that one: a hook runs at every commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from accord.errors import CannotJudge, Exit
from accord.flow.clock import read_clock
from accord.hooks.catalog import Hook
from accord.model.finding import find_errors
from accord.render.escape import escape
from accord.render.sink import write_text
from accord.store.git import Repository
from accord.verify.report import Report


def run_hook(hook: Hook, repository: Repository, arguments: Sequence[str] = ()) -> int:
    """Run a hook with the arguments that git gave it; its exit code is that of the check."""
    return _RUNNERS[hook.id](repository, arguments)


def _verify(repository: Repository, _: Sequence[str]) -> int:
    """Judge what is staged. What could not be judged has not passed."""
    from accord.verify.run import judge_staged

    return _tell(judge_staged(repository, read_clock()))


def _judge_message(repository: Repository, arguments: Sequence[str]) -> int:
    """Judge guarded code that is staged, with the message that it gets."""
    from accord.hooks.message import judge_message

    findings = judge_message(repository, arguments)
    if findings:
        from accord.render.findings import list_findings
        from accord.render.page import Page

        page = Page()
        list_findings(page, findings)
        write_text(page.text())
    return Exit.FINDINGS if findings else Exit.OK


def _judge_pushed(repository: Repository, arguments: Sequence[str]) -> int:
    """Judge what each branch of a push brings. What could not be judged has not passed."""
    from accord.hooks.push import judge_push, read_push

    codes = [_tell(report) for report in judge_push(repository, read_push(arguments))]
    return max(codes, default=Exit.OK)


def _judge_received(repository: Repository, _: Sequence[str]) -> int:
    """Judge what a server is about to take: all of it or nothing."""
    from accord.hooks.receive import judge_received

    codes = []
    for ref, judged in judge_received(repository):
        write_text(f"{escape(ref)}\n")
        if isinstance(judged, CannotJudge):
            write_text(f"cannot be judged: {escape(judged.message)}\n{escape(judged.hint)}\n")
        codes.append(judged.exit if isinstance(judged, CannotJudge) else _tell(judged))
    code = max(codes, default=Exit.OK)
    if code:
        write_text("accord: nothing of this push was taken.\n")
    return code


def _tell(report: Report) -> int:
    from accord.render.report import say_nothing

    nothing = say_nothing(report)
    if nothing is not None:
        write_text(f"accord: {escape(nothing)}.\n")
    else:
        from accord.render.findings import render_report

        write_text(render_report(report).text())
    for note in report.notes:
        write_text(f"{escape(note)}\n")
    if find_errors(report.findings):
        return Exit.FINDINGS
    return Exit.CANNOT_JUDGE if report.not_measured else Exit.OK


def _generate(repository: Repository, _: Sequence[str]) -> int:
    """Write the records and pages that are due, and fail, so that somebody looks and adds them."""
    from accord.flow.generate import write_due

    written = write_due(repository, read_clock())
    for path in written:
        write_text(f"wrote {escape(path)}: stage it and commit again\n")
    return Exit.FINDINGS if written else Exit.OK


_RUNNERS: dict[str, Callable[[Repository, Sequence[str]], int]] = {
    "accord-verify": _verify,
    "accord-generate": _generate,
    "accord-commit-msg": _judge_message,
    "accord-range": _judge_pushed,
    "accord-receive": _judge_received,
}
