"""Whole decisions, from the proposal to the end, as their users take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.team import ABSTAIN, AGREE, MAJOR, MINOR, VOTERS, Team, all_agree, make_team
from tests.support.repos import OBJECT_FORMATS, ObjectFormat


@pytest.mark.parametrize("object_format", OBJECT_FORMATS)
def test_agreement(
    object_format: ObjectFormat,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    team = make_team(tmp_path, capsys, monkeypatch, object_format)
    team.propose("x")
    assert "sealed 3 of 3 opened 3 of 3" in team.vote("x", all_agree())
    assert "PROCEED UNANIMITY_VERIFIED" in team.affirm("x")
    assert team.status_of("x") == "accepted"
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    assert "right" in team.accord("record", "x", "--check")
    assert team.accord("next") == "Nothing waits for you."


def test_a_major_objection_a_second_round_and_its_end(team: Team) -> None:
    team.propose("x")
    assert "FAIL" in team.vote("x", all_agree() | {"challenger": MAJOR})
    assert "narrow to the objective" in team.accord("revise", "x", "--brief")
    assert "--addressed" in team.accord("resolve", "x", code=2)
    assert "did not object" in team.accord("resolve", "x", "--addressed=reviewer:YAGNI=n", code=2)
    assert "no note" in team.accord("resolve", "x", "--addressed=challenger:SCOPE_CREEP", code=2)
    answer = "--addressed=challenger:SCOPE_CREEP=half of it is gone"
    team.accord("resolve", "x", answer, "--commit")
    assert "edit the text" in team.accord("revise", "x", "--commit")
    assert "is there already" in team.accord("revise", "x", code=2)
    assert "not-addressed" in team.accord("open", "x", "--commit", code=1)
    draft = team.file("x", "rounds/2/proposal.yaml")
    draft.write_text(draft.read_text().replace("Make it fast.", "Make half of it fast."))
    team.accord("open", "x", "--commit")
    team.vote("x", all_agree() | {"challenger": MAJOR | {"categories": ["MISALIGNED"]}})
    assert team.status_of("x") == "escalated"
    assert "no failed round" in team.accord("revise", "x", code=2)
    assert "no round follows round 2" in team.accord("open", "x", code=2)
    assert "withdrawn" in team.accord("withdraw", "x", "--reason=no way", "--commit").lower()
    assert "has ended" in team.accord("withdraw", "x", "--reason=again", code=2)


def test_answers_from_a_file(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": ABSTAIN, "reviewer": MAJOR})
    one = {"voter": "challenger", "disposition": "rebutted", "note": "it can be read"}
    other = {
        "voter": "reviewer",
        "category": "SCOPE_CREEP",
        "disposition": "rebutted",
        "note": "no",
    }
    short = team.write("short.json", {"answers": [one]})
    assert "reviewer SCOPE_CREEP" in team.accord("resolve", "x", "--from", str(short), code=2)
    broken = team.write("broken.json", {"answers": [{"voter": "challenger"}]})
    assert "schema-invalid" in team.accord("resolve", "x", "--from", str(broken), code=1)
    whole = team.write("whole.json", {"answers": [one, other]})
    team.accord("revise", "x", "--from", str(whole), "--commit")
    team.accord("open", "x", "--commit")
    assert "sealed 3 of 3 opened 3 of 3" in team.vote("x", all_agree())


def test_a_minor_objection_is_taken_in(team: Team) -> None:
    team.propose("x")
    assert "nothing to affirm" in team.accord("affirm", "x", "--reason=r", code=2)
    assert "no minor objection" in team.accord("amend", "x", code=2)
    assert "WAIT" in team.vote("x", all_agree() | {"reviewer": MINOR})
    assert "waits for its amendment" in team.accord("affirm", "x", "--reason=r", code=2)
    empty = team.write("empty.txt", " \n")
    assert "empty" in team.accord("amend", "x", "--text", str(empty), code=2)
    team.accord("amend", "x", "--commit")
    assert "only for open orders" in team.file("x", "rounds/1/amendment.yaml").read_text()
    assert "WAIT" in team.affirm("x", ["implementer", "reviewer"])
    assert "PROCEED" in team.affirm("x", ["challenger"])
    assert team.status_of("x") == "approved_with_amendments"


def test_a_given_text_is_the_amended_one(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"reviewer": MINOR})
    text = team.write("text.txt", "Make it fast for open orders.\n")
    team.accord("amend", "x", "--text", str(text), "--commit")
    team.affirm("x")
    assert team.status_of("x") == "approved_with_amendments"


def test_a_retraction_fails_the_round(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    refused = team.accord("affirm", "x", "--as=reviewer", "--retract", "--reason=I erred", code=1)
    assert "a retraction names a category" in refused
    retraction = ("--retract", "--reason=I erred", "--category=SECURITY_RISK", "--commit")
    assert "FAIL" in team.accord("affirm", "x", "--as=reviewer", *retraction)
    assert team.status_of("x") == "contested"
    assert "PROCEED" not in team.affirm("x", ["implementer", "challenger"])
    assert "PROCEED" in team.affirm("x", ["reviewer"])


def test_a_closed_round_takes_in_nothing_more(team: Team) -> None:
    team.propose("x")
    assert "sealed 2 of 3" in team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    closed = team.accord("close", "x", "--reason=the challenger is away", "--commit")
    assert "opened 2 of 3" in closed
    assert team.status_of("x") == "contested"
    assert "round 1 was closed already" in team.accord("close", "x", "--reason=again", code=2)
    assert "takes no votes" in team.vote("x", {"challenger": AGREE}, code=2)


def test_votes_in_the_open(team: Team) -> None:
    policy = team.decisions / "policy.yaml"
    team.repo.git("switch", "-q", "main")
    head, classes, tail = policy.read_text().partition("classes:\n  architecture:\n")
    policy.write_text(f"{head}{classes}    ballots: open\n{tail}")
    team.repo.git("commit", "-qam", "open ballots", "--amend")
    team.repo.git("switch", "-qC", "work")
    team.propose("x")
    assert "voted 2 of 3" in team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    team.vote("x", {"challenger": AGREE})
    assert team.findings("--format=json", code=0).keys() == {"saw-other-votes"}
    assert "PROCEED" in team.affirm("x")


def test_next_leads_each_member_to_the_end(team: Team) -> None:
    draft = team.write("x.json", BRIEF_TEXT)
    team.accord("propose", "x", "--class=architecture", "--from", str(draft), "--commit")
    assert "orchestrator: open the first round" in team.accord("next")
    team.accord("open", "x", "--commit")
    for voter in VOTERS:
        assert f"{voter}: vote" in team.accord("next", "--as", voter)
        team.accord(
            "vote", "x", "--as", voter, "--agree", "--rationale=ok", "--rate=strong",
            "--concern=none that blocks", "--evidence=source", "--commit",
        )  # fmt: skip
        expected = "Nothing waits" if voter != VOTERS[-1] else "affirm"
        assert expected in team.accord("next", "--as", voter)
    for voter in VOTERS:
        team.accord("affirm", "x", "--as", voter, "--reason=it stands", "--commit")
    assert team.accord("next") == "Nothing waits for you."


BRIEF_TEXT = """{
 "context": "c", "text": "t",
 "evidence": [{"id": "source", "kind": "primary", "artifact": "source.txt"}]
}"""
