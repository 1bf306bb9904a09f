"""What the tool writes passes its own gate, is all there or not at all, and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.errors import Refused, UsageError
from accord.flow.affirm import affirm_votes
from accord.flow.cast import Answer, cast_votes
from accord.flow.drafts import DraftFile
from accord.flow.identity import find_named
from accord.flow.publish import Change, Saving, alone, publish, sign_bytes
from accord.flow.session import Session, open_session
from accord.store.git import Repository
from tests.e2e.team import AGREE, BRIEF, VOTERS, Team, all_agree
from tests.support.repos import Repo

STAGED = Saving()
AFFIRM = DraftFile(
    "affirmation.json",
    b'{"stance": "affirm", "reason": "It stands.", "commitment": "no_reversal_without_redecision"}',
)


def seal(team: Team, voter: str, *options: str, code: int = 0) -> str:
    draft = team.write(f"{voter}.json", AGREE)
    return team.accord("vote", "x", "--as", voter, "--from", str(draft), *options, code=code)


def open_here(team: Team) -> Session:
    return open_session(Repository.discover(team.repo.path))


def test_a_commit_takes_along_what_is_staged_of_its_decision(team: Team) -> None:
    draft = str(team.write("d.json", BRIEF))
    team.accord("propose", "x", "--class=architecture", "--from", draft)
    team.accord("propose", "y", "--class=architecture", "--from", draft)
    team.accord("open", "x", "--commit")
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    left = team.repo.git("status", "--short").splitlines()
    assert left
    assert all("-y/" in line for line in left)


def test_no_decision_is_committed_before_the_policy(team: Team) -> None:
    team.repo.git("update-ref", "-d", "HEAD")
    draft = str(team.write("d.json", BRIEF))
    propose = ("propose", "x", "--class=architecture", "--from", draft)
    assert "is not committed yet" in team.accord(*propose, "--commit", code=2)
    assert [path.name for path in team.decisions.iterdir()] == ["policy.yaml"]
    team.accord(*propose)
    assert "policy" in team.accord("open", "x", code=1)


def test_what_is_typed_and_not_staged_is_not_overwritten(team: Team) -> None:
    team.propose("x")
    typed = team.file("x", "rounds/1/seals") / "reviewer.yaml"
    typed.parent.mkdir()
    typed.write_text("my own notes\n")
    assert "is not staged; it would be overwritten" in seal(team, "reviewer", code=2)
    assert typed.read_text() == "my own notes\n"
    typed.unlink()
    assert "sealed 1 of 3" in seal(team, "reviewer")


def test_a_hand_written_record_is_in_the_way_and_kept(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    record = team.file("x", "record.yaml")
    record.write_text("status: accepted\n")
    affirm = [("affirm", "x", "--as", voter, "--reason=it stands") for voter in VOTERS]
    for one in affirm[:2]:
        team.accord(*one)
    assert "record.yaml is there and is not staged" in team.accord(*affirm[2], code=2)
    assert record.read_text() == "status: accepted\n"
    record.unlink()
    assert "PROCEED" in team.accord(*affirm[2])


def test_what_does_not_count_may_be_replaced(team: Team) -> None:
    team.propose("x")
    forged = team.file("x", "rounds/1") / "seals" / "reviewer.yaml"
    forged.parent.mkdir()
    forged.write_text("format: accord/seal/1\n")
    team.repo.git("add", "decisions")
    assert "sealed 1 of 3" in seal(team, "reviewer")
    assert team.findings(code=0) == {}


def test_what_cannot_be_staged_is_taken_back(team: Team) -> None:
    team.propose("x")
    lock = team.repo.path / ".git" / "index.lock"
    lock.touch()
    assert "git did not stage" in seal(team, "reviewer", code=2)
    assert not list(team.file("x", "rounds/1").rglob("reviewer*"))
    lock.unlink()
    assert team.repo.git("status", "--short") == ""
    assert "sealed 1 of 3" in seal(team, "reviewer")


def test_a_draft_that_cannot_be_staged_is_as_it_was(team: Team) -> None:
    draft = str(team.write("d.json", BRIEF))
    team.accord("propose", "x", "--class=architecture", "--from", draft, "--commit")
    path = team.file("x", "rounds/1/proposal.yaml")
    signature = path.with_name("proposal.yaml.sig")
    before = signature.read_bytes()
    path.write_text(edited := path.read_text().replace("fast", "faster"))
    (team.repo.path / ".git" / "index.lock").touch()
    team.accord("propose", team.id_of("x"), code=2)
    assert path.read_text() == edited
    assert signature.read_bytes() == before


def test_what_was_signed_is_remembered_though_the_commit_was_refused(team: Team) -> None:
    team.propose("x")
    team.repo.hook("pre-commit", "echo no commit today; exit 1")
    assert "no commit today" in seal(team, "reviewer", "--commit", code=2)
    assert "sealed" in team.accord("show", "x")
    team.repo.git("reset", "-q", "--hard")
    assert "was signed here before" in seal(team, "reviewer", code=2)


def test_a_warning_about_what_was_written_is_told(team: Team) -> None:
    page = {"id": "page", "kind": "primary", "artifact": "https://example.org/page"}
    draft = str(team.write("d.json", BRIEF | {"evidence": [page]}))
    told = team.accord("propose", "x", "--class=architecture", "--from", draft)
    assert "unpinned: decisions/" in told


def test_push_goes_to_the_remote_once_at_the_end(team: Team) -> None:
    bare = Repo.init(team.folder / "bare.git", "sha1", "--bare")
    team.repo.git("remote", "add", "origin", bare.path.as_uri())
    draft = str(team.write("d.json", BRIEF))
    team.accord("propose", "x", "--class=architecture", "--from", draft, "--open", "--push")
    assert bare.git("rev-parse", "work") == team.repo.git("rev-parse", "HEAD")
    folder = team.folder / "votes"
    for voter in VOTERS:
        team.write(f"votes/{voter}.json", AGREE)
    printed = team.accord("vote", "x", "--from", str(folder), "--push")
    assert "pushed to origin/work" in printed
    assert printed.count("pushed to") == 1
    assert bare.git("log", "--format=%s", "-2", "work").splitlines() == [
        f"{team.id_of('x')}: open the votes of challenger, implementer, reviewer",
        f"{team.id_of('x')}: seal the vote of challenger, implementer, reviewer",
    ]


def test_a_record_is_written_and_pushed(team: Team) -> None:
    bare = Repo.init(team.folder / "bare.git", "sha1", "--bare")
    team.repo.git("remote", "add", "origin", bare.path.as_uri())
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    team.repo.git("rm", "-q", str(team.file("x", "record.yaml")))
    team.repo.git("commit", "-qm", "lose the record")
    printed = team.accord("record", "x", "--write", "--push")
    commit = team.repo.git("rev-parse", "HEAD")
    assert f"record.yaml committed {commit[:12]} pushed to origin/work" in printed
    assert team.findings("--rev", "work", "--tree-only", code=0) == {}


def test_a_verb_works_on_what_is_there_when_it_writes(team: Team) -> None:
    """A session that was read before others wrote: nothing of theirs is overwritten."""
    team.propose("x")
    team.vote("x", all_agree())
    stale = open_here(team)
    answers = [Answer(find_named(stale, "reviewer"), AFFIRM)]
    affirm_votes(stale, team.id_of("x"), answers, STAGED)
    affirm_votes(stale, team.id_of("x"), answers, STAGED)
    written = sorted(path.name for path in team.file("x", "rounds/1/affirmations").iterdir())
    assert written == [f"reviewer.{n}.yaml{end}" for n in (1, 2) for end in ("", ".sig")]


def test_a_vote_that_was_cast_meanwhile_is_not_cast_again(team: Team) -> None:
    team.propose("x")
    stale = open_here(team)
    answer = Answer(find_named(stale, "reviewer"), DraftFile("v", b'{"vote": "abstain"}'))
    seal(team, "reviewer")
    with pytest.raises(UsageError, match="has voted in round 1 already"):
        cast_votes(stale, team.id_of("x"), [answer], STAGED)


def test_a_working_tree_that_cannot_be_written(team: Team) -> None:
    team.propose("x")
    blocked = Path(team.file("x", "rounds/1")) / "seals"
    blocked.symlink_to(team.folder)
    assert "is a symbolic link" in seal(team, "reviewer", code=2)
    assert not (team.folder / "reviewer.yaml").exists()
    assert team.repo.git("status", "--short").startswith("??")


def test_what_counts_is_never_replaced(team: Team) -> None:
    team.propose("x")
    ballot = f"decisions/{team.id_of('x')}/rounds/1/round.yaml"
    other = (team.repo.path / ballot).read_bytes().replace(b"round: 1", b"round: 1 ")
    with alone(open_here(team), "a test") as here:
        staged = here.repository.index()
        for files in ({ballot: other}, {ballot: staged.read(ballot) + b"\n"}):
            with pytest.raises((Refused, UsageError), match=r"never changed|refused"):
                publish(here, Change(team.id_of("x"), "a test", files), STAGED)
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}


def test_a_staged_seal_is_not_replaced_either(team: Team) -> None:
    team.propose("x")
    seal(team, "reviewer")
    path = f"decisions/{team.id_of('x')}/rounds/1/seals/reviewer.yaml"
    first = (team.repo.path / path).read_bytes()
    with alone(open_here(team), "a test") as here:
        signer = find_named(here, "reviewer")
        files = sign_bytes(first.replace(b"at: ", b"at:  "), path, signer)
        with pytest.raises(UsageError, match="what counts is never changed"):
            publish(here, Change(team.id_of("x"), "a test", files), STAGED)
    assert (team.repo.path / path).read_bytes() == first


BROKEN_POLICIES = {"unreadable": ("format: accord/policy/1\n", 3), "gone": (None, 1)}


@pytest.mark.parametrize(("policy", "code"), BROKEN_POLICIES.values(), ids=BROKEN_POLICIES)
def test_nothing_is_written_without_a_policy(policy: str | None, code: int, team: Team) -> None:
    path = team.decisions / "policy.yaml"
    team.repo.git("rm", "-q", str(path))
    if policy is not None:
        team.repo.add({"decisions/policy.yaml": policy})
    team.repo.git("commit", "-qm", "no policy")
    told = team.accord("propose", "x", "--class=architecture", code=code)
    assert ("cannot be read" if policy else "policy-removed") in told
    if policy is not None:
        assert "cannot be read" in team.accord("member", "retire", "dana", code=code)
