"""A voter's own finds: what accord fills in, and what it leaves as it was written."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.ids import digest_bytes
from accord.store.parse import parse_file
from tests.e2e.team import AFFIRM, AGREE, VOTERS, Team, all_agree

FOUND = {"artifact": "found.txt"}
DIGEST = digest_bytes(b"what it says\n")
OTHER = digest_bytes(b"something else\n")


@pytest.fixture
def found(team: Team) -> Team:
    """A team beside whose proposal lies a file that its manifest does not list."""
    team.repo.commit({"found.txt": "what it says\n"})
    team.propose("x")
    return team


def _cast(team: Team, entry: dict[str, str]) -> dict[str, str | None]:
    """What stands in a vote whose draft lists the entry."""
    votes = all_agree() | {"reviewer": AGREE | {"evidence": ["source", entry]}}
    assert "opened 3 of 3" in team.vote("x", votes)
    path = team.file("x", "rounds/1/votes/reviewer.yaml")
    vote: Any = parse_file(path.read_bytes(), "vote.yaml", "vote")[0]
    used = vote.evidence[1]
    return {"revision": used.revision, "digest": used.digest}


def test_a_find_is_pinned_to_what_was_read(found: Team) -> None:
    head = found.repo.git("rev-parse", "HEAD")
    assert _cast(found, FOUND) == {"revision": head, "digest": DIGEST}


def test_a_commit_that_is_named_is_the_one_that_was_read(found: Team) -> None:
    named = found.repo.git("rev-parse", "HEAD")
    found.repo.commit({"found.txt": "something else\n"})
    pinned = {"revision": named, "digest": DIGEST}
    assert _cast(found, FOUND | {"revision": named}) == pinned


@pytest.mark.parametrize(
    "entry",
    [
        {"artifact": "https://example.org/found.txt"},
        {"artifact": "found.txt", "revision": "0" * 40},
    ],
    ids=["a URI", "a commit elsewhere"],
)
def test_what_cannot_be_looked_at_stays_as_it_was_written(
    entry: dict[str, str], found: Team
) -> None:
    written: dict[str, str | None] = {"revision": None, "digest": None}
    assert _cast(found, entry) == {**written, **{k: v for k, v in entry.items() if k in written}}


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "other bytes": ({"artifact": "found.txt", "digest": OTHER}, "is not the file that this digest"),
    "no file": ({"artifact": "lost.txt"}, "there is no such file here"),
    "no path of the repository": ({"artifact": "../found.txt"}, "no path inside the repository"),
    "a path of one machine": ({"artifact": "/home/alice/x"}, "a path of one machine"),
    "a path with lines": ({"artifact": "found.txt:1-2"}, "artifact: found.txt, lines: 1-2"),
    "lines after the end": ({"artifact": "found.txt", "lines": "9-12"}, "it has 1"),
    "lines of what is listed": ({"id": "source", "lines": "900-990"}, "it has 1"),
    "a trace": ({"id": "source", "source": "trace"}, "no receipt shows it"),
}


@pytest.mark.parametrize(("entry", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_there_is_not_taken(entry: dict[str, str], said: str, found: Team) -> None:
    votes = all_agree() | {"reviewer": AGREE | {"evidence": ["source", entry]}}
    assert said in found.vote("x", votes, code=1)
    assert not found.file("x", "rounds/1/seals").exists()


def test_it_is_not_taken_with_an_affirmation_either(found: Team) -> None:
    found.vote("x", all_agree())
    draft = found.write("a.json", AFFIRM | {"evidence": ["source", {"artifact": "lost.txt"}]})
    told = found.accord("affirm", "x", "--as=reviewer", "--from", str(draft), code=1)
    assert "lost.txt is cited" in told


def test_a_find_that_main_has_is_pinned_there(team: Team) -> None:
    """A commit of the branch would be gone once it is squashed."""
    team.repo.commit({"other.txt": "other\n"})
    team.propose("x")
    pinned = _cast(team, {"artifact": "source.txt"})
    assert pinned["revision"] == team.repo.git("rev-parse", "main")


def test_a_file_that_is_being_edited_is_not_the_committed_one(found: Team) -> None:
    found.repo.path.joinpath("found.txt").write_text("a draft\n")
    assert _cast(found, FOUND) == {"revision": None, "digest": None}


def test_others_affirm_a_find_by_its_path(found: Team) -> None:
    _cast(found, FOUND)
    assert "UNANIMITY_VERIFIED" in found.affirm("x", VOTERS, evidence=["source", FOUND])
