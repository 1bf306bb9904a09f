"""What an attacker does by hand: edit, sign with a key that is at hand, commit without hooks."""

from __future__ import annotations

import shutil
from pathlib import Path

from accord.flow.session import open_session
from accord.model.base import Record
from accord.rules.counting import CountedRound
from accord.store.git import Repository
from accord.store.writer import dump
from tests.e2e.team import Team
from tests.support.keys import FixedKey
from tests.support.repos import Repo

R1 = "rounds/1"
CHALLENGE = f"{R1}/votes/challenger.yaml"
REVIEW = f"{R1}/votes/reviewer.yaml"


def place(team: Team, rest: str) -> Path:
    """A file of the decision x."""
    return team.file("x", rest)


def edit(team: Team, rest: str, old: str, new: str) -> None:
    """Change a file of the decision, and leave its signature."""
    path = place(team, rest)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def sign(path: Path, member: str, namespace: str = "accord") -> None:
    """Sign a file as a member would, outside of accord."""
    signature = FixedKey(member).sign(path.read_bytes(), namespace)
    path.with_name(path.name + ".sig").write_bytes(signature)


def resign(team: Team, rest: str, old: str, new: str, member: str) -> None:
    """Change a file, and sign it anew."""
    edit(team, rest, old, new)
    sign(place(team, rest), member)


def put(team: Team, rest: str, record: Record, kind: str, member: str) -> None:
    """Write a record and sign it, whatever accord would say."""
    path = place(team, rest)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dump(record, kind))
    sign(path, member)


def latest(team: Team) -> CountedRound:
    """The last round of x, as accord counts it."""
    session = open_session(Repository.discover(team.repo.path))
    return session.judge(team.id_of("x")).judgement.rounds[-1]


def delete(team: Team, *rests: str) -> None:
    """Remove files and their signatures."""
    for rest in rests:
        place(team, rest).unlink()
        place(team, f"{rest}.sig").unlink(missing_ok=True)


def write(team: Team, rest: str) -> None:
    """A file that is in the directory of no decision."""
    path = team.decisions / rest
    path.parent.mkdir(exist_ok=True)
    path.write_text("hello\n")


def write_record(team: Team) -> None:
    place(team, "record.yaml").write_text("format: accord/record/1\nstatus: accepted\n")


def link(team: Team, rest: str) -> None:
    path = place(team, rest)
    path.unlink()
    path.symlink_to("../../../policy.yaml")


def link_decision(team: Team) -> None:
    folder = team.decisions / team.id_of("x")
    shutil.move(folder, team.folder / "aside")
    folder.symlink_to(team.folder / "aside")


def link_template(team: Team) -> None:
    write(team, "templates/a")
    (team.decisions / "templates/x").symlink_to("a")


def link_everything(team: Team) -> None:
    shutil.move(team.decisions, team.folder / "aside")
    team.decisions.symlink_to(team.folder / "aside")


def put_submodule(path: Path) -> None:
    """A repository of its own, which git adds as a submodule."""
    path.unlink(missing_ok=True)
    Repo.init(path).commit({"a": "b"})


def copy_decision(team: Team) -> None:
    source = team.decisions / team.id_of("x")
    shutil.copytree(source, source.with_name("2026-01-01-copy"))


def squat(team: Team, rest: str, source: str, member: str) -> None:
    """Put another file into a place, signed by a member."""
    shutil.copyfile(place(team, source), place(team, rest))
    sign(place(team, rest), member)


def edit_policy(team: Team, *changes: tuple[str, str]) -> None:
    path = team.decisions / "policy.yaml"
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)


def commit(team: Team, message: str = "as it is") -> None:
    """What somebody commits with --no-verify."""
    team.repo.git("add", "--all")
    team.repo.git("commit", "-qm", message, "--allow-empty")
