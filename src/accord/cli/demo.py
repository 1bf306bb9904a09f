"""accord demo"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from accord.cli import output
from accord.errors import AccordError
from accord.render.templates import read_template
from accord.store.nodes import Mapping, Node, Scalar
from accord.store.nodes import Sequence as Items
from accord.store.reader import read_yaml

_QUESTIONS = ("testability", "workflow_integration", "incremental_verifiability")
_VOTERS = "architect,devex,security,tester,pm,catfish"
_HAND_WRITTEN = """\
format: accord/record/1
status: accepted
"""


@click.command("demo")
@click.option("--keep", is_flag=True, help="Keep the scratch repository to look around in.")
def command(*, keep: bool) -> None:
    """Take a decision in a scratch repository, to watch.

    Eight improvements are proposed at once; two of six voters refuse with
    categories; somebody writes "accepted" by hand and is stopped; the scope
    is cut down, and the second round passes. Real commands, throw-away keys.

    \b
      accord demo
      accord demo --keep
    """
    folder = Path(tempfile.mkdtemp(prefix="accord-demo-"))
    try:
        _play(Stage(folder))
    finally:
        if keep:
            output.write(f"\nThe scratch repository is {folder / 'sandbox'}\n")
        else:
            shutil.rmtree(folder, ignore_errors=True)


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

    def say(self, text: str) -> None:
        """A sentence between two commands."""
        output.write(f"\n# {text}\n")
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
            if isinstance(plain, dict):
                plain |= {
                    "assessment": dict.fromkeys(_QUESTIONS, "adequate"),
                    "evidence": ["timings"],
                }
            self.write(f"{folder}/{voter.value}.json", json.dumps(plain))


def _plain(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Items):
        return [_plain(item) for item in node.items]
    return {key.value: _plain(value) for key, value in node.entries}


def _prepare(stage: Stage) -> None:
    stage.say("A repository with six agents as voters, one that opens rounds, and one human.")
    stage.run("git init --quiet --initial-branch main .")
    for setting in ("user.name Demo", "user.email demo@example.org", "commit.gpgsign false"):
        stage.run(f"git config {setting}")
    stage.run(
        f"accord init --agents {_VOTERS} --authority orchestrator --decider dana"
        f" --generate-keys --key-dir {shlex.quote(str(stage.folder / 'keys'))}"
    )
    stage.write("sandbox/measurements.txt", "1000 commands, 31 of them ran for over an hour\n")
    stage.run("git add measurements.txt")
    stage.run("git commit --quiet --message 'Start deciding with accord'")
    stage.run("git switch --quiet --create agent-sandbox")


def _play(stage: Stage) -> None:
    _prepare(stage)
    stage.say("The orchestrator proposes eight improvements at once, and opens round 1.")
    stage.write("brief.yaml", read_template("demo/brief.yaml"))
    stage.run(
        "accord propose agent-sandbox --class architecture --from ../brief.yaml --open --commit"
    )
    stage.say("Six voters answer, sealed. Two refuse, with categories and an alternative.")
    stage.write_votes("votes-1", "demo/votes-1.yaml")
    stage.run("accord vote agent-sandbox --from ../votes-1 --commit")
    stage.run("accord show agent-sandbox")
    decision = next(path.name for path in (stage.root / "decisions").iterdir() if path.is_dir())
    stage.say("Somebody is in a hurry and writes the acceptance by hand. The hook refuses it.")
    stage.write(f"sandbox/decisions/{decision}/record.yaml", _HAND_WRITTEN)
    stage.run(f"git add decisions/{decision}/record.yaml")
    stage.run("accord hook run accord-verify", expected=1)
    stage.run(f"git rm --quiet --force decisions/{decision}/record.yaml")
    _play_second_round(stage, decision)


def _play_second_round(stage: Stage, decision: str) -> None:
    stage.say("The objections are answered, and the next round is drafted from them.")
    stage.run(
        "accord revise agent-sandbox --commit"
        " --addressed 'pm:DRY_VIOLATION=uses the timer of the scheduler'"
        " --addressed 'catfish:OVER_ENGINEERING=seven of eight are gone'"
    )
    draft = stage.root / f"decisions/{decision}/rounds/2/proposal.yaml"
    draft.write_text(_scope_down(draft.read_text()))
    stage.run("accord open agent-sandbox --voter pm --voter catfish --voter architect --commit")
    stage.write_votes("votes-2", "demo/votes-2.yaml")
    stage.run("accord vote agent-sandbox --from ../votes-2 --commit")
    stage.say("All agree. Now each has read the others' reasons, and signs that it still stands.")
    reason = {"reason": "The others' reasons add to mine; the files left behind are known."}
    for voter in ("architect", "pm", "catfish"):
        stage.write(f"affirmations/{voter}.json", json.dumps(reason))
    stage.run("accord affirm agent-sandbox --from ../affirmations --commit")
    stage.run("accord verify")
    stage.run("accord status")


def _scope_down(draft: str) -> str:
    """The draft of round 2 with the text cut down, as somebody would in an editor."""
    before, _, rest = draft.partition("\ntext: |\n")
    _, _, after = rest.partition("\noptions:")
    text = "".join(f"  {line}\n" for line in read_template("demo/scoped.txt").splitlines())
    return f"{before}\ntext: |\n{text}options:{after}"
