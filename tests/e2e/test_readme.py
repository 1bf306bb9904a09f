"""README shows the real output of real commands: each `console` block is run and compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
VOTERS = ("implementer", "reviewer", "challenger")
BRIEF = """\
title: Use a partial index for open orders
context: Most queries ask for open orders; the index holds them all.
text: Replace the index on orders.customer_id by one over open orders only.
evidence:
  - {id: old, kind: primary, artifact: migrations/0041.sql}
"""
VOTE = """\
vote: agree
rationale: The diff drops nothing that open orders need.
concerns: [reports over closed orders get slower]
assessment: {testability: strong, workflow_integration: strong, incremental_verifiability: weak}
evidence: [diff, old]
"""
AFFIRMATION = "reason: The concern about reports is real and accepted; nothing else is new.\n"
# After which command the world does something that the README tells in prose.
ASIDES = {
    "init": (
        "git commit -qm accord",
        "git switch -qc partial-index",
        "mkdir -p migrations",
        "cp migrations/0041.sql migrations/0042.sql",
        "git add .",
        "git commit -qm index",
    ),
}


def read_sessions() -> list[tuple[str, str]]:
    """Every command of the README's console blocks, and what it shows."""
    blocks = re.findall(r"^```console\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    sessions = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            sessions.append((command, shown))
    return sessions


def normalise(text: str, home: Path) -> str:
    """What differs from run to run, as a word."""
    text = text.replace(str(home), "~")
    text = re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}-", "DATE-", text)
    return re.sub(r"\s+", " ", text).strip()


class Shop:
    """The repository that the README speaks of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.root = folder / "shop"
        for made in (self.home, self.root):
            made.mkdir()
        self.environment = os.environ | {
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(folder / "state"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, command: str) -> str:
        done = subprocess.run(  # noqa: S602 - the README's lines are shell lines
            command,
            shell=True,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    shop.run("git init -qb main .")
    shop.run("git config user.name Dana && git config user.email dana@example.org")
    shop.write("shop/migrations/0041.sql", "CREATE INDEX orders_customer ON orders(customer_id);\n")
    shop.run("git add . && git commit -qm start")
    shop.write("brief.yaml", BRIEF)
    return shop


def test_console_blocks_are_real(shop: Shop) -> None:
    sessions = read_sessions()
    assert len(sessions) == 7
    for command, shown in sessions:
        printed = shop.run(command)
        assert normalise(printed, shop.home) == normalise(shown, shop.home), command
        for aside in ASIDES.get(command.split()[1], ()):
            shop.run(aside)
        for voter in VOTERS:
            if "../packets" in command and "packet " in command:
                shop.write(f"packets/{voter}/vote.yaml", VOTE)
            if "../affirmations" in command and "packet " in command:
                shop.write(f"affirmations/{voter}/affirmation.yaml", AFFIRMATION)
