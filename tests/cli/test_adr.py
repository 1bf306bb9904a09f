"""`accord adr`: print, write and check pages and their index."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.model.ids import digest_bytes
from accord.model.record import SourceFile
from accord.store.writer import dump
from tests.cli.story import PART, Place
from tests.rules.situations import IMPORTED
from tests.support import files as b
from tests.support.repos import Repo

At = Callable[[str], Place]
Out = pytest.CaptureFixture[str]
RIGHT = "Everything is as it must be.\n"


@pytest.fixture
def place(at: At, capsys: Out) -> Place:
    """A copy of the story at its end."""
    found = at("accepted")
    capsys.readouterr()
    return found


def page_of(place: Place) -> Path:
    return place.path / f"docs/decisions/{place.decision}.md"


def test_a_page_is_printed_as_it_is_written(place: Place, capsys: Out) -> None:
    assert run(["adr", PART]) == 0
    assert capsys.readouterr().out == page_of(place).read_text()
    assert run(["adr", PART, "--style", "nygard"]) == 0
    assert "## Status\n\nAccepted\n" in capsys.readouterr().out


def test_a_page_as_data(place: Place, capsys: Out) -> None:
    assert run(["adr", PART, "--format", "json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["record"]["status"] == "accepted"
    assert page["text"] == "Index open orders only."

    assert run(["adr", "--index", "--format", "json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert entry["page"] == {"decision": place.decision, "page": f"{place.decision}.md"}


def test_what_has_not_ended_has_no_page(at: At, capsys: Out) -> None:
    at("voted")
    capsys.readouterr()
    assert run(["adr", PART]) == 2
    assert "has no page: it is unconverged" in capsys.readouterr().err
    assert run(["adr", "--index"]) == 0
    assert "Nothing has been decided yet." in capsys.readouterr().out


def test_pages_are_checked_and_written_anew(place: Place, capsys: Out) -> None:
    right = page_of(place).read_text()
    assert run(["adr", "--check"]) == 0
    assert capsys.readouterr().out == RIGHT
    place.repo.commit({f"docs/decisions/{place.decision}.md": right.replace("agree", "object")})

    assert run(["adr", "--check"]) == 1
    told = capsys.readouterr().out
    assert "error[adr-stale]" in told
    assert f"accord adr {place.decision} --write" in " ".join(told.split())
    assert run(["adr", PART, "--check", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["code"], finding["severity"]) == ("adr-stale", "error")

    assert run(["adr", "--write", "--commit"]) == 0
    assert capsys.readouterr().out.startswith(
        f"wrote docs/decisions/{place.decision}.md\ncommitted"
    )
    assert page_of(place).read_text() == right
    assert run(["adr", "--check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["adr", "--write", "--commit"]) == 0
    assert "nothing was written" in capsys.readouterr().out


def test_a_page_that_is_as_in_head_again_needs_no_commit(place: Place, capsys: Out) -> None:
    name = f"docs/decisions/{place.decision}.md"
    place.repo.add({name: "edited\n"})
    assert run(["adr", "--write", "--commit"]) == 0
    assert capsys.readouterr().out == f"wrote {name}\n"
    assert place.repo.git("status", "--short") == ""


def test_a_page_of_what_has_not_ended_is_left_behind(at: At, capsys: Out) -> None:
    place = at("voted")
    name = f"docs/decisions/{place.decision}.md"
    place.repo.add({name: "accepted!\n", "docs/decisions/notes.md": "ours\n"})
    capsys.readouterr()

    assert run(["adr", "--check"]) == 1

    told = " ".join(capsys.readouterr().out.split())
    assert f"{name}: error[page-without-record]: it is the page of a decision that has" in told
    assert "notes.md" not in told


def test_the_index_is_written_on_the_protected_branch(place: Place, capsys: Out) -> None:
    index = place.path / "docs/decisions/index.md"
    assert run(["adr", "--index", "--check"]) == 1
    assert "docs/decisions/index.md: warning[ledger-stale]" in capsys.readouterr().out
    assert not index.exists()

    assert run(["adr", "--index", "--write"]) == 0
    told = capsys.readouterr()
    assert told.out == "wrote docs/decisions/index.md\n"
    assert told.err.startswith("note: the index belongs on main, and this is feature:")
    assert f"]({place.decision}.md) | accepted |" in index.read_text()
    assert run(["adr", "--index", "--check"]) == 0

    place.repo.git("rm", "-qf", str(index))
    place.repo.git("switch", "-qC", "main")
    capsys.readouterr()
    assert run(["adr", "--index", "--write", "--commit"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert place.repo.git("show", "--format=%s", "--name-only").splitlines() == [
        "Write the index of decisions", "", "docs/decisions/index.md",
    ]  # fmt: skip


def test_pages_are_pushed(place: Place, tmp_path: Path, capsys: Out) -> None:
    bare = Repo.init(tmp_path / "bare.git", "sha1", "--bare")
    place.repo.git("remote", "add", "origin", bare.path.as_uri())
    assert run(["adr", "--index", "--write", "--push"]) == 0
    assert "pushed to origin/feature\n" in capsys.readouterr().out
    assert bare.git("rev-parse", "feature") == place.repo.git("rev-parse", "HEAD")


def test_what_was_typed_and_not_staged_is_kept(place: Place, capsys: Out) -> None:
    page_of(place).write_text("typed\n")
    assert run(["adr", "--write"]) == 2
    assert "is not staged; it would be overwritten" in capsys.readouterr().err
    assert page_of(place).read_text() == "typed\n"


def test_a_page_that_was_deleted_comes_back(place: Place, capsys: Out) -> None:
    right = page_of(place).read_bytes()
    page_of(place).unlink()
    assert run(["adr", "--write", "--commit"]) == 0
    assert capsys.readouterr().out == f"wrote docs/decisions/{place.decision}.md\n"
    assert page_of(place).read_bytes() == right
    assert place.repo.git("status", "--short") == ""


def test_what_is_staged_is_committed_later(place: Place, capsys: Out) -> None:
    assert run(["adr", "--index", "--write"]) == 0
    capsys.readouterr()
    assert run(["adr", "--index", "--write", "--commit"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Everything is as it must be; nothing was written.\ncommitted ")
    assert place.repo.git("status", "--short") == ""


def test_pages_are_not_committed_before_their_decisions(place: Place, capsys: Out) -> None:
    place.repo.git("reset", "-q", "--soft", "HEAD^")
    assert run(["adr", "--index", "--write", "--commit"]) == 2
    assert "is staged and not committed, and a page would tell of it" in capsys.readouterr().err
    assert not (place.path / "docs/decisions/index.md").exists()


def test_an_index_in_a_change_is_warned_of(place: Place, capsys: Out) -> None:
    assert run(["adr", "--index", "--write", "--commit"]) == 0
    place.repo.git("reset", "-q", "--soft", "HEAD^")
    capsys.readouterr()
    assert run(["verify", "--staged"]) == 0
    assert "docs/decisions/index.md: warning[shared-file-in-change]" in capsys.readouterr().out
    place.repo.git("switch", "-qC", "main")
    assert run(["verify", "--staged"]) == 0
    assert "shared-file-in-change" not in capsys.readouterr().out


def test_a_bare_repository_is_read(place: Place, tmp_path: Path, capsys: Out) -> None:
    place.repo.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    os.chdir(tmp_path / "bare")
    capsys.readouterr()
    assert run(["adr", PART]) == 0
    assert "# Use a partial index for open orders\n" in capsys.readouterr().out
    assert run(["adr", "--check"]) == 0
    assert run(["adr", "--write"]) == 2


MISUSES = {
    "nothing": ([], "which page?"),
    "index and decision": (["--index", PART], "the index is of all decisions"),
    "write and check": (["--write", "--check"], "exclude each other"),
    "commit of nothing": (["--check", "--commit"], "go with --write"),
    "unknown": (["zzz"], "no decision has 'zzz'"),
    "style": (["--style", "prose"], "prose"),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse(name: str, place: Place, capsys: Out) -> None:
    arguments, reason = MISUSES[name]
    assert run(["adr", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_an_import_keeps_its_page(place: Place, capsys: Out) -> None:
    older = b.change(
        IMPORTED,
        decision="2020-01-01-older",
        title="An older page",
        source=SourceFile(path="docs/adr/1 (old).md", digest=digest_bytes(b"x")),
    )
    place.repo.add({"decisions/2020-01-01-older/record.yaml": dump(older, "record")})

    assert run(["adr", "older"]) == 2
    assert "taken over from an older page: docs/adr/1 (old).md" in capsys.readouterr().err
    assert run(["adr", "--check"]) == 0
    capsys.readouterr()
    assert run(["adr", "--index"]) == 0
    assert (
        "[An older page](../../docs/adr/1%20%28old%29.md) | imported |" in capsys.readouterr().out
    )
