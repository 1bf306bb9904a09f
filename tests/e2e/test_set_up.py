"""Setting up: init, members and their keys, governance; and evidence that is gathered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.model.ids import digest_bytes
from tests.e2e.team import AGREE, BRIEF, MAJOR, VOTERS, Team, all_agree
from tests.support.keys import FixedKey
from tests.support.repos import Repo


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo.init(tmp_path / "repo", "sha1", "--initial-branch=main")
    monkeypatch.chdir(repo.path)
    return repo


INIT = ("init", "--agents=a,b,c", "--authority=o")


def test_init_in_an_empty_repository(
    empty: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty.write({".gitattributes": "*.png binary", ".pre-commit-config.yaml": "repos: []\n"})
    assert run([*INIT, "--key-dir", str(tmp_path / "keys")]) == 0
    printed = capsys.readouterr()
    assert "made a key for a" in printed.out
    assert "accord-verify" in printed.err
    attributes = (empty.path / ".gitattributes").read_text()
    assert attributes.startswith("*.png binary\n")
    assert "decisions/** -text" in attributes
    assert empty.git("config", "accord.a.key") == str(tmp_path / "keys" / "a")
    assert run(["verify", "--staged"]) == 0
    assert run([*INIT, "--generate-keys"]) == 2
    assert "already" in capsys.readouterr().err


def test_init_guards_what_judges_changes(
    empty: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*INIT, "--guard", "--key-dir", str(tmp_path / "keys")]) == 0
    policy = (empty.path / "decisions" / "policy.yaml").read_text()
    assert ".github/workflows/**" in policy
    empty.git("commit", "-qm", "policy")
    empty.commit({".github/workflows/ci.yml": "on: push\n"})
    capsys.readouterr()
    assert run(["verify"]) == 1
    printed = capsys.readouterr().out
    assert ".github/workflows/ci.yml: error[guarded-path]" in printed
    assert ": 1 error." in " ".join(printed.split())


REFUSED_INIT = {
    "nobody": (["init"], 2, "say who takes part"),
    "no keys": (INIT, 2, "no key is given for a, b, c, o"),
    "a bad name": (["init", "--agents=A", "--authority=o", "--generate-keys"], 2, "no member id"),
    "a key of nobody": ([*INIT, "--member-key=a"], 2, "names no member"),
    "no such key": ([*INIT, "--member-key=a=nowhere"], 2, "cannot be read"),
    "one voter": (
        ["init", "--agents=a", "--authority=o", "--key-dir=../keys"],
        1,
        "policy-invalid",
    ),
}


@pytest.mark.parametrize(("arguments", "code", "said"), REFUSED_INIT.values(), ids=REFUSED_INIT)
def test_init_refuses(
    arguments: list[str], code: int, said: str, empty: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(list(arguments)) == code
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert not (empty.path / "decisions").exists()
    assert list(empty.path.parent.glob("keys/*")) == []


def test_init_in_a_bare_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(Repo.init(tmp_path / "bare", "sha1", "--bare").path)
    assert run([*INIT, "--generate-keys"]) == 2
    assert "bare repository" in capsys.readouterr().err


def test_members_change_by_governance(team: Team) -> None:
    key = FixedKey("newcomer").write(team.folder / "keys")
    assert "policy-2" in team.accord("member", "add", "newcomer", "--key", f"{key}.pub")
    policy = (team.decisions / "policy.yaml").read_bytes()
    assert b"serial: 2" in policy
    assert "policy-change-unapproved" in team.findings()
    enacts = [{"path": "decisions/policy.yaml", "digest": digest_bytes(policy)}]
    team.repo.git("restore", "--staged", "--worktree", "decisions/policy.yaml")
    team.propose("policy-2", "--class=governance", enacts=enacts)
    team.vote("policy-2", all_agree())
    team.affirm("policy-2")
    (team.decisions / "policy.yaml").write_bytes(policy)
    team.repo.git("add", "decisions")
    assert team.findings(code=0) == {}
    (team.decisions / "policy.yaml").write_bytes(policy.replace(b"bug fixes", b"anything"))
    team.repo.git("add", "decisions")
    assert "policy-change-unapproved" in team.findings()


def test_members_of_the_first_policy(team: Team) -> None:
    team.repo.git("update-ref", "-d", "HEAD")
    line = FixedKey("second").line
    assert "first policy" in team.accord("member", "rotate", "reviewer", "--key", line)
    assert "has this key" in team.accord("member", "rotate", "reviewer", "--key", line, code=2)
    assert "no member" in team.accord("member", "rotate", "nobody", "--key", line, code=2)
    assert "a member already" in team.accord("member", "add", "reviewer", "--key", line, code=2)
    assert "no member id" in team.accord("member", "add", "No", "--key", line, code=2)
    assert "same key" in team.accord("member", "add", "twin", "--key", line, code=1)
    third = FixedKey("third").line
    added = ("member", "add", "aid", "--kind=human", "--role=authority", "--key", third)
    team.accord(*added)
    assert "would contradict" in team.accord("member", "retire", "challenger", code=1)
    team.accord("member", "retire", "orchestrator")
    listed = team.accord("member", "list")
    assert "1 valid of 2 keys" in listed
    assert "orchestrator agent voter 0 valid of 1 keys" in listed
    members = team.json("member", "list")
    assert isinstance(members, list)
    assert {member["id"] for member in members} == {*VOTERS, "orchestrator", "dana", "aid"}
    assert 'aid namespaces="accord" ssh-ed25519' in team.accord(
        "member", "list", "--format=allowed-signers"
    )


def test_a_member_with_an_account(team: Team) -> None:
    team.repo.git("update-ref", "-d", "HEAD")
    account = ("--identity=dave@example.org", "--issuer=https://accounts.example.org")
    team.accord("member", "add", "dave", "--kind=human", *account)
    assert "has this key" in team.accord("member", "rotate", "dave", *account, code=2)
    team.accord("member", "rotate", "reviewer", "--identity=r@example.org", account[1])
    policy = (team.decisions / "policy.yaml").read_text()
    assert "identity: dave@example.org" in policy
    assert "1 valid of 2 keys" in team.accord("member", "list")
    for wrong in ((), account[:1], (*account, "--key=x")):
        told = team.accord("member", "add", "eve", *wrong, code=2)
        assert "name a key, or an identity and its issuer" in told


def test_evidence_is_gathered_and_pinned(team: Team) -> None:
    team.repo.commit({"source.txt": "changed\n"})
    draft = team.write("d.json", BRIEF)
    team.accord(
        "propose", "x", "--class=architecture", "--from", str(draft), "--diff=main..work",
        "--diff=main..HEAD", "--output", "--commit", "--", "git", "--version",
    )  # fmt: skip
    text = team.file("x", "rounds/1/proposal.yaml").read_text()
    for name in ("diff.diff", "diff-2.diff", "output.txt", "source-source.txt"):
        assert f"evidence/{name}" in text
        assert team.file("x", f"evidence/{name}").is_file()
    assert "exit code 0" in team.file("x", "evidence/output.txt").read_text()


REFUSED_PROPOSALS = {
    "no such class": (BRIEF, ["--class=none"], 2, "the classes are architecture: Tech stack"),
    "no class": (BRIEF, [], 1, "class is missing"),
    "no draft": (None, ["--from=nowhere.json"], 2, "cannot be read"),
    "no text": ({"context": "c"}, ["--class=architecture"], 1, "text is missing"),
    "another proposer": (BRIEF | {"proposer": "dana"}, ["--class=architecture"], 1, "another one"),
    "no such file": (
        BRIEF | {"evidence": [{"id": "a", "kind": "primary", "artifact": "gone.txt"}]},
        ["--class=architecture"],
        2,
        "gone.txt is not there",
    ),
    "a path that leads away": (
        BRIEF | {"evidence": [{"id": "a", "kind": "primary", "artifact": "../x"}]},
        ["--class=architecture"],
        2,
        "no path inside",
    ),
    "no such commit": (
        BRIEF
        | {"evidence": [{"id": "a", "kind": "primary", "artifact": "a", "revision": "0" * 40}]},
        ["--class=architecture"],
        2,
        "is not here",
    ),
    "no range": (BRIEF, ["--class=architecture", "--diff=main"], 2, "is no range"),
    "an empty diff": (BRIEF, ["--class=architecture", "--diff=main..main"], 2, "is empty"),
    "no such command": (
        BRIEF,
        ["--class=architecture", "--output", "--", "no-such-command"],
        2,
        "cannot be run",
    ),
    "a command without --output": (BRIEF, ["--class=architecture", "ls"], 2, "go together"),
}


@pytest.mark.parametrize(
    ("draft", "options", "code", "said"), REFUSED_PROPOSALS.values(), ids=REFUSED_PROPOSALS
)
def test_propose_refuses(
    draft: object, options: list[str], code: int, said: str, team: Team
) -> None:
    given = ["--from", str(team.write("d.json", draft))] if draft else []
    assert said in team.accord("propose", "x", *given, *options, code=code)
    assert [path.name for path in team.decisions.iterdir()] == ["policy.yaml"]


def test_a_name_is_taken_once(team: Team) -> None:
    team.propose("some-name")
    draft = str(team.write("d.json", BRIEF))
    taken = ("propose", "some_name", "--class=architecture", "--from", draft)
    assert "a decision" in team.accord(*taken, code=2)
    assert "gives no id" in team.accord("propose", "???", "--class=architecture", code=2)


def test_an_edited_draft_is_signed_again(team: Team) -> None:
    draft = str(team.write("d.json", BRIEF))
    team.accord("propose", "x", "--class=architecture", "--from", draft, "--commit")
    path = team.file("x", "rounds/1/proposal.yaml")
    path.write_text(path.read_text().replace("fast", "faster"))
    team.accord("propose", team.id_of("x"), "--commit")
    path.write_text(path.read_text().replace("faster", "fastest"))
    team.repo.git("add", "decisions")
    team.accord("open", "x", "--commit")
    assert team.status_of("x") == "open"


def test_a_draft_is_signed_by_its_proposer_alone(team: Team) -> None:
    draft = str(team.write("d.json", BRIEF))
    by_dana = ("--as=dana", "--commit")
    team.accord("propose", "x", "--class=architecture", "--from", draft, *by_dana)
    team.repo.git("config", "--unset", "accord.dana.key")
    path = team.file("x", "rounds/1/proposal.yaml")
    good = path.read_text()
    path.write_text(good.replace("fast", "faster"))
    assert "edited after dana signed it" in team.accord("open", "x", code=2)
    path.write_text("format: accord/proposal/1\n")
    assert "schema-invalid" in team.accord("open", "x", code=1)
    path.write_text(good)
    team.accord("open", "x", "--commit")


REFUSED_ROSTERS = {
    "a stranger": (["stranger"], 2, "no member"),
    "too few": (["challenger", "reviewer"], 1, "voter-count"),
    "no challenger": (["implementer", "reviewer", "dana"], 1, "challenger-missing"),
    "not eligible": (["challenger", "reviewer", "dana"], 1, "voter-not-eligible"),
    "the opener": (["challenger", "reviewer", "orchestrator"], 1, "opener-votes"),
}


@pytest.mark.parametrize(("voters", "code", "said"), REFUSED_ROSTERS.values(), ids=REFUSED_ROSTERS)
def test_open_refuses(voters: list[str], code: int, said: str, team: Team) -> None:
    draft = str(team.write("d.json", BRIEF))
    team.accord("propose", "x", "--class=architecture", "--from", draft, "--commit")
    options = [f"--voter={voter}" for voter in voters]
    assert said in team.accord("open", "x", *options, "--commit", code=code)
    assert team.status_of("x") == "draft"
    assert "signer-lacks-role" in team.accord("open", "x", "--as=reviewer", code=1)


REFUSED_VOTES = {
    "incomplete": ({"vote": "agree"}, 1, "rationale is empty"),
    "a blocking concern": (
        AGREE | {"concerns": [{"text": "no", "blocking": True}]},
        1,
        "blocking-concern-under-agree",
    ),
    "a silent challenger": (AGREE | {"concerns": []}, 1, "challenger-silent"),
    "an unknown category": (MAJOR | {"categories": ["UGLY"]}, 1, "unknown-category"),
    "an unknown id": (AGREE | {"evidence": ["nowhere"]}, 1, "the manifest has no entry nowhere"),
    "another ballot": (AGREE | {"ballot": "sha256:" + "0" * 64}, 1, "ballot-mismatch"),
    "another round": (AGREE | {"round": 7}, 1, "ballot-mismatch"),
    "a wrong type": (AGREE | {"vote": "maybe"}, 1, "votes.json:1:"),
    "an unknown key": (AGREE | {"created_at": "x"}, 1, "Did you mean cast_at?"),
}


@pytest.mark.parametrize(("vote", "code", "said"), REFUSED_VOTES.values(), ids=REFUSED_VOTES)
def test_vote_refuses(vote: object, code: int, said: str, team: Team) -> None:
    team.propose("x")
    draft = str(team.write("votes.json", vote))
    printed = team.accord("vote", "x", "--as=challenger", "--from", draft, code=code)
    assert said in printed
    assert not team.file("x", "rounds/1/seals").exists()


def test_who_votes_and_when(team: Team) -> None:
    team.propose("x")
    agree = str(team.write("v.json", AGREE))
    assert "not on the roster" in team.accord("vote", "x", "--as=dana", "--from", agree, code=2)
    assert "--as MEMBER" in team.accord("vote", "x", "--from", agree, code=2)
    both = ("vote", "x", "--as=reviewer", "--from", agree, "--agree")
    assert "exclude each other" in team.accord(*both, code=2)
    assert "answer with" in team.accord("vote", "x", "--as=reviewer", code=2)
    team.accord("vote", "x", "--as=reviewer", "--from", agree)
    assert "has voted" in team.accord("vote", "x", "--as=reviewer", "--from", agree, code=2)
    assert "all seals are in" in team.accord("reveal", "x", "--as=reviewer", code=2)
    empty = team.folder / "none"
    empty.mkdir()
    assert "holds no drafts" in team.accord("vote", "x", "--from", str(empty), code=2)
    twice = team.folder / "twice"
    for name in ("challenger.json", "challenger.yaml"):
        team.write(f"twice/{name}", AGREE)
    assert "two drafts" in team.accord("vote", "x", "--from", str(twice), code=2)
    assert "holds no drafts" not in team.vote("x", {"implementer": AGREE, "challenger": AGREE})
    assert "unanimous" in str(team.json("show", "x"))


def test_a_lost_sealed_vote_is_told(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    kept = next(Path(os.environ["XDG_STATE_HOME"]).rglob("reviewer.*.yaml"))
    kept.unlink()
    assert "sealed 3 of 3 opened 2 of 3" in team.vote("x", {"challenger": AGREE})
    assert "is not here" in team.accord("reveal", "x", "--as=reviewer", code=2)
    assert "no sealed vote" in team.accord("reveal", "x", "--as=challenger", code=2)


def test_a_vote_that_is_kept_elsewhere_is_opened_from_there(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    keep = str(team.folder / "kept")
    assert "opened 1 of 3" in team.vote("x", {"challenger": AGREE}, "--keep", keep)
    assert "is not here" in team.accord("reveal", "x", "--keep", keep, code=2)
    assert "opened 3 of 3" in team.accord("reveal", "x", "--commit")


def test_a_member_without_a_key_here(team: Team) -> None:
    team.propose("x")
    for voter in VOTERS:
        team.repo.git("config", "--unset", f"accord.{voter}.key")
    agree = str(team.write("v.json", AGREE))
    assert "git config accord." in team.accord("vote", "x", "--from", agree, code=2)
    assert "no key of reviewer" in team.accord(
        "vote", "x", "--as=reviewer", "--from", agree, code=2
    )
    assert "is no member" in team.accord("vote", "x", "--as=stranger", "--from", agree, code=2)
    key = str(team.folder / "keys" / "reviewer")
    assert "sealed 1 of 3" in team.accord("vote", "x", "--key", key, "--from", agree)


DEMOS = {
    "sandbox": ("record-early", "1 ended: 1 accepted"),
    "index": (
        "they stand on 2 independent paths to",
        "SCAN orders",
        "check plan FAILS: exit code 1",
        "FAIL Rejected by ruling.",
        "verdict CORRELATED_QUORUM ≠ NO_QUORUM",
        "SEARCH orders USING INDEX orders_closed_customer_id",
        "the check plan settles it",
        "2 ended: 1 rejected and 1 accepted",
    ),
}


@pytest.mark.parametrize(
    "story",
    [pytest.param(story, marks=pytest.mark.slow if story == "index" else ()) for story in DEMOS],
)
def test_the_demo_runs(tmp_path: Path, story: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "accord", "demo", story],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert [part for part in DEMOS[story] if part not in told] == []
    assert list(tmp_path.iterdir()) == []


def test_json_shapes(team: Team) -> None:
    team.propose("x")
    status = team.json("status")
    assert isinstance(status, list)
    assert status[0].keys() == {
        "id", "title", "class", "round", "status", "verdict", "waiting_for",
        "succession", "ruled_over",
    }  # fmt: skip
    assert status[0]["waiting_for"][0].keys() == {"member", "action", "command"}
    report = team.json("verify")
    assert isinstance(report, dict)
    assert report["checked"].keys() == {
        "tree", "base", "files", "guarded", "decisions", "why_nothing",
    }  # fmt: skip
    assert report["decisions"] == [{"id": team.id_of("x"), "status": "open", "verdict": None}]


def test_json_keys_are_those_of_the_page(team: Team) -> None:
    team.propose("x")
    page = (Path(__file__).parents[2] / "docs" / "json-output.md").read_text()
    report, shown, status = team.json("verify"), team.json("show", "x"), team.json("status")
    assert isinstance(report, dict)
    assert isinstance(shown, dict)
    assert isinstance(status, list)
    gate = shown["gates"][0]
    for key in {*report, *report["checked"], *shown, *gate, *shown["directive"], *status[0]}:
        assert f"`{key}`" in page, key


JSON_LISTS = {
    "log": ("log", "x"),
    "packet": ("packet", "x", "--all"),
    "member list": ("member", "list"),
    "doctor": ("doctor",),
}


@pytest.mark.parametrize("verb", JSON_LISTS)
def test_a_json_list_has_the_keys_of_its_section(verb: str, team: Team) -> None:
    team.propose("x")
    page = (Path(__file__).parents[2] / "docs" / "json-output.md").read_text()
    (section,) = (one for one in page.split("\n## ") if one.startswith(f"`accord {verb}"))
    shown = team.json(*JSON_LISTS[verb])
    assert isinstance(shown, list)
    assert [key for key in shown[0] if f"`{key}`" not in section] == []


def test_drafts_name_a_schema_that_can_be_written(team: Team) -> None:
    team.accord("schema", "--write", str(team.repo.path / ".accord"))
    draft = team.write("d.json", BRIEF)
    team.accord("propose", "x", "--class=architecture", "--from", str(draft))
    for path in (team.decisions / "policy.yaml", team.file("x", "rounds/1/proposal.yaml")):
        first = path.read_text().partition("\n")[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert (path.parent / named).resolve().is_file(), first


def test_the_doctor_warns_of_votes_that_still_wait(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    assert "sealed vote of reviewer in round 1" in team.accord("doctor")
    team.vote("x", {"challenger": AGREE})
    assert "sealed vote of" not in team.accord("doctor")
