"""accord verify"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Literal

import click

from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.report_formats import FORMATS, all_option, exit_code, write_report
from accord.errors import Exit, UsageError
from accord.flow.clock import read_clock

if TYPE_CHECKING:
    from accord.render.findings import Extent
    from accord.store.git import Repository
    from accord.verify.report import Report

_MEND_STEP = (
    "fetch what is missing (`git fetch --unshallow`) or say what it lands on (--branch), and judge"
    " again"
)
_MEND_TREE = "judge a step instead (`accord verify`), or say with --tree-only that a tree will do"


@click.command("verify")
@click.option("--staged", is_flag=True, help="Judge what is staged against HEAD.")
@click.option("--rev", metavar="R", help="Judge the tree of a commit, alone.")
@click.option(
    "--range", "span", metavar="BASE..HEAD", help="Judge what a branch brings, and in which order."
)
@click.option("--history", is_flag=True, help="Judge every step since the first policy.")
@click.option("--root", metavar="DIGEST", help="With --history: the first policy must be this one.")
@click.option(
    "--branch",
    metavar="NAME",
    callback=lambda _context, _option, name: (name or "").removeprefix("refs/heads/") or None,
    help="Where the result lands, if no branch is checked out: CI knows its name.",
)
@click.option(
    "--tree-only",
    is_flag=True,
    help="With --rev: do not mind that a tree alone shows no order.",
)
@click.option(
    "--cache/--no-cache",
    default=True,
    help="With --rev and --history: keep in the git directory what was read and proven.",
)
@all_option
@format_option(*FORMATS)
@pass_workspace
def command(
    workspace: Workspace,
    *,
    staged: bool,
    rev: str | None,
    span: str | None,
    history: bool,
    root: str | None,
    branch: str | None,
    tree_only: bool,
    cache: bool,
    extent: Extent,
    output_format: str,
) -> int:
    """Judge a tree: every file, signature and rule.

    Without options what is staged is judged against HEAD if anything is
    staged, else HEAD against its first parent. A range is judged as one step
    on top of BASE, by BASE's policy, and its commits for their order. Nothing
    is written, run or fetched. Exit codes: 0 no errors, 1 findings, 3 something
    could not be judged.

    \b
      accord verify --staged
      accord verify --range main..HEAD
      accord verify --history --root sha256:…
      accord verify --rev HEAD --tree-only
      accord verify --format sarif > accord.sarif
    """
    from accord.verify.default import judge_default
    from accord.verify.range import judge_range
    from accord.verify.run import judge_staged

    chosen = [one for one in (staged, rev, span, history) if one]
    for wrong, why in (
        (len(chosen) > 1, "--staged, --rev, --range and --history exclude each other"),
        (tree_only and rev is None, "--tree-only goes with --rev"),
        (root is not None and not history, "--root goes with --history"),
        (branch and rev, "--branch says where a step lands, and --rev judges no step"),
    ):
        if wrong:
            raise UsageError(why)
    repository = workspace.repository
    if rev is not None or history:
        report = _audit(repository, rev, branch, root, "cache" if cache else "no cache")
    elif span is not None:
        report = judge_range(repository, span, branch)
    elif staged:
        report = judge_staged(repository, read_clock(), branch)
    else:
        report = judge_default(repository, read_clock(), branch)
    write_report(report, output_format, extent)
    for note in report.notes:
        output.tell(note)
    code = exit_code(report, "tree alone" if tree_only else "with order")
    if code == Exit.CANNOT_JUDGE:
        hint = _MEND_STEP if rev is None else _MEND_TREE
        output.complain("not everything could be judged; the report says what", hint)
    return code


def _audit(
    repository: Repository,
    rev: str | None,
    branch: str | None,
    root: str | None,
    kept: Literal["cache", "no cache"],
) -> Report:
    """Judge all of a tree, or all of a history."""
    from accord.cli.progress import show_progress
    from accord.store.cache import remembering
    from accord.store.mentions import Mentions
    from accord.verify.history import judge_history
    from accord.verify.run import judge_revision

    if kept == "no cache":
        repository.mentions = Mentions()
    with remembering(repository) if kept == "cache" else nullcontext():
        if rev is not None:
            return judge_revision(repository, rev, show_progress)
        return judge_history(repository, "HEAD", branch, root, show_progress)
