"""accord demo"""

from __future__ import annotations

import shutil
import tempfile
from importlib import import_module
from pathlib import Path

import click

from accord.cli import output
from accord.cli.stage import Stage

STORIES = ("sandbox", "index")


@click.command("demo")
@click.argument("story", type=click.Choice(STORIES), default=STORIES[0], required=False)
@click.option(
    "--sigstore",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play a third story, with the Sigstore instance of this client trust config.",
)
@click.option("--keep", is_flag=True, help="Keep the scratch repository to look around in.")
def command(*, story: str, sigstore: Path | None, keep: bool) -> None:
    """Take a decision in a scratch repository, to watch.

    There are two stories, with real commands and throw-away keys.

    sandbox: eight improvements are proposed at once; two of six voters refuse
    with categories; somebody writes "accepted" by hand and is stopped; the
    scope is cut down, and the second round passes.

    index: five of seven agree to a migration, three of them because a tool
    said that an index is retained; it is not, and a check of the real
    database shows it.

    With --sigstore: one of three voters has an account instead of a key. It
    needs an instance for tests, one that takes tokens which nobody signed.

    \b
      accord demo
      accord demo index --keep
    """
    folder = Path(tempfile.mkdtemp(prefix="accord-demo-"))
    try:
        if sigstore is not None:
            import_module("accord.cli.story_keyless").play(Stage(folder), sigstore)
        else:
            import_module(f"accord.cli.story_{story}").play(Stage(folder))
    finally:
        if keep:
            output.write(f"\nThe scratch repository is {folder / 'sandbox'}\n")
        else:
            shutil.rmtree(folder, ignore_errors=True)
