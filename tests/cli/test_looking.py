"""The verbs that look: status, show, log, record, doctor, at each step of a decision."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from tests.cli.story import PART, STEPS, VOTERS, Place
from tests.support.repos import Repo

At = Callable[[str], Place]
Out = pytest.CaptureFixture[str]


def test_status_of_an_empty_repository(at: At, capsys: Out) -> None:
    at("empty")
    capsys.readouterr()

    assert run(["status"]) == 0
    assert (
        capsys.readouterr().out == "There are no decisions here yet; `accord propose` drafts one.\n"
    )


WAITING = {
    "draft": ("draft", ["an authority"]),
    "open": ("open", sorted(VOTERS)),
    "sealed": ("open", ["challenger", "reviewer"]),
    "voted": ("unconverged", sorted(VOTERS)),
    "accepted": ("accepted", []),
}


@pytest.mark.parametrize("step", STEPS[1:])
def test_status_says_who_is_waited_for(step: str, at: At, capsys: Out) -> None:
    place = at(step)
    capsys.readouterr()

    assert run(["status", "--format", "json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)

    status, members = WAITING[step]
    assert (line["id"], line["status"]) == (place.decision, status)
    assert [wait["member"] for wait in line["waiting_for"]] == members


@pytest.mark.parametrize("step", STEPS[1:])
def test_status_prints_each_command_on_a_line_of_its_own(step: str, at: At, capsys: Out) -> None:
    at(step)
    capsys.readouterr()
    run(["status", "--format", "json"])
    (line,) = json.loads(capsys.readouterr().out)
    assert run(["status"]) == 0

    lines = [text.strip() for text in capsys.readouterr().out.splitlines()]
    assert {wait["command"] for wait in line["waiting_for"]} <= set(lines)


@pytest.mark.parametrize("step", STEPS[1:])
def test_show_begins_with_the_directive(step: str, at: At, capsys: Out) -> None:
    place = at(step)
    capsys.readouterr()

    assert run(["show", PART]) == 0
    page = capsys.readouterr().out
    assert run(["show", place.decision, "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)

    assert page.startswith(plain["directive"]["word"])
    assert place.decision in page
    assert {"outcome", "verdict", "status", "gates", "independence", "manifest_digest"} <= set(
        plain
    )


def test_show_tells_sealed_from_not_voted(at: At, capsys: Out) -> None:
    at("sealed")
    capsys.readouterr()

    run(["show", PART])

    page = capsys.readouterr().out
    assert re.search("implementer +sealed, not open", page)
    assert re.search("reviewer +not voted", page)


def test_log_tells_what_was_signed(at: At, capsys: Out) -> None:
    at("accepted")
    capsys.readouterr()

    assert run(["log", PART]) == 0
    page = capsys.readouterr().out
    assert run(["log", PART, "--format", "json"]) == 0
    events = json.loads(capsys.readouterr().out)

    assert len(events) == 1 + 3 * len(VOTERS)
    assert events[0]["what"].startswith("opened round 1 to ")
    assert page.count(" sealed a vote") == page.count(" voted agree") == 3


def test_a_record_is_printed_when_there_is_one(at: At, capsys: Out) -> None:
    place = at("accepted")
    capsys.readouterr()
    path = place.path / f"decisions/{place.decision}/record.yaml"

    assert run(["record", PART]) == 0
    assert capsys.readouterr().out == path.read_text()
    assert run(["record", PART, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "accepted"
    assert run(["record", PART, "--check"]) == 0
    assert capsys.readouterr().out == f"decisions/{place.decision}/record.yaml: right\n"


def test_an_undecided_decision_has_no_record(at: At, capsys: Out) -> None:
    place = at("voted")
    capsys.readouterr()

    assert run(["record", PART]) == 2
    assert "has no record: it is unconverged" in capsys.readouterr().err
    assert run(["record", PART, "--check"]) == 0
    assert "not there, and not due" in capsys.readouterr().out
    assert not (place.path / f"decisions/{place.decision}/record.yaml").exists()


def test_a_record_that_differs_is_found_and_written_anew(at: At, capsys: Out) -> None:
    place = at("accepted")
    name = f"decisions/{place.decision}/record.yaml"
    right = (place.path / name).read_text()
    place.repo.add({name: right.replace("accepted", "rejected", 1)})
    capsys.readouterr()

    assert run(["record", PART, "--check"]) == 1
    told = capsys.readouterr()
    assert "error[record-differs]" in told.out
    assert told.err == "error: the record is not right\n"

    for options in (["--write", "--check"], ["--commit"], ["--push"]):
        assert run(["record", PART, *options]) == 2
    assert run(["record", PART, "--write"]) == 0
    assert capsys.readouterr().out == f"wrote {name}\n"
    assert (place.path / name).read_text() == right
    assert run(["record", PART, "--check"]) == 0


REFERENCES = {
    "part": ("partial", 0, ""),
    "slug": (PART, 0, ""),
    "folder": ("decisions/{id}/", 0, ""),
    "misspelt": ("parital-index", 2, "did you mean one of these?"),
    "nothing like it": ("zzz", 2, "`accord status` lists them"),
    "empty": ("", 2, "no decision has ''"),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_any_unique_part_of_an_id_is_understood(name: str, at: At, capsys: Out) -> None:
    place = at("draft")
    capsys.readouterr()
    part, code, message = REFERENCES[name]

    assert run(["show", part.format(id=place.decision)]) == code
    assert message in capsys.readouterr().err


def test_an_ambiguous_part_lists_the_candidates(at: At, capsys: Out) -> None:
    place = at("draft")
    draft = (place.path / f"decisions/{place.decision}/rounds/1/proposal.yaml").read_bytes()
    decision = place.decision
    others = [f"{decision}-{number}" for number in range(9)]
    place.repo.add({f"decisions/{other}/rounds/1/proposal.yaml": draft for other in others})
    capsys.readouterr()

    assert run(["log", "partial"]) == 2

    told = capsys.readouterr().err
    assert "'partial' is a part of 10 decisions" in told
    assert f"  {decision}\n" in told
    assert "  and 2 more\n" in told
    assert run(["log", PART]) == 0  # the whole slug of one of them


def test_no_decision_at_all(at: At, capsys: Out) -> None:
    at("empty")
    capsys.readouterr()

    assert run(["show", "anything"]) == 2
    assert "there is no decision here yet" in capsys.readouterr().err


def test_outside_of_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(["status"]) == 2
    assert "there is no git repository" in capsys.readouterr().err


def test_without_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    repo = Repo.init(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert run(["status"]) == 2
    assert capsys.readouterr().err == (
        "error: there is no decisions/policy.yaml here\nhint: `accord init` writes one that works\n"
    )

    repo.add({"decisions/policy.yaml": "format: accord/policy/1\nserial: 0\n"})
    assert run(["status"]) == 1
    told = capsys.readouterr()
    assert "error[schema-invalid]" in told.out
    assert "cannot be read" in told.err


def test_a_bare_repository_is_read_at_head(at: At, tmp_path: Path, capsys: Out) -> None:
    place = at("voted")
    place.repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    os.chdir(tmp_path / "bare")
    capsys.readouterr()

    assert run(["show", PART]) == 0
    assert capsys.readouterr().out.startswith("WAIT")


def test_a_bare_repository_without_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    Repo.init(tmp_path, "sha1", "--bare")
    monkeypatch.chdir(tmp_path)

    assert run(["status"]) == 2
    assert "has no commit yet" in capsys.readouterr().err
