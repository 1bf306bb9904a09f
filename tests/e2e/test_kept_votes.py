"""Sealed votes that are kept here: damaged ones are named, opened ones are not called missing."""

from __future__ import annotations

import os
from pathlib import Path

from tests.e2e.team import AGREE, MAJOR, Team, all_agree


def kept_by(team: Team, voter: str) -> Path:
    votes = Path(os.environ["XDG_STATE_HOME"]) / "accord"
    (file,) = votes.rglob(f"votes/**/{voter}.*.yaml")
    return file


def test_a_truncated_vote_is_named_by_vote_and_status(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": AGREE})
    assert "damaged" not in team.accord("status")
    file = kept_by(team, "reviewer")
    whole = file.read_bytes()
    file.write_bytes(whole[:40])

    for told in (
        team.accord("status"),
        team.vote("x", {"implementer": AGREE, "challenger": AGREE}),
        team.accord("vote", "x", code=2),
    ):
        assert "the sealed vote of reviewer in round 1" in told
        assert str(file) in told
        assert "accord close" in told

    file.write_bytes(whole)
    assert "damaged" not in team.accord("status")
    team.accord("vote", "x", "--commit", code=2)
    assert team.status_of("x") == "unconverged"


def test_what_the_hint_says_ends_the_round(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": AGREE})
    kept_by(team, "reviewer").write_bytes(b"")
    team.vote("x", {"implementer": AGREE, "challenger": AGREE})

    team.accord("close", "x", "--reason=a vote is lost", "--commit")

    assert team.status_of("x") == "contested"


def test_close_does_not_call_missing_what_it_opens(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": AGREE, "challenger": MAJOR})

    told = team.accord("close", "x", "--reason=enough", "--commit")

    assert "seal-unopened" not in told
    assert "opened 2 of 3" in told


def test_close_warns_of_what_nobody_opens(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": AGREE, "challenger": MAJOR})
    kept_by(team, "reviewer").unlink()

    told = team.accord("close", "x", "--reason=enough", "--commit")

    assert told.count("seal-unopened") == 1
    assert "votes/reviewer" in told or "seals/reviewer" in told


def test_a_merge_in_progress_says_nothing_of_the_order_that_its_commits_show(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    git = team.repo.git
    git("switch", "-qc", "other", "main")
    team.repo.commit({"a.txt": "a"})
    git("merge", "-q", "--no-ff", "--no-commit", "work")
    assert team.findings("--staged", "--branch=other", code=0) == {}
    git("commit", "-qm", "merge")
    assert team.findings("--range=main..HEAD", "--branch=other", code=0) == {}

    git("switch", "-qc", "squashed", "main")
    git("merge", "-q", "--squash", "work")
    squashed = team.findings("--staged", "--branch=squashed", code=0)
    assert set(squashed) == {"seal-order-unproven"}
