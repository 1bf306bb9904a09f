"""Pages whose `console` blocks are run: each command must print what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.golden import WRITE

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """One command of a page, as typed (with the lines that go on after `> `), and its output."""

    typed: str
    output: str

    @property
    def command(self) -> str:
        """What the shell is given."""
        return re.sub(r"^> ?", "", self.typed, flags=re.MULTILINE)

    @property
    def fails(self) -> bool:
        """Whether the page shows a refusal."""
        return "error[" in self.output or "error:" in self.output


class Shop:
    """The repository that a page speaks of, with nothing of the user's around it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.root = folder / "shop"
        self.here = self.root
        for made in (self.home, self.root):
            made.mkdir()
        self.environment = os.environ | {
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(folder / "state"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, command: str, code: int = 0) -> str:
        """Run a command where the one before left off; all that it prints."""
        place = self.folder / "here"
        done = subprocess.run(
            ["bash", "-c", f'{command}\ncode=$?\npwd > "{place}"\nexit $code'],
            cwd=self.here,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout
        self.here = Path(place.read_text().strip())
        return done.stdout.replace(str(self.home), "~")

    def write(self, name: str, text: str) -> None:
        """A file beside or in the repository."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def read_commands(block: str) -> Iterator[Shown]:
    """The commands of one block, in order."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        found = re.match(r"(.*\n(?:> ?.*\n)*)", part)
        assert found is not None
        yield Shown(found[1].rstrip("\n"), part[found.end() :])


def normalise(text: str) -> str:
    """What differs from run to run, as a word."""
    text = re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text)
    text = re.sub(r"\d{2}:\d{2}:\d{2}", "TIME", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}", "DATE", text)
    return re.sub(r"\s+", " ", text).strip()


def check_page(page: Path, shop: Shop, aside: Callable[[str], None] = lambda _: None) -> int:
    """Run every command of a page in a shop; how many there were.

    `aside` does after a command what the page tells in prose. With ACCORD_GOLDEN=write the page
    is given the output of now, where it says something else.
    """
    text = page.read_text(encoding="utf-8")
    number = 0

    def replay(block: re.Match[str]) -> str:
        nonlocal number
        told = []
        for shown in read_commands(block[1]):
            number += 1
            printed = shop.run(shown.command, 1 if shown.fails else 0)
            same = normalise(printed) == normalise(shown.output)
            assert same or WRITE, f"{shown.command}\n{printed}"
            told.append(f"$ {shown.typed}\n{shown.output if same else printed}")
            aside(shown.command)
        return f"```console\n{''.join(told)}```"

    written = _BLOCK.sub(replay, text)
    if WRITE and written != text:
        page.write_text(written, encoding="utf-8")
    return number
