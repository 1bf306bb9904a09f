"""A check runs for a while, and others may write meanwhile (section 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.errors import UsageError
from accord.flow.check import Prepared, Trial, prepare_check, run_check
from accord.flow.identity import find_named
from accord.flow.publish import Saving
from accord.flow.session import Session, open_session
from accord.store.git import Repository
from tests.e2e.escalated import CHECKS, SUMMARIZED, make_counted_team
from tests.e2e.team import AGREE, MINOR, Team

STAGED = Saving()


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    team = make_counted_team(tmp_path, capsys, monkeypatch)
    team.propose("x", evidence=SUMMARIZED, checks=CHECKS)
    return team


def prepare(team: Team) -> tuple[Session, Prepared]:
    session = open_session(Repository.discover(team.repo.path))
    return session, prepare_check(session, team.id_of("x"), Trial("fast"), "otto")


def run(session: Session, prepared: Prepared) -> None:
    run_check(session, prepared, find_named(session, "otto"), STAGED)


def test_one_that_ran_meanwhile_keeps_its_number(team: Team) -> None:
    prepared = prepare(team)
    team.accord("check", "run", "x", "fast", "--as=otto")
    first = team.file("x", "checks/fast.1.yaml").read_bytes()
    run(*prepared)
    assert team.file("x", "checks/fast.1.yaml").read_bytes() == first
    assert team.file("x", "checks/fast.2.yaml").is_file()


def test_what_was_found_of_a_text_that_is_no_more_is_not_signed(team: Team) -> None:
    session, prepared = prepare(team)
    team.vote("x", {"implementer": AGREE, "reviewer": AGREE, "challenger": MINOR})
    team.accord("amend", "x", "--commit")
    with pytest.raises(UsageError, match="moved on while the command ran"):
        run(session, prepared)
    assert not team.file("x", "checks").exists()
