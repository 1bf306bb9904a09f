"""accord schema"""

from __future__ import annotations

from pathlib import Path

import click

from accord.cli import output
from accord.render.json import render_json
from accord.store.files import write_files
from accord.store.kinds import KINDS
from accord.store.schema import json_schema


@click.command("schema")
@click.argument("kind", required=False, type=click.Choice(sorted(KINDS)))
@click.option(
    "--write",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write KIND.schema.json, or all of them, into a directory.",
)
def command(*, kind: str | None, directory: Path | None) -> None:
    """Print the JSON Schema of a file kind.

    Without KIND the kinds are listed. The policy and drafts name their schema
    in the first line, for editors that read it; they look in .accord at the
    root of the repository, which need not be committed.

    \b
      accord schema vote
      accord schema --write .accord
    """
    if directory is not None:
        kinds = [kind] if kind else sorted(KINDS)
        directory.mkdir(parents=True, exist_ok=True)
        files = {f"{one}.schema.json": render_json(json_schema(one)).encode() for one in kinds}
        write_files(directory, files)
        for name in files:
            output.write(f"wrote {directory / name}\n")
    elif kind is None:
        output.write("\n".join(sorted(KINDS)) + "\n")
    else:
        output.write_rendered(render_json(json_schema(kind)))
