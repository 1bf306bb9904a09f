"""What looks like an attack and changes nothing: it may stand there, or it is overcome."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.corpus import forge_look
from tests.attacks.forge import CHALLENGE, R1, commit, place
from tests.attacks.places import PLACES, Scene
from tests.attacks.starts import begin
from tests.e2e.team import AGREE, MAJOR, Team, all_agree

Begin = Callable[[str], Team]


@pytest.fixture
def start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Begin:
    return lambda name: begin(name, tmp_path, capsys, monkeypatch)


def judge(team: Team, since: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    scene = Scene(team, since, monkeypatch)
    return {place: ask(scene) for place, ask in PLACES.items()}


def test_attributes_that_change_bytes_on_checkout(
    start: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trees are judged, and in a tree no attribute has changed anything."""
    team = start("an accepted decision")
    since = team.repo.git("rev-parse", "HEAD")
    attributes = "decisions/** text eol=crlf\n*.yaml working-tree-encoding=UTF-16\n"
    (team.repo.path / ".gitattributes").write_text(attributes)
    team.repo.git("add", ".gitattributes")
    team.repo.git("commit", "-qm", "odd attributes")
    assert set.union(*judge(team, since, monkeypatch).values()) == set()
    assert team.status_of("x") == "accepted"


def test_a_replaced_blob(start: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    team = start("a refused round")
    since = team.repo.git("rev-parse", "HEAD")
    path = f"decisions/{team.id_of('x')}/{CHALLENGE}"
    old = team.repo.git("rev-parse", f"HEAD:{path}")
    text = place(team, CHALLENGE).read_text().replace("vote: disagree", "vote: agree")
    team.repo.git("replace", old, team.repo.blob(text.encode()))
    told = judge(team, since, monkeypatch)
    assert set.union(*told.values()) == {"undecided-on-protected-branch"}
    assert team.status_of("x") == "contested"


def test_garbage_in_the_place_of_a_seal_gives_way(
    start: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may push a branch squats there; the voter writes over it, and all is well."""
    team = start("an open round")
    seal = place(team, f"{R1}/round.yaml").parent / "seals" / "challenger.yaml"
    seal.parent.mkdir()
    seal.write_text("this is no seal\n")
    commit(team, "squatting")
    since = team.repo.git("rev-parse", "HEAD")
    seal.unlink()
    commit(team, "away with it")
    team.vote("x", {"challenger": MAJOR, "reviewer": AGREE, "implementer": AGREE})
    told = judge(team, since, monkeypatch)
    # Who landed the garbage on main, by itself, is told by the history for ever.
    assert told.pop("history") == {"schema-invalid", "undecided-on-protected-branch"}
    assert set.union(*told.values()) == {"undecided-on-protected-branch"}


def test_a_late_second_look(start: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has ended takes in a second look, and stays what it is."""
    team = start("an accepted decision on main")
    since = team.repo.git("rev-parse", "HEAD")
    record = place(team, "record.yaml").read_bytes()
    forge_look("dana")(team)
    commit(team, "a second look")
    told = judge(team, since, monkeypatch)
    assert set.union(*told.values()) <= {"rederivation-not-independent"}
    assert team.status_of("x") == "accepted"
    assert place(team, "record.yaml").read_bytes() == record


def test_no_command_of_the_tree_is_run(
    start: Begin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither filters, nor hooks, nor fsmonitor, nor what else a tree or its settings may name."""
    team = start("an accepted decision")
    since = team.repo.git("rev-parse", "HEAD")
    mark = tmp_path / "was-run"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    evil.chmod(0o755)
    (team.repo.path / ".gitattributes").write_text("* filter=evil diff=evil\n")
    (team.repo.path / "accord.py").write_text(f"open({str(mark)!r}, 'w')\n")
    shutil.copy(evil, team.repo.path / "git")
    team.repo.git("add", "--all")
    team.repo.git("commit", "-qm", "traps")
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "core.fsmonitor"):
        team.repo.git("config", key, str(evil))
    scene = Scene(team, since, monkeypatch)
    mark.unlink(missing_ok=True)
    for ask in (PLACES["range"], PLACES["history"], PLACES["ci"]):
        assert ask(scene) == set()
        assert not mark.exists()


def test_a_late_vote_that_is_merged_after_the_close(
    start: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept, answered and not counted, in whatever order the commits came."""
    team = start("a closed round, and a late refusal elsewhere")
    since = team.repo.git("rev-parse", "HEAD")
    team.repo.git("merge", "-q", "--no-edit", "late")
    team.accord("resolve", "x", "--rebutted", "extra:SCOPE_CREEP=no", "--commit")
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", "--commit")
    team.vote("x", all_agree() | {"extra": AGREE})
    team.affirm("x", ["challenger", "extra", "implementer", "reviewer"])
    assert team.status_of("x") == "accepted"
    told = judge(team, since, monkeypatch)
    assert set.union(*told.values()) <= {"late-vote", "saw-other-votes"}


def test_a_late_vote_that_is_merged_after_the_next_ballot(
    start: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who dissents late is on the roster of the next round, so nothing is lost."""
    team = start("a closed round, and a late refusal elsewhere")
    since = team.repo.git("rev-parse", "HEAD")
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", "--commit")
    team.repo.git("merge", "-q", "--no-edit", "late")
    team.vote("x", all_agree() | {"extra": AGREE})
    team.affirm("x", ["challenger", "extra", "implementer", "reviewer"])
    assert team.status_of("x") == "accepted"
    told = judge(team, since, monkeypatch)
    assert set.union(*told.values()) <= {"late-vote", "saw-other-votes"}
