"""What people are shown first is the cause, and doing what its hint says fixes it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from accord.cli.main import run
from tests.attacks.corpus import ATTACKS
from tests.attacks.forge import commit
from tests.attacks.starts import begin
from tests.e2e.team import Team

# What is shown first where that is not what the attack is listed for: the deed before what it
# leads to.
DEEDS = {
    "frozen-file-changed",
    "signed-file-deleted",
    "policy-change-unapproved",
    "policy-serial",
    "equivocation",
}
Way = Literal["restore", "remove", "record", "drop"]
SAYS: dict[Way, str] = {
    "restore": r"[Rr]estore|Take one parent's file",
    "remove": r"[Rr]emove|Take one parent's file",
    "record": r"accord record",
    "drop": r"Drop the commit that brings it",
}
# The codes whose hint a machine can follow; what it does is in the hint, in its words.
FIXED = {
    "frozen-file-changed",
    "signed-file-deleted",
    "not-a-regular-file",
    "unexpected-file",
    "decision-ended",
    "record-early",
    "record-differs",
    "record-missing",
    "policy-removed",
    "policy-change-unapproved",
    "proposal-changed",
    "evil-merge",
    "page-without-record",
}
# What an import says of itself, only whoever imports it knows.
UNKNOWN = "An import names its source"


class Found(NamedTuple):
    code: str
    path: str
    hint: str


class Judge:
    """What a range, or a branch that does not stand on main, is told."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.git = team.repo.git

    def ask(self, output_format: str) -> str:
        head = self.git("rev-parse", "HEAD")
        upon = self.git("merge-base", "main", head) == self.git("rev-parse", "main")
        words = (
            ("verify", f"--range=main..{head}") if upon else ("ci", "--base=main", f"--head={head}")
        )
        self.team.capture.readouterr()
        ended = run([*words, "--branch=main", f"--format={output_format}"])
        printed = self.team.capture.readouterr()
        assert ended in (0, 1), printed
        return printed.out

    def causes(self) -> list[Found]:
        return [
            Found(one["code"], one["path"], one["hint"])
            for one in json.loads(self.ask("json"))["findings"]
            if one["severity"] == "error" and one["caused_by"] is None
        ]

    def fix(self, found: Found, start: str) -> Way | None:
        """Do what the hint says; what was done."""
        if re.search(SAYS["record"], found.hint):
            self.team.accord("record", found.path.split("/")[1], "--write")
            return "record"
        if re.search(SAYS["drop"], found.hint):
            self.git("reset", "-q", "--hard", start)
            return "drop"
        paths = (found.path, f"{found.path}.sig")
        source = self.find_before(paths)
        way: Way = "restore" if source else "remove"
        if re.search(SAYS[way], found.hint) is None:
            return None
        for path in paths:
            self.git("rm", "-rqf", "--cached", "--ignore-unmatch", "--", path)
            place = self.team.repo.path / path
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            place.unlink(missing_ok=True)
        if source:
            there = [one for one in paths if self.git("ls-tree", source, "--", one)]
            self.git("checkout", source, "--", *there)
        return way

    def find_before(self, paths: Iterable[str]) -> str | None:
        """The last commit that has the file otherwise than now."""
        now = self.git("ls-tree", "HEAD", "--", *paths)
        for one in self.git("rev-list", "HEAD").split():
            then = self.git("ls-tree", one, "--", *paths)
            if then and then != now:
                return one
        return None


def codes(found: Iterable[Found]) -> list[tuple[str, str]]:
    return sorted({(one.code, one.path) for one in found})


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if number % 2 else ())
        for number, name in enumerate(ATTACKS)
    ],
)
def test_the_first_finding_is_the_cause_and_its_hint_fixes_it(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack = ATTACKS[name]
    team = begin(attack.start, tmp_path, capsys, monkeypatch)
    judge = Judge(team)
    start = judge.git("rev-parse", "HEAD")
    before = codes(judge.causes())
    attack.act(team)
    if judge.git("status", "--porcelain"):
        commit(team)

    shown = re.findall(r"(?:error|warning)\[([a-z-]+)\]", " ".join(judge.ask("text").split()))
    if "range" not in attack.unseen:
        assert shown[0] in {attack.code, *DEEDS}
        assert attack.code in shown

    def find_due() -> list[Found]:
        return [
            one
            for one in judge.causes()
            if one.code in FIXED and one[:2] not in before and UNKNOWN not in one.hint
        ]

    due = find_due()
    for _ in range(12):
        if not due:
            break
        first = due[0]
        assert judge.fix(first, start) is not None, first
        commit(team, "what the hint says")
        due = find_due()
        assert first[:2] not in codes(due), first
    assert due == []
