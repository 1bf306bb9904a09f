"""A team whose class counts independent votes, and what it gets stuck on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.team import AGREE, Team, all_agree, copy_team, make_team
from tests.support.keys import FixedKey
from tests.support.once import make_once

# Who agreed leaning on the summary of a tool, and did not open the source.
LEANING = {**AGREE, "evidence": ["summary"]}
CORRELATED = all_agree() | {"implementer": LEANING, "reviewer": LEANING}
SUMMARIZED: list[dict[str, object]] = [
    {"id": "source", "kind": "primary", "artifact": "source.txt", "load_bearing": True},
    {"id": "summary", "kind": "claim", "text": "All is well.", "summarizes": "source"},
]
CHECKS: list[dict[str, object]] = [
    {"name": "fast", "argv": ["grep", "a source", "source.txt"], "inputs": ["source.txt"]}
]


COUNTED = "  architecture:\n    independence:\n      f: 1\n"


def add_outsider(policy: str, line: str) -> str:
    otto = f"  otto:\n    kind: agent\n    roles:\n      - voter\n    keys:\n      - ssh: {line}\n"
    return policy.replace("  reviewer:\n", f"{otto}  reviewer:\n", 1)


def make_counted_team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    """A team whose class counts independent votes, with otto, who is on no roster."""

    def build(made: Path) -> None:
        _count(make_team(made, capsys, monkeypatch))

    return copy_team(make_once("counted-team", build), tmp_path, capsys, monkeypatch)


def _count(team: Team) -> None:
    team.repo.git("switch", "-q", "main")
    otto = FixedKey("otto")
    team.repo.git("config", "accord.otto.key", str(otto.write(team.folder / "keys")))
    policy = team.decisions / "policy.yaml"
    text = add_outsider(policy.read_text(), otto.line)
    policy.write_text(text.replace("  architecture:\n", COUNTED, 1))
    team.repo.git("commit", "-qam", "policy", "--amend")
    team.repo.git("branch", "-qD", "work")
    team.repo.git("switch", "-qc", "work")


def correlated(team: Team, **changes: object) -> str:
    """A decision on which all agree, two of them because of the summary."""

    def act(team: Team) -> None:
        team.propose("x", evidence=SUMMARIZED, **changes)
        team.vote("x", CORRELATED)
        team.affirm("x", evidence=["source"])
        assert team.status_of("x") == "escalated"

    team.recall(f"be correlated {changes}", act)
    return team.id_of("x")
