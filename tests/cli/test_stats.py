"""`accord stats` in real repositories: formats, scopes, slips, an empty place, a broken file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from accord.cli.main import run
from accord.errors import Exit
from tests.cli.story import Place
from tests.support.repos import Repo
from tests.support.tables import table
from tests.support.terminal import run_at_terminal

At = Callable[[str], Place]
Out = pytest.CaptureFixture[str]
NOTHING = "There is nothing to count yet: there is no decision here.\n"


def plain(capsys: Out, *options: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["stats", *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_an_empty_repository_says_so_in_words(at: At, capsys: Out) -> None:
    at("empty")
    capsys.readouterr()

    assert run(["stats"]) == 0
    assert capsys.readouterr().out == NOTHING
    assert plain(capsys)["decisions"] == 0
    assert run(["stats", "--format", "csv"]) == 0
    assert "total,decisions,0,\n" in capsys.readouterr().out


def test_without_a_policy_there_is_nothing_to_judge_by(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(repo.path)

    assert run(["stats"]) == Exit.USAGE
    assert "accord init" in capsys.readouterr().err


# Rounds and votes: sealed votes are not shown, so they are not counted.
STEPS: dict[str, tuple[str, tuple[int, int, str]]] = {
    "draft": ("draft", (0, 0, "draft")),
    "open": ("open", (1, 0, "open")),
    "sealed": ("sealed", (1, 0, "open")),
    "voted": ("voted", (1, 3, "unconverged")),
    "accepted": ("accepted", (1, 3, "accepted")),
}


@table(("step", "expected"), STEPS)
def test_counts_at_each_step(
    step: str, expected: tuple[int, int, str], at: At, capsys: Out
) -> None:
    at(step)
    found = plain(capsys)

    (status,) = found["statuses_by_class"]
    assert (found["rounds"], found["votes"], status["key"]) == expected
    assert status == {"class": "architecture", "key": expected[2], "count": 1, "of": 1}


def test_the_formats_tell_the_same(at: At, capsys: Out) -> None:
    at("accepted")
    found = plain(capsys)
    assert run(["stats", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert run(["stats"]) == 0
    page = capsys.readouterr().out

    totals = {row["key"]: int(row["count"]) for row in rows if row["subject"] == "total"}
    assert totals == {key: found[key] for key in totals}
    assert page.startswith("1 decision here: 1 round and 3 votes of 3 voters")
    assert "█" not in page


def test_scopes(at: At, capsys: Out) -> None:
    day = at("accepted").decision[:10]

    assert plain(capsys, "--class", "architecture")["decisions"] == 1
    assert plain(capsys, "--class", "governance")["decisions"] == 0
    assert plain(capsys, "--since", day, "--until", day)["decisions"] == 1
    assert plain(capsys, "--since", "2999-01-01")["decisions"] == 0
    assert plain(capsys, "--until", "2000-1-2")["scope"] == {
        "class": None,
        "since": None,
        "until": "2000-01-02",
    }
    assert run(["stats", "--class", "governance"]) == 0
    assert "there is no decision of class governance." in capsys.readouterr().out


SLIPS: dict[str, tuple[list[str], str]] = {
    "a class that is not there": (["--class", "architectur"], "the classes are architecture"),
    "a class that is no word": (["--class", ""], "there is no class ''"),
    "days in the wrong order": (
        ["--since", "2026-02-01", "--until", "2026-01-31"],
        "put the earlier day after --since",
    ),
    "a day that does not exist": (["--since", "2026-02-30"], "does not match the format"),
    "another format": (["--format", "xml"], "'xml' is not one of"),
}


@table(("options", "told"), SLIPS)
def test_slips(options: list[str], told: str, at: At, capsys: Out) -> None:
    at("draft")
    capsys.readouterr()

    assert run(["stats", *options]) == Exit.USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert told in printed.err


def test_what_does_not_count_is_told_and_not_counted(at: At, capsys: Out) -> None:
    place = at("voted")
    path = f"decisions/{place.decision}/rounds/1/votes/reviewer.yaml"
    vote = (place.path / path).read_text()
    (place.path / path).write_text(vote.replace("vote: agree", "vote: abstain"))
    place.repo.git("add", path)
    capsys.readouterr()

    assert run(["stats"]) == 0
    printed = capsys.readouterr()
    assert "2 votes of 2 voters" in printed.out
    assert "the files of 1 decision have errors" in printed.err
    assert "accord verify" in printed.err


def test_at_a_terminal_there_are_bars_also_without_colour(at: At, capsys: Out) -> None:
    place = at("accepted")
    capsys.readouterr()

    code, page = run_at_terminal(place.path, ["stats"])

    assert (code, "█" in page, "\x1b" in page) == (0, True, False)
    assert run(["--color", "always", "stats"]) == 0
    painted = capsys.readouterr().out
    assert ("█" in painted, "\x1b" in painted) == (True, True)
