"""A secret in evidence: taken out by the decider, in the middle of a round and after the end."""

from __future__ import annotations

import pytest

from accord.store.git import Repository
from accord.verify.received import Push, Update
from tests.e2e.team import AGREE, BRIEF, Team, all_agree
from tests.support.repos import Repo

WITH_NOTE: list[dict[str, object]] = [
    {"id": "source", "kind": "primary", "artifact": "source.txt"},
    {"id": "note", "kind": "primary", "artifact": "note.txt"},
]
TOKEN = "ghp_" + "aZ3kQ9xW1vB7nM5cR2tY8uJ4hG6fD0sLpEoI"
READ = {voter: {**AGREE, "evidence": ["source", "note"]} for voter in all_agree()}


def propose(team: Team) -> None:
    (team.repo.path / "note.txt").write_text("a person's name")
    team.propose("x", evidence=WITH_NOTE)
    (team.repo.path / "note.txt").unlink()


def redact(team: Team, code: int = 0) -> str:
    return team.accord("redact", "x", "note", "--reason=a name", "--commit", code=code)


def test_evidence_is_taken_out_after_the_end(team: Team) -> None:
    propose(team)
    team.vote("x", READ)
    team.affirm("x")
    team.repo.git("branch", "-f", "main", "work")
    record = team.file("x", "record.yaml").read_bytes()
    page = (team.repo.path / f"docs/decisions/{team.id_of('x')}.md").read_bytes()

    said = redact(team)

    assert "removed decisions/" in said
    assert "git filter-repo" in said
    assert not team.file("x", "evidence/note-note.txt").exists()
    assert team.file("x", "record.yaml").read_bytes() == record
    assert (team.repo.path / f"docs/decisions/{team.id_of('x')}.md").read_bytes() == page
    found = team.findings("--range", "main..HEAD", "--branch=main", code=0)
    assert list(found) == ["evidence-redacted"]
    assert team.status_of("x") == "accepted"
    assert "redacted decisions/" in team.accord("log", "x")


def test_who_read_it_before_goes_on_in_the_middle_of_a_round(team: Team) -> None:
    propose(team)
    team.vote("x", READ)
    waits = team.status_of("x")
    redact(team)
    assert team.status_of("x") == waits
    team.affirm("x")
    assert team.status_of("x") == "accepted"
    assert set(team.findings("--range", "main..HEAD", "--branch=main", code=0)) == {
        "evidence-redacted"
    }


def test_a_vote_may_cite_what_was_taken_out(team: Team) -> None:
    propose(team)
    redact(team)
    team.vote("x", READ)
    team.affirm("x")
    assert team.status_of("x") == "accepted"


def test_others_take_nothing_out(team: Team) -> None:
    propose(team)
    for member in ("reviewer", "orchestrator"):
        said = team.accord(
            "redact", "x", "note", "--reason=no", f"--as={member}", "--commit", code=1
        )
        assert "signer-lacks-role" in said
        assert "Only dana can sign it." in said
    assert team.file("x", "evidence/note-note.txt").exists()
    assert team.repo.git("status", "--short") == ""


def test_what_is_named_must_be_own_evidence(team: Team) -> None:
    propose(team)
    for name in ("source", "rounds/1/proposal.yaml", "nothing"):
        said = team.accord("redact", "x", name, "--reason=no", code=2)
        assert "its files there are note-note.txt" in said


def test_a_draft_is_edited_instead(team: Team) -> None:
    (team.repo.path / "note.txt").write_text("a person's name")
    draft = team.write("x.json", BRIEF | {"evidence": WITH_NOTE})
    team.accord("propose", "x", "--class=architecture", "--from", str(draft), "--commit")
    said = redact(team, code=2)
    assert "is not frozen" in said


def test_it_is_done_once(team: Team) -> None:
    propose(team)
    redact(team)
    assert "is redacted already" in redact(team, code=2)


def test_the_same_bytes_elsewhere_are_named(team: Team) -> None:
    propose(team)
    team.repo.commit({"copy.txt": "a person's name"})
    assert "the same bytes still stand at copy.txt" in redact(team)


def test_what_was_deleted_before_is_redacted_afterwards(team: Team) -> None:
    """Somebody deleted it in haste; the decider makes it right, in one commit with that."""
    propose(team)
    team.repo.git("rm", "-q", str(team.file("x", "evidence/note-note.txt")))
    assert team.findings("--staged")["signed-file-deleted"].endswith("note-note.txt")
    redact(team)
    assert set(team.findings("--range", "HEAD^..HEAD", code=0)) == {"evidence-redacted"}


