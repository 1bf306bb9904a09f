"""accord adr"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import click

from accord.cli import output
from accord.cli.completion import complete_decision
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.decisions import list_decisions
from accord.cli.keeping import Keeping, keeping_options, tell_kept, tell_where_it_belongs
from accord.cli.looking import sources_of
from accord.errors import Exit, UsageError
from accord.flow.adr import Target, check_files, write_pages
from accord.flow.pages import open_library
from accord.flow.publish import Saving
from accord.flow.session import open_session
from accord.model.paths import ADR_TEMPLATE, INDEX_TEMPLATE
from accord.render.adr import Style, render_adr, render_index
from accord.render.findings import list_findings
from accord.render.json import findings_to_plain, record_to_plain, render_json
from accord.render.page import Page
from accord.rules.adr import refer
from accord.verify.library import Library, load_override
from accord.verify.run import read_base


@click.command("adr")
@click.argument("decision", metavar="[ID]", required=False, shell_complete=complete_decision)
@click.option("--index", is_flag=True, help="The index of all pages, instead of a page.")
@click.option(
    "--style",
    type=click.Choice(["madr", "nygard"]),
    help="MADR 4 or Nygard. By default the repository's own template, else MADR.",
)
@format_option("text", "json")
@keeping_options(
    check="Only say what is missing or not right.", write="Write what is missing or not right."
)
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str | None,
    index: bool,
    style: Style | None,
    output_format: str,
    keeping: Keeping,
) -> int:
    """Print the page of a decision, or write or check all of them.

    Pages are written with the records, to docs/decisions. They say what was
    decided, by whom, and who held what against it. The index belongs on the
    protected branch only.

    \b
      accord adr partial-index
      accord adr --check
      accord adr --index --write --commit
    """
    if decision is not None and index:
        raise UsageError("the index is of all decisions", "leave out --index, or the decision")
    target = _find_target(workspace, decision, "index" if index else "pages")
    if keeping.verb == "write":
        return _write(workspace, target, style, keeping.saving)
    if keeping.verb == "check":
        return _check(workspace, target, style, output_format)
    if decision is None and not index:
        raise UsageError(
            "which page?", "name a decision or --index, or say --write or --check for all"
        )
    return _print(workspace, target, style, output_format)


def look(workspace: Workspace) -> Library:
    """The decisions as they are staged."""
    return open_library(read_base(workspace.repository), workspace.tree, sources_of(workspace))


def _find_target(
    workspace: Workspace, decision: str | None, what: Literal["index", "pages"]
) -> Target:
    if what == "index":
        return "index"
    return (workspace.find(decision),) if decision else list_decisions(workspace.tree)


def _write(workspace: Workspace, target: Target, style: Style | None, saving: Saving) -> int:
    session = open_session(workspace.repository)
    if target == "index":
        tell_where_it_belongs(session, "the index")
    kept = write_pages(session, target, style, saving)
    _tell_faults(kept.faults)
    if not kept.paths:
        output.write("Everything is as it must be; nothing was written.\n")
    tell_kept(session, kept.paths, kept.commit, saving)
    return Exit.OK


def _check(workspace: Workspace, target: Target, style: Style | None, output_format: str) -> int:
    library = look(workspace)
    findings = check_files(library, target, style)
    _tell_faults(library.faults)
    if output_format == "json":
        output.write_rendered(render_json(findings_to_plain(findings)))
    elif findings:
        page = Page()
        list_findings(page, findings)
        output.write_page(page)
    else:
        output.write("Everything is as it must be.\n")
    return Exit.FINDINGS if findings else Exit.OK


def _print(workspace: Workspace, target: Target, style: Style | None, output_format: str) -> int:
    library = look(workspace)
    if target == "index":
        entries = library.entries()
        plain: object = [record_to_plain(entry) for entry in entries]
        text = render_index(entries, load_override(library.base, INDEX_TEMPLATE))
    else:
        adr = library.adr(target[0])
        if adr is None:
            raise _has_none(library, target[0])
        plain = record_to_plain(adr)
        text = render_adr(adr, style or load_override(library.base, ADR_TEMPLATE) or "madr")
    if output_format == "json":
        output.write_rendered(render_json(plain))
    else:
        output.write(text)
    return Exit.OK


def _tell_faults(faults: Mapping[str, UsageError]) -> None:
    for error in faults.values():
        output.tell(f"note: {error.message}; accord's own took its place")


def _has_none(library: Library, decision: str) -> UsageError:
    """Why a decision has no page."""
    one = library.judged(decision)
    source = refer(one.files, one.judgement).page
    if source is not None:
        return UsageError(
            f"{decision} was taken over from an older page: {source.removeprefix('../../')}"
        )
    return UsageError(
        f"{decision} has no page: it is {one.judgement.evaluation.status}",
        f"`accord show {decision}` says what it waits for",
    )
