"""Text that would command a CI job or a terminal, in everything that people can write."""

from __future__ import annotations

import re

import pytest

from accord.cli.main import run
from tests.e2e.team import AGREE, MAJOR, Team, all_agree

MARKS = "::error::pwned\n  ::warning file=a::pwned\n##vso[task.complete]\nsection_start:15:pwned\n"
OBEYED = re.compile(
    r"^\s*::|##[a-z]*\[|section_(start|end):[0-9]|[\x00-\x09\x0b-\x1f\x7f\u202e]", re.MULTILINE
)
TITLE = "::error::pwned ##[error] section_end:15:pwned"
NAME = "##vso[a] ##[error].txt"
LOOKING = (
    ("status",),
    ("next", "--as=dana"),
    ("show", "x"),
    ("log", "x"),
    ("replay", "x"),
    ("verify", "--range=main..HEAD", "--branch=main"),
    ("packet", "x", "--voter=reviewer"),
    ("packet", "x", "--voter=challenger", "--with-claims"),
    ("stats",),
    ("adr", "x"),
    ("adr", "--index"),
    ("record", "x"),
    ("member", "list"),
    ("doctor",),
    ("propose", "::error::x"),
    ("vote", "::error::x"),
    ("show", "a\n::error::x"),
    ("verify", "--rev=::error::x"),
    ("verify", "--rev=a\n::error::x"),
    ("::error::x",),
)


@pytest.fixture
def hostile(team: Team) -> Team:
    (team.repo.path / NAME).write_text("a note")
    votes = all_agree() | {
        "challenger": {
            **AGREE,
            "rationale": MARKS,
            "concerns": [MARKS, "::error::pwned"],
            "evidence": ["source", "odd"],
        }
    }
    votes = {voter: {**vote, "rationale": MARKS} for voter, vote in votes.items()}
    team.propose(
        "x",
        title=TITLE,
        context=MARKS,
        text=MARKS,
        options=[{"name": TITLE, "pros": [MARKS], "cons": [MARKS]}],
        consequences={"good": [MARKS], "bad": [MARKS]},
        evidence=[
            {"id": "source", "kind": "primary", "artifact": "source.txt"},
            {"id": "odd", "kind": "primary", "artifact": NAME},
            {"id": "said", "kind": "claim", "text": MARKS, "summarizes": "source"},
        ],
    )
    team.vote("x", votes)
    return team


def check_everything(team: Team) -> None:
    for words in LOOKING:
        for more in ((), ("--format=json",)):
            team.capture.readouterr()
            run([*words, *more])
            printed = team.capture.readouterr()
            for stream in printed:
                found = OBEYED.search(stream)
                assert found is None, (words, more, stream)


def test_nothing_obeys_it_before_the_end(hostile: Team) -> None:
    check_everything(hostile)


def test_nothing_obeys_it_after_the_end(hostile: Team) -> None:
    hostile.affirm("x", reason=MARKS)
    check_everything(hostile)


def test_nothing_obeys_it_in_a_refused_round(hostile: Team) -> None:
    hostile.propose("y", title=TITLE)
    hostile.vote("y", {voter: {**MAJOR, "alternative": MARKS} for voter in all_agree()})
    hostile.accord("resolve", "y", code=2)
    check_everything(hostile)


def test_a_refusal_of_git_is_no_command(hostile: Team) -> None:
    hostile.repo.hook("pre-commit", "echo '::error::pwned' >&2; exit 1")
    hostile.capture.readouterr()
    draft = hostile.write("w.json", "{}")

    assert run(["withdraw", "x", "--reason=no", "--commit", f"--key={draft}"]) != 0
    assert run(["withdraw", "x", "--reason=no", "--commit"]) != 0

    printed = hostile.capture.readouterr()
    assert "pwned" in printed.err
    assert OBEYED.search(printed.err) is None
