"""accord simulate"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from accord.cli import output
from accord.cli.context import format_option
from accord.errors import Exit, Refused
from accord.flow.drafts import read_draft
from accord.model.case import Case
from accord.render.case import case_to_plain, render_case
from accord.render.json import render_json_line
from accord.simulate import simulate
from accord.store.parse import parse_draft


@click.command("simulate")
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@format_option("text", "json")
def command(*, cases: Sequence[Path], output_format: str) -> int:
    """Try rules on worked cases, without git or keys.

    For trying a policy before adopting it, and for learning. A case that
    says what it expects is also checked. With --format json one object a
    line is printed, in the order given.

    \b
      accord simulate case.yaml
      accord simulate cases/*.yaml --format json
    """
    for number, path in enumerate(cases):
        draft = read_draft(path)
        case, findings = parse_draft(draft.data, draft.name, "case", {})
        if not isinstance(case, Case):
            raise Refused("the case cannot be read", findings)
        judgement = simulate(case)
        if output_format == "json":
            output.write_rendered(
                render_json_line(case_to_plain(str(path), case, judgement.evaluation))
            )
        else:
            output.write("\n" if number else "")
            output.write_page(render_case(str(path), case, judgement.evaluation))
    return Exit.OK
