"""The change that a decision is about: kept, opened on either side, checked on its head."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.ids import digest_bytes
from accord.model.proposal import Proposal
from accord.rules.blobs import name_blob
from accord.store.parse import parse_file
from tests.e2e.escalated import make_counted_team
from tests.e2e.team import AGREE, Team, all_agree
from tests.support.repos import ObjectFormat, Repo

CHECK = {
    "name": "even",
    "argv": ["sh", "-c", "grep -q new source.txt && test ! -e stray.txt"],
    "inputs": ["source.txt"],
}


@pytest.fixture
def team(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    """A team with a branch that changes the source, and another one checked out."""
    team = make_counted_team(tmp_path, capsys, monkeypatch)
    team.repo.git("switch", "-qc", "feature", "main")
    team.repo.commit({"source.txt": "a new source\n", "added.txt": "added\n"})
    team.repo.git("switch", "-q", "work")
    return team


def entry(name: str, **fields: object) -> dict[str, object]:
    return {"id": name, "kind": "primary", "artifact": "source.txt", **fields}


def propose(team: Team, *evidence: dict[str, object], code: int = 0, **more: object) -> str:
    brief = {"context": "It is slow.", "text": "Make it fast.", "evidence": evidence, **more}
    draft = team.write("d.json", brief)
    options = ("--class=architecture", "--from", str(draft), "--diff=main..feature")
    return team.accord("propose", "x", *options, "--open", "--commit", code=code)


def read(team: Team) -> Proposal:
    data = team.file("x", "rounds/1/proposal.yaml").read_bytes()
    record = parse_file(data, "proposal.yaml", "proposal")[0]
    assert isinstance(record, Proposal)
    return record


def test_both_commits_are_kept(team: Team) -> None:
    propose(team)
    change = read(team).change
    assert change is not None
    assert change.base == team.repo.git("rev-parse", "main")
    assert change.head == team.repo.git("rev-parse", "feature")


def test_an_artifact_says_from_which_side_it_is_and_is_opened_on_any_branch(team: Team) -> None:
    added: dict[str, object] = {"id": "added", "kind": "primary", "artifact": "added.txt"}
    propose(team, entry("old"), entry("new", side="head"), added)
    old, new, more, diff = read(team).evidence
    assert [one.side for one in (old, new, more, diff)] == ["base", "head", "head", None]
    assert old.revision == team.repo.git("rev-parse", "main")
    assert new.digest == digest_bytes(b"a new source\n")
    packet = team.accord("packet", "x", "--voter=reviewer")
    assert "from the head of the change" in packet
    team.repo.git("switch", "-q", "--orphan", "elsewhere")
    for one in (old, new, more, diff):
        assert f"git cat-file blob {one.blob}" in packet
        assert digest_bytes(team.repo.git("cat-file", "blob", str(one.blob)).encode() + b"\n") == (
            one.digest
        )


def test_a_packet_has_the_commands_for_both_sides(team: Team) -> None:
    propose(team)
    packet = team.accord("packet", "x", "--voter=reviewer")
    for side, branch in (("base", "main"), ("head", "feature")):
        commit = team.repo.git("rev-parse", branch)
        command = f"git worktree add --detach ../{team.id_of('x')}-{side} {commit}"
        assert command in packet
        team.repo.git(*command.split()[1:])


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (entry("a", artifact="added.txt", side="base"), "not on the side base"),
        (entry("a", artifact="lost.txt"), "is not there"),
        (entry("a", side="base", revision="{feature}"), "not on the side base"),
        (entry("a", artifact="added.txt", revision="{main}"), "is not in the commit"),
        (entry("a", revision="0" * 40), "is not here"),
    ],
    ids=["not on that side", "nowhere", "of the other side", "not in that commit", "no commit"],
)
def test_what_a_side_does_not_have(evidence: dict[str, object], said: str, team: Team) -> None:
    revision = str(evidence.get("revision", "")).strip("{}")
    if revision in ("main", "feature"):
        evidence = {**evidence, "revision": team.repo.git("rev-parse", revision)}
    assert said in propose(team, evidence, code=2)


def test_a_side_and_a_commit_that_agree(team: Team) -> None:
    feature = team.repo.git("rev-parse", "feature")
    propose(team, entry("a", side="head", revision=feature))
    assert read(team).evidence[0].digest == digest_bytes(b"a new source\n")


def test_a_side_of_nothing_is_refused(team: Team) -> None:
    draft = team.write(
        "d.json", {"context": "c", "text": "t", "evidence": [entry("a", side="head")]}
    )
    told = team.accord("propose", "y", "--class=architecture", "--from", str(draft), code=2)
    assert "not on the side head" in told


def test_a_blob_of_other_bytes_is_refused(team: Team) -> None:
    propose(team, entry("old"))
    path = team.file("x", "rounds/1/proposal.yaml")
    wrong = name_blob(b"other\n", "0" * 40)
    for one in read(team).evidence:
        path.write_text(path.read_text().replace(str(one.blob), wrong))
    team.repo.git("add", ".")
    report = team.json("verify", "--staged", code=1)
    assert isinstance(report, dict)
    found = [one for one in report["findings"] if one["code"] == "evidence-digest-mismatch"]
    assert len(found) == 2


@pytest.mark.parametrize(("like", "name"), [("0" * 40, "sha1"), ("0" * 64, "sha256")])
def test_blobs_are_named_as_git_names_them(like: str, name: ObjectFormat, tmp_path: Any) -> None:
    repo = Repo.init(tmp_path / "repo", name)
    (repo.path / "a").write_text("a\n")
    assert name_blob(b"a\n", like) == repo.git("hash-object", "a")


def test_a_declared_check_runs_on_the_head(team: Team) -> None:
    propose(team, checks=[CHECK])
    team.vote("x", {voter: {**AGREE, "evidence": ["diff"]} for voter in all_agree()})
    (team.repo.path / "stray.txt").write_text("not of the head\n")
    told = team.accord("check", "run", "x", "even", "--as=otto")
    assert "passes" in told
    written = team.file("x", "checks/even.1.yaml").read_text()
    assert f"commit: {team.repo.git('rev-parse', 'feature')}" in written.replace('"', "")
    assert digest_bytes(b"a new source\n") in written
    assert len(team.repo.git("worktree", "list").splitlines()) == 1
    team.accord("check", "replay", "x", "even")


def test_a_check_without_inputs_finds_the_evidence_beside_the_head(team: Team) -> None:
    argv = ["sh", "-c", "grep -q 'new source' decisions/*/evidence/diff.diff"]
    propose(team, checks=[{"name": "reads", "argv": argv}])
    team.vote("x", {voter: {**AGREE, "evidence": ["diff"]} for voter in all_agree()})
    assert "passes" in team.accord("check", "run", "x", "reads", "--as=otto")


def test_a_check_that_nobody_declared_runs_here(team: Team) -> None:
    propose(team, checks=[CHECK])
    team.vote("x", {voter: {**AGREE, "evidence": ["diff"]} for voter in all_agree()})
    command = ("--input=source.txt", "--", "grep", "-q", "a source", "source.txt")
    assert "passes" in team.accord("check", "run", "x", "here", "--as=dana", *command)
