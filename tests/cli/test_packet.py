"""`accord packet`: printed, written, filled in, cast."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.cli.story import PART, VOTERS, Place

At = Callable[[str], Place]
Out = pytest.CaptureFixture[str]
ANSWERS = {
    "vote:  # agree": "vote: agree  # agree",
    "rationale: |\n": "rationale: |\n  The plan shows an index scan.\n",
    '  - ""\n': "  - one more index to know of\n",
    "  testability:\n": "  testability: strong\n",
    "  workflow_integration:\n": "  workflow_integration: adequate\n",
    "  incremental_verifiability:\n": "  incremental_verifiability: adequate\n",
    "evidence: []": "evidence: [plan]",
    "stance:  # affirm": "stance: affirm  # affirm",
    "reason: |\n": "reason: |\n  Nothing new against it.\n",
}


def fill_in(folder: Path, name: str) -> None:
    """Fill in every file of a kind as a voter would."""
    for path in folder.glob(f"*/{name}"):
        text = path.read_text()
        for blank, answer in ANSWERS.items():
            text = text.replace(blank, answer)
        path.write_text(text)


def read_digest(form: Path) -> str:
    return form.read_text().split("packet: ")[1].split("\n")[0]


def test_packets_are_filled_in_and_cast(at: At, tmp_path: Path, capsys: Out) -> None:
    place = at("open")
    votes, affirmations = tmp_path / "p", tmp_path / "q"

    assert run(["packet", PART, "--all", "-o", str(votes)]) == 0
    fill_in(votes, "vote.yaml")
    assert run(["vote", PART, "--from", str(votes), "--commit"]) == 0
    assert run(["packet", PART, "--all", "-o", str(affirmations)]) == 0
    fill_in(affirmations, "affirmation.yaml")
    assert run(["affirm", PART, "--from", str(affirmations), "--commit"]) == 0

    assert "PROCEED" in capsys.readouterr().out
    assert run(["verify"]) == 0
    assert run(["verify", "--rev", "HEAD", "--tree-only"]) == 0
    round_ = place.path / f"decisions/{place.decision}/rounds/1"
    for voter in VOTERS:
        digest = read_digest(votes / voter / "vote.yaml")
        assert f"packet: {digest}\n" in (round_ / f"votes/{voter}.yaml").read_text()


def test_an_empty_vote_is_refused_field_by_field(at: At, tmp_path: Path, capsys: Out) -> None:
    at("open")
    run(["packet", PART, "--all", "-o", str(tmp_path / "p")])
    capsys.readouterr()

    assert run(["vote", PART, "--from", str(tmp_path / "p")]) == 1

    told = capsys.readouterr().out
    assert f"{tmp_path}/p/challenger/vote.yaml:8:" in told
    for field in ("vote", "rationale", "testability"):
        assert field in told


def test_a_packet_is_printed_with_its_file(at: At, capsys: Out) -> None:
    at("open")
    capsys.readouterr()

    assert run(["packet", PART, "--voter", "challenger", "--format", "json"]) == 0
    (plain,) = json.loads(capsys.readouterr().out)
    assert run(["packet", PART, "--voter", "challenger"]) == 0
    page = capsys.readouterr().out

    assert page == f"{plain['packet']}\n## vote.yaml\n\n```yaml\n{plain['form']}```\n"
    assert f"  packet: {plain['digest']}\n" in plain["form"]
    assert (plain["voter"], plain["phase"], plain["file"]) == ("challenger", "vote", "vote.yaml")


def test_claims_are_shown_when_asked_for(at: At, capsys: Out) -> None:
    at("open")
    run(["packet", PART, "--voter", "reviewer"])
    assert "tool-summary" not in capsys.readouterr().out

    run(["packet", PART, "--voter", "reviewer", "--with-claims"])
    assert "claims: [tool-summary]" in capsys.readouterr().out


def test_what_was_filled_in_is_never_lost(at: At, tmp_path: Path, capsys: Out) -> None:
    at("open")
    folder = tmp_path / "p"
    assert run(["packet", PART, "--all", "-o", str(folder)]) == 0
    assert run(["packet", PART, "--all", "-o", str(folder)]) == 0
    fill_in(folder, "vote.yaml")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    capsys.readouterr()

    assert run(["packet", PART, "--all", "-o", str(folder)]) == 2

    assert "challenger/vote.yaml, implementer/vote.yaml" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_directory_that_cannot_be_made(at: At, tmp_path: Path, capsys: Out) -> None:
    at("open")
    (tmp_path / "file").write_text("")
    capsys.readouterr()

    assert run(["packet", PART, "--all", "-o", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "say for whom: --voter MEMBER, or --all"),
        (["--voter", "reviewer", "--all"], "say for whom: --voter MEMBER, or --all"),
        (["--all"], "say with -o DIR where they go"),
        (["--voter", "dana"], "dana is not on the roster of round 1"),
    ],
    ids=["nobody", "both", "all on one page", "no voter"],
)
def test_packets_are_for_somebody(options: list[str], message: str, at: At, capsys: Out) -> None:
    at("open")

    assert run(["packet", PART, *options]) == 2
    assert message in capsys.readouterr().err