def test_what_was_deleted_in_a_commit_before_keeps_its_digest(team: Team) -> None:
    propose(team)
    team.repo.git("rm", "-q", str(team.file("x", "evidence/note-note.txt")))
    team.repo.git("commit", "-qm", "gone")
    redact(team)
    assert set(team.findings("--range", "HEAD^..HEAD", code=0)) == {"evidence-redacted"}


def test_a_tree_alone_verifies(team: Team) -> None:
    propose(team)
    team.vote("x", READ)
    team.affirm("x")
    redact(team)
    found = team.findings("--rev", "HEAD", "--tree-only", code=0)
    assert set(found) == {"evidence-redacted"}


def test_evidence_with_a_token_is_not_proposed(team: Team) -> None:
    (team.repo.path / "note.txt").write_text(f"one\ntwo {TOKEN}\n")
    draft = team.write("x.json", BRIEF | {"evidence": WITH_NOTE})
    command = ("propose", "x", "--class=architecture", "--from", str(draft), "--commit")
    said = team.accord(*command, code=2)
    assert "evidence/note-note.txt:2: GitHub Token" in said
    assert TOKEN not in said
    assert list(team.decisions.glob("2*")) == []

    said = team.accord(*command, "--allow-secret-like", "evidence/note-note.txt:2")
    assert "written although it looks like a secret" in said
    message = team.repo.git("log", "-1", "--format=%(trailers:key=Allowed-Secret-Like)")
    assert message.rstrip().endswith("evidence/note-note.txt:2: GitHub Token")


def test_neither_is_a_text_nor_an_output(team: Team) -> None:
    draft = team.write("x.json", BRIEF | {"text": f"Use {TOKEN}."})
    command = ("propose", "x", "--class=architecture", "--from", str(draft))
    assert "GitHub Token, in text" in team.accord(*command, code=2)
    draft = team.write("x.json", BRIEF)
    said = team.accord(*command, "--output", "--", "echo", TOKEN, code=2)
    assert "evidence/output.txt:1: GitHub Token" in said


def test_a_vote_with_a_token_is_not_sealed(team: Team) -> None:
    team.propose("x")
    votes = all_agree() | {"reviewer": {**AGREE, "rationale": f"It works with {TOKEN}."}}
    said = team.vote("x", votes, code=2)
    assert "votes/reviewer.yaml:" in said
    assert "GitHub Token, in rationale" in said
    said = team.vote("x", votes, "--allow-secret-like=votes/reviewer.yaml")
    assert "written although" in said
    assert "opened 3 of 3" in said
    assert "Allowed-Secret-Like" in team.repo.git("log", "-2", "--format=%b")


def test_no_answer_carries_one(team: Team) -> None:
    team.propose("x")
    said = team.accord("close", "x", f"--reason=look at {TOKEN}", code=2)
    assert "close.yaml:" in said
    assert TOKEN not in said


def test_a_packet_does_not_send_anybody_to_it(team: Team) -> None:
    propose(team)
    note = "Its bytes were taken out"
    assert note not in team.accord("packet", "x", "--voter=reviewer")
    redact(team)
    assert note in team.accord("packet", "x", "--voter=reviewer")
    team.vote("x", READ)
    assert note in team.accord("packet", "x", "--voter=reviewer")


def test_a_purged_history_verifies(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """All commits are made anew without the bytes, as `git filter-repo` does it."""
    monkeypatch.setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")
    propose(team)
    team.vote("x", READ)
    team.affirm("x")
    git = team.repo.git
    git("switch", "-q", "main")
    git("merge", "-q", "--no-ff", "-m", "x", "work")
    git("switch", "-qc", "later")
    redact(team)
    git("switch", "-q", "main")
    git("merge", "-q", "--ff-only", "later")
    gone = f"decisions/{team.id_of('x')}/evidence/note-note.txt"
    bare = Repo.init(team.folder / "bare", "sha1", "--bare", "-b", "main")
    git("push", "-q", str(bare.path), "main:main")
    git("branch", "-D", "work", "later")
    git("filter-branch", "-f", "--index-filter", f"git rm -q --cached --ignore-unmatch {gone}")
    git("update-ref", "-d", "refs/original/refs/heads/main")
    assert git("log", "--format=%h", "--", gone) == ""
    found = team.findings("--history", "--branch=main", code=0)
    assert set(found) == {"evidence-redacted"}
    git("push", "-q", "--force", str(bare.path), "main:refs/heads/new")
    server, (old, new) = (
        Repository.discover(bare.path),
        bare.git("rev-parse", "main", "new").split(),
    )
    report = Push(server, [Update("refs/heads/main", old, new)]).judge(
        Update("refs/heads/main", old, new)
    )
    assert report.findings == ()
    root = git("rev-list", "--max-parents=0", "main")
    found = team.findings("--range", f"{root}..main", "--branch=main", code=0)
    assert set(found) == {"evidence-redacted"}
