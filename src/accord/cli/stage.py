"""Where the stories of `accord demo` are played: a scratch repository, real commands, shown."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from accord.cli import output
from accord.errors import AccordError
from accord.render.templates import read_template
from accord.store.nodes import Mapping, Node, Scalar
from accord.store.nodes import Sequence as Items
from accord.store.reader import read_yaml

_QUESTIONS = ("testability", "workflow_integration", "incremental_verifiability")


class Stage:
    """The scratch repository, and the commands that are run in it and shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "sandbox"
        self.root.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = kept | {
            "XDG_STATE_HOME": str(folder / "state"),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def say(self, *lines: str) -> None:
        """What is told between two commands."""
        output.write("\n" + "".join(f"# {line}\n" for line in lines))
        sys.stdout.flush()

    def run(self, line: str, expected: int = 0) -> None:
        """Run a line, show it and what it prints. Raises AccordError when it ends otherwise."""
        output.write(f"$ {line}\n")
        sys.stdout.flush()
        words = shlex.split(line)
        if words[0] == "accord":
            words[:1] = [sys.executable, "-m", "accord"]
        done = subprocess.run(
            words,
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output.write(done.stdout.decode("utf-8", "replace"))
        if done.returncode != expected:
            raise AccordError(
                f"the demo expected exit code {expected} and saw {done.returncode}: {line}",
                "please report this with the output above",
            )

    def begin(self, voters: Sequence[str], human: str) -> None:
        """A repository with a policy: agents as voters, one that opens rounds, one human."""
        self.run("git init --quiet --initial-branch main .")
        for setting in ("user.name Demo", "user.email demo@example.org", "commit.gpgsign false"):
            self.run(f"git config {setting}")
        self.run(
            f"accord init --agents {','.join(voters)} --authority orchestrator --decider {human}"
            f" --generate-keys --key-dir {shlex.quote(str(self.folder / 'keys'))}"
        )

    def find_decision(self, end: str) -> str:
        """The id of the decision that ends so."""
        return next(path.name for path in (self.root / "decisions").glob(f"*-{end}"))

    def write(self, name: str, text: str) -> None:
        """Write a file of the story, without showing it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_votes(self, folder: str, template: str) -> None:
        """One vote file for each voter of a template, as the voters would fill it in."""
        node, _ = read_yaml(read_template(template).encode(), template)
        for voter, vote in node.entries if isinstance(node, Mapping) else ():
            plain = _plain(vote)
            if isinstance(plain, dict) and plain["vote"] != "abstain":
                plain["assessment"] = dict.fromkeys(_QUESTIONS, "adequate")
            self.write(f"{folder}/{voter.value}.json", json.dumps(plain))


def _plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Items):
        return [_plain(item) for item in node.items]
    return {key.value: _plain(value) for key, value in node.entries}
