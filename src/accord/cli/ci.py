"""accord ci"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from accord.cli import output
from accord.cli.context import Workspace, pass_workspace
from accord.cli.report_formats import FORMATS, all_option, exit_code, render, write_report
from accord.errors import AccordError, Exit, UsageError

if TYPE_CHECKING:
    from accord.ci.find import Place
    from accord.ci.judge import Outcome
    from accord.render.findings import Extent

SUMMARY = "summary"
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has none


@click.command("ci")
@click.option("--base", metavar="REV", help="Judge on top of this, whatever the service says.")
@click.option("--head", metavar="REV", help="With --base: what is judged. By default HEAD.")
@click.option("--branch", metavar="NAME", help="With --base: the branch that it lands on.")
@click.option("--root", metavar="DIGEST", help="The first policy of a history must be this one.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    help="What to print. By default annotations on GitHub, else text.",
)
@all_option
@click.option(
    "--write",
    "files",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Write a format to a file too, also `{SUMMARY}` (Markdown); repeatable.",
)
@click.option(
    "--install",
    type=click.Choice(["github", "gitlab"]),
    help="Write the workflow that runs this, and judge nothing.",
)
@pass_workspace
def command(
    workspace: Workspace,
    *,
    base: str | None,
    head: str | None,
    branch: str | None,
    root: str | None,
    output_format: str | None,
    files: Sequence[str],
    extent: Extent,
    install: Place | None,
) -> int:
    """Judge what a pull request or a push brings, in CI.

    In a job of GitHub Actions or GitLab CI it finds out by itself what is
    merged into what. It judges the result of the merge by the policy of the
    branch that it lands on, and needs no token and no network. On GitHub it
    annotates the change, and writes the job summary. Exit codes are those of
    `accord verify`.

    \b
      accord ci --install github
      accord ci
      accord ci --write sarif=accord.sarif
      accord ci --base origin/main --head feature --branch main
    """
    if install is not None:
        if base or head or branch or root or output_format or files:
            raise UsageError("--install judges nothing, so no other option goes with it")
        return _install(workspace, install)
    from accord.ci.find import Typed, find_job, find_place
    from accord.ci.job import describe
    from accord.ci.judge import judge_job

    wanted = [_split(file) for file in files]
    place = find_place(os.environ)
    if place == "github" and "GITHUB_STEP_SUMMARY" in os.environ:
        wanted.append((SUMMARY, Path(os.environ["GITHUB_STEP_SUMMARY"])))
    printed = output_format or ("github" if place == "github" else "text")
    try:
        job = find_job(workspace.repository, os.environ, Typed(base, head, branch))
        output.tell(f"accord: {describe(job)}")
        outcome = judge_job(workspace.repository, job, root)
    except AccordError as error:
        _tell_trouble(error, printed, [path for name, path in wanted if name == SUMMARY])
        raise
    write_report(outcome.report, printed, extent)
    for name, path in wanted:
        _write(path, _render(outcome, name), "add" if name == SUMMARY else "replace")
    for note in outcome.report.notes:
        output.tell(note)
    code = exit_code(outcome.report, "with order")
    if code == Exit.CANNOT_JUDGE:
        output.complain("not everything could be judged; the report says what, and what helps")
    return code


def _install(workspace: Workspace, place: Place) -> int:
    from accord.ci.install import install_ci

    installed = install_ci(workspace.repository, place, workspace.policy.protected)
    for path in installed.written:
        output.write(f"wrote {path}\n")
    for path in installed.there:
        output.tell(f"{path} is there already, and was left alone")
    output.tell(installed.advice)
    return Exit.FINDINGS if installed.there else Exit.OK


def _split(file: str) -> tuple[str, Path]:
    name, equals, path = file.partition("=")
    if not equals or not path or name not in (*FORMATS, SUMMARY):
        known = ", ".join((*FORMATS, SUMMARY))
        raise UsageError(f"--write {file} is no FORMAT=FILE", f"FORMAT is one of {known}")
    return name, Path(path)


def _render(outcome: Outcome, name: str) -> str:
    if name != SUMMARY:
        return render(outcome.report, name)
    from accord.render.summary import render_summary

    return render_summary(outcome.report, outcome.lines, outcome.successions)


def _write(path: Path, text: str, way: Literal["add", "replace"]) -> None:
    """Write a file for the service. Raises UsageError when that cannot be done.

    A summary is of the whole job. A link of this name is not followed: a checkout may hold one.
    """
    flags = os.O_APPEND if way == "add" else os.O_TRUNC
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | _NO_LINK | flags, 0o666)
        with os.fdopen(opened, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _tell_trouble(error: AccordError, printed: str, summaries: Sequence[Path]) -> None:
    """Where somebody looks who does not read the log."""
    if printed == "github":
        from accord.render.github import render_github_trouble

        output.write_rendered(render_github_trouble(error.message, error.hint))
    for summary in summaries:
        from accord.render.summary import render_summary_trouble

        with suppress(AccordError):  # what is wrong is told all the same
            _write(summary, render_summary_trouble(error.message, error.hint), "add")
