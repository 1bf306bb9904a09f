"""A secret in evidence: taken out by the decider, in the middle of a round and after the end."""

from __future__ import annotations

from tests.e2e.team import AGREE, Team, all_agree

WITH_NOTE: list[dict[str, object]] = [
    {"id": "source", "kind": "primary", "artifact": "source.txt"},
    {"id": "note", "kind": "primary", "artifact": "note.txt"},
]
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
