"""What was decided or failed is asked again, and what would have been (sections 7 and 10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.escalated import CHECKS, SUMMARIZED, correlated, make_counted_team
from tests.e2e.team import MAJOR, Team, all_agree


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    return make_counted_team(tmp_path, capsys, monkeypatch)


class TestDecidedAnew:
    def accept(self, team: Team, name: str, *options: str, **changes: object) -> str:
        decision = team.decide(name, *options, **changes)
        assert team.status_of(name) == "accepted"
        return decision

    NEW = {"id": "bench", "kind": "primary", "artifact": "bench.txt"}

    def propose_anew(self, team: Team, *words: str) -> None:
        (team.repo.path / "bench.txt").write_text("it is slow\n")
        evidence = [{**SUMMARIZED[0]}, self.NEW]
        brief = {"context": "It is slow.", "text": "Make it slow.", "evidence": evidence}
        draft = team.write(f"{words[-1]}.json", brief)
        team.accord(*words, "--from", str(draft), "--open", "--commit")

    def test_reopened_and_reversed(self, team: Team) -> None:
        old = self.accept(team, "old", evidence=SUMMARIZED[:1])
        self.propose_anew(team, "reopen", "old", "newer")
        assert "class: architecture" in team.file("newer", "rounds/1/proposal.yaml").read_text()
        new = team.id_of("newer")
        assert f"under redecision by {new}" in team.accord("show", "old")
        assert f"under redecision by {new}" in team.accord("status")
        team.vote("newer", all_agree())
        team.affirm("newer", evidence=["bench"])
        assert f"reversed by {new}" in team.accord("show", "old")
        shown = team.json("show", "old")
        assert isinstance(shown, dict)
        assert shown["succession"] == {"view": "reversed", "by": new}
        assert shown["status"] == "accepted"
        assert old in team.accord("show", "newer")

    def test_reopened_and_upheld(self, team: Team) -> None:
        self.accept(team, "old", evidence=SUMMARIZED[:1])
        self.propose_anew(team, "reopen", "old", "newer")
        team.accord("withdraw", "newer", "--reason=a mistake", "--commit")
        assert f"upheld by {team.id_of('newer')}" in team.accord("show", "old")

    def test_superseded(self, team: Team) -> None:
        self.accept(team, "old", evidence=SUMMARIZED[:1])
        self.propose_anew(team, "propose", "--supersedes=old", "newer")
        team.vote("newer", all_agree())
        team.affirm("newer", evidence=["bench"])
        assert f"superseded by {team.id_of('newer')}" in team.accord("show", "old")

    def test_without_new_evidence_it_is_refused(self, team: Team) -> None:
        self.accept(team, "old", evidence=SUMMARIZED[:1])
        brief = {"context": "c", "text": "t", "evidence": SUMMARIZED[:1]}
        draft = team.write("again.json", brief)
        printed = team.accord("reopen", "old", "again", "--from", str(draft), "--open", code=1)
        assert "it brings no evidence that" in printed

    def test_what_failed_is_continued(self, team: Team) -> None:
        old = team.propose("old", evidence=SUMMARIZED[:1])
        team.vote("old", all_agree() | {"challenger": MAJOR})
        team.accord("withdraw", "old", "--reason=not like this", "--commit")
        draft = {"context": "c", "text": "Make half of it fast.", "evidence": SUMMARIZED[:1]}
        source = str(team.write("new.json", draft))
        team.accord("propose", "newer", "--continues=old", "--from", source, "--open", "--commit")
        assert f"continues: {old}" in team.file("newer", "rounds/1/proposal.yaml").read_text()

    def test_a_draft_that_names_another_is_refused(self, team: Team) -> None:
        self.accept(team, "old", evidence=SUMMARIZED[:1])
        draft = team.write("new.json", {"reopens": "2026-01-01-other", "context": "c", "text": "t"})
        printed = team.accord("reopen", "old", "newer", "--from", str(draft), code=1)
        assert "reopens is '2026-01-01-other'" in printed
        assert "go together" in team.accord("reopen", "old", "newer", "--", "true", code=2)


class TestReplay:
    def test_side_by_side(self, team: Team) -> None:
        correlated(team, checks=CHECKS)
        team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        printed = team.accord("replay", "x", "--without=summary")
        assert "WHAT IF Nothing here is decided, and nothing is changed." in printed
        assert "implementer, reviewer abstain" in printed
        assert "status accepted ≠ contested" in printed
        plain = team.json("replay", "x", "--without=summary", "--accounting=collapsed")
        assert isinstance(plain, dict)
        assert plain["what_if"] is True
        assert plain["decided"]["status"] == "accepted"
        assert plain["would_have_been"]["status"] == "contested"
        assert "nothing: votes and checks alone" in team.accord("replay", "x")

    def test_by_another_policy(self, team: Team) -> None:
        correlated(team)
        policy = (team.decisions / "policy.yaml").read_text()
        laxer = team.write("laxer.yaml", policy.replace("    independence:\n      f: 1\n", ""))
        assert "status escalated ≠ accepted" in team.accord("replay", "x", "--policy", str(laxer))
        other = team.write("other.yaml", policy.replace("  architecture:", "  design:"))
        printed = team.accord("replay", "x", "--policy", str(other), code=2)
        assert "has no class architecture" in printed
        broken = team.write("broken.yaml", "format: accord/policy/1\n")
        printed = team.accord("replay", "x", "--policy", str(broken), code=1)
        assert "the policy cannot be read" in printed
