"""When git refuses a commit or a push, the same command said again goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.team import AFFIRM, AGREE, BRIEF, MAJOR, MINOR, Team, all_agree
from tests.support.repos import Repo

Say = Callable[[Team], tuple[str, ...]]


def refused(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})


def amended(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MINOR})


def agreed(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())


def sealed_but_one(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"implementer": AGREE, "challenger": AGREE})


def say_propose(team: Team) -> tuple[str, ...]:
    draft = team.write("x.json", BRIEF)
    return ("propose", "x", "--class=architecture", "--from", str(draft), "--open")


def say_vote(team: Team) -> tuple[str, ...]:
    return ("vote", "x", "--as=reviewer", "--from", str(team.write("vote.json", AGREE)))


def say_votes(team: Team) -> tuple[str, ...]:
    for voter, vote in all_agree().items():
        team.write(f"votes/{voter}.json", vote)
    return ("vote", "x", "--from", str(team.folder / "votes"))


def say_affirm(team: Team) -> tuple[str, ...]:
    for voter in all_agree():
        team.write(f"affirmations/{voter}.json", AFFIRM)
    return ("affirm", "x", "--from", str(team.folder / "affirmations"))


def say(*words: str) -> Say:
    return lambda _: words


# What happened before, the command, how many commits of it git takes before it refuses one, and
# where the decision stands when all is done.
SAID: dict[str, tuple[Callable[[Team], object], Say, int, str]] = {
    "propose": (lambda _: None, say_propose, 0, "open"),
    "propose, then open": (lambda _: None, say_propose, 1, "open"),
    "open": (
        lambda t: t.accord("propose", "x", "--class=architecture", "--commit", "--from",
                           str(t.write("x.json", BRIEF))),
        say("open", "x"), 0, "open",
    ),
    "vote": (sealed_but_one, say_vote, 0, "unconverged"),
    "vote, then open": (sealed_but_one, say_vote, 1, "unconverged"),
    "votes of many": (lambda t: t.propose("x"), say_votes, 0, "unconverged"),
    "affirm": (agreed, say_affirm, 0, "accepted"),
    "amend": (amended, say("amend", "x"), 0, "amending"),
    "close": (sealed_but_one, say("close", "x", "--reason=enough"), 0, "contested"),
    "withdraw": (agreed, say("withdraw", "x", "--reason=no"), 0, "withdrawn"),
    "revise": (refused, say("revise", "x", "--rebutted=challenger:SCOPE_CREEP=no"), 0, "contested"),
    "revise, then draft": (
        refused, say("revise", "x", "--rebutted=challenger:SCOPE_CREEP=no"), 1, "contested",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_said_again_it_goes_on(name: str, team: Team) -> None:
    before, words, taken, status = SAID[name]
    before(team)
    count = team.folder / "count"
    hook = team.repo.hook("commit-msg", f'echo >> "{count}"; [ $(wc -l < "{count}") -le {taken} ]')
    said = (*words(team), "--commit")

    told = team.accord(*said, code=2)
    assert "git did not commit" in told
    assert "say the same command again" in told
    team.accord(*said, code=2)
    hook.unlink()
    team.accord(*said)

    assert team.repo.git("status", "--porcelain") == ""
    assert team.status_of("x") == status
    if name.startswith("revise"):
        assert team.file("x", "rounds/2/proposal.yaml").exists()
    assert team.findings("--range", "main..HEAD", "--branch=work", code=0) == {}
    note = Path(team.repo.git("rev-parse", "--absolute-git-dir")) / "accord" / "unfinished.json"
    assert not note.exists()


def test_a_push_that_was_refused(team: Team) -> None:
    sealed_but_one(team)
    bare = Repo.init(team.folder / "bare", "sha1", "--bare", "-b", "main")
    team.repo.git("remote", "add", "origin", str(bare.path))
    hook = bare.hook("pre-receive", "exit 1")
    said = (*say_vote(team), "--push")

    assert "git did not push" in team.accord(*said, code=2)
    hook.unlink()

    assert "pushed to origin/work" in team.accord(*said)
    assert bare.git("rev-parse", "work") == team.repo.git("rev-parse", "HEAD")


def test_a_push_with_nothing_written(team: Team) -> None:
    refused(team)

    assert "no remote" in team.accord("revise", "x", "--brief", "--push", code=2)


GENERATED = {
    "the ledger": ("ledger", "--write"),
    "the index": ("adr", "--index", "--write"),
    "the pages": ("adr", "--write"),
}


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_generated_is_committed_too(name: str, team: Team) -> None:
    agreed(team)
    team.affirm("x")
    team.file("x", "record.yaml")
    page = team.repo.path / "docs" / "decisions" / f"{team.id_of('x')}.md"
    page.write_text(page.read_text() + "another\n")
    team.repo.git("commit", "-qam", "another page")
    hook = team.repo.hook("commit-msg", "exit 1")
    said = (*GENERATED[name], "--commit")
    assert "git did not commit" in team.accord(*said, code=2)
    hook.unlink()

    team.accord(*said)

    assert team.repo.git("status", "--porcelain") == ""


def refuse_once(team: Team) -> tuple[str, ...]:
    sealed_but_one(team)
    hook = team.repo.hook("commit-msg", "exit 1")
    said = (*say_vote(team), "--commit")
    team.accord(*said, code=2)
    hook.unlink()
    return said


def test_somebody_committed_it_meanwhile(team: Team) -> None:
    said = refuse_once(team)
    team.repo.git("commit", "-qm", "by hand")

    assert "which was written before" not in team.accord(*said)
    assert team.status_of("x") == "unconverged"


ANOTHER: dict[str, Callable[[Team], object]] = {
    "another draft": lambda t: t.write("vote.json", MAJOR),
    "a draft that is gone": lambda t: (t.folder / "vote.json").unlink(),
    "what was staged is gone": lambda t: t.repo.git(
        "rm", "-q", "-f", "--cached", str(t.file("x", "rounds/1/seals/reviewer.yaml"))
    ),
    "the note is damaged": lambda t: (t.repo.path / ".git/accord/unfinished.json").write_text("{"),
    "the note is somebody else's": lambda t: (t.repo.path / ".git/accord/unfinished.json").chmod(
        0o666
    ),
}


@pytest.mark.parametrize("name", ANOTHER)
def test_something_else_is_not_taken_for_it(name: str, team: Team) -> None:
    said = refuse_once(team)
    ANOTHER[name](team)

    told = team.accord(*said, code=2)

    assert "which was written before" not in told


def test_without_commit_nothing_is_committed(team: Team) -> None:
    said = refuse_once(team)

    assert "takes no votes" in team.accord(*said[:-1], code=2)


def test_standard_input_is_read_once(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    sealed_but_one(team)
    hook = team.repo.hook("commit-msg", "exit 1")
    said = ("vote", "x", "--as=reviewer", "--from=-", "--commit")
    draft = team.write("vote.json", AGREE).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(draft)))
    team.accord(*said, code=2)
    hook.unlink()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(draft)))

    assert "takes no votes" in team.accord(*said, code=2)
