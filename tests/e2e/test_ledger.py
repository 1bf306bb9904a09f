"""The ledger of a repository: the same for everybody who has the tree, kept and checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.model.ids import digest_bytes
from accord.model.paths import LEDGER
from tests.e2e.team import BRIEF, MAJOR, VOTERS, Team, all_agree, copy_team, make_team
from tests.support.chain import find_breaks, read_lines
from tests.support.once import make_once
from tests.support.repos import Repo
from tests.support.tables import table

PLACE = Path(LEDGER)


def take(team: Team, name: str, branch: str) -> None:
    """Take a decision on a branch of its own, from main."""
    team.repo.git("switch", "-qc", branch, "main")
    team.decide(name, text=f"Make {name} fast.")


def ledger(team: Team) -> bytes:
    """What `accord ledger` prints."""
    team.capture.readouterr()
    assert run(["ledger"]) == 0
    return team.capture.readouterr().out.encode()


def merge(team: Team, start: str, *branches: str) -> str:
    """Merge branches in an order, on top of a commit; the tree that comes out."""
    team.repo.git("switch", "-q", "--detach", start)
    for branch in branches:
        team.repo.git("merge", "-q", "--no-ff", "-m", f"merge {branch}", branch)
    return team.repo.git("rev-parse", "HEAD^{tree}")


@pytest.fixture
def kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    """Two accepted decisions on main, and their ledger: built once, and a copy each."""

    def build(made: Path) -> None:
        first = make_team(made, capsys, monkeypatch)
        take(first, "x", "one")
        take(first, "y", "two")
        merge(first, "main", "one", "two")
        first.repo.git("switch", "-qC", "main")
        assert "committed" in first.accord("ledger", "--write", "--commit")

    return copy_team(make_once("ledger", build), tmp_path, capsys, monkeypatch)


def test_branches_merge_in_either_order_and_give_one_ledger(team: Team) -> None:
    take(team, "y", "two")
    take(team, "x", "one")
    assert LEDGER not in team.repo.git("ls-tree", "-r", "--name-only", "one")

    one_tree = merge(team, "main", "one", "two")
    one = ledger(team)
    other_tree = merge(team, "main", "two", "one")
    other = ledger(team)

    assert one_tree == other_tree
    assert one == other
    decisions = [line["decision"] for line in read_lines(one)]
    assert decisions == sorted([team.id_of("x"), team.id_of("y")] * 4)
    assert find_breaks(one) == []


def test_decisions_merge_onto_a_ledger_that_is_kept(kept: Team) -> None:
    take(kept, "v", "three")
    take(kept, "w", "four")
    one = merge(kept, "main", "three", "four")
    first = ledger(kept)
    assert one == merge(kept, "main", "four", "three")
    assert ledger(kept) == first
    assert "ledger-stale" in kept.accord("ledger", "--check", code=1)
    assert "wrote" in kept.accord("ledger", "--write")
    assert (kept.repo.path / PLACE).read_bytes() == first


def test_clones_and_bare_repositories_give_the_same_bytes(
    kept: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = (kept.repo.path / PLACE).read_bytes()
    assert ledger(kept) == expected
    for options in ((), ("--bare",), ("--depth=1",)):
        clone = Repo.clone(kept.repo, kept.folder / f"clone{len(options)}{options}", *options)
        monkeypatch.chdir(clone.path)
        assert ledger(kept) == expected
        assert f"{LEDGER}: right" in kept.accord("ledger", "--check")


def test_squashed_history_gives_the_same_bytes(kept: Team) -> None:
    expected = ledger(kept)
    kept.repo.git("switch", "-q", "--orphan", "squashed")
    kept.repo.git("checkout", "main", "--", ".")
    kept.repo.commit({}, "all at once")
    assert ledger(kept) == expected


def test_what_a_decision_leaves(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})
    team.accord("resolve", "x", "--rebutted=challenger:SCOPE_CREEP=it is small", "--commit")
    files = {
        kind: digest_bytes(team.file("x", f"rounds/1/{name}.yaml").read_bytes())
        for kind, name in {
            "proposal": "proposal",
            "round_opened": "round",
            "resolution": "resolution",
        }.items()
    }

    lines = read_lines(ledger(team))

    assert [line["event"] for line in lines] == [
        "proposal",
        "round_opened",
        "vote_round",
        "resolution",
    ]
    assert {line["event"]: line["digest"] for line in lines if line["event"] in files} == files
    vote_round = lines[2]
    assert list(vote_round) == [
        "event",
        "decision",
        "digest",
        "proposal",
        "voters",
        "result",
        "timestamp",
        "prev",
    ]
    assert vote_round["proposal"] == f"{team.id_of('x')}/1"
    assert vote_round["voters"] == sorted(VOTERS)
    assert vote_round["result"] == "decision_triggered"
    assert "prev" not in lines[0]


def test_the_first_line_names_the_record(kept: Team) -> None:
    lines = [line for line in read_lines(ledger(kept)) if line["decision"] == kept.id_of("x")]
    record = digest_bytes(kept.file("x", "record.yaml").read_bytes())
    assert lines[0]["prev"] == record
    assert (lines[-1]["event"], lines[-1]["digest"]) == ("record", record)


def test_a_wrong_record_is_not_in_it(kept: Team) -> None:
    record = kept.file("x", "record.yaml")
    record.write_bytes(record.read_bytes().replace(b"accepted", b"rejected"))
    kept.repo.git("add", "decisions")
    lines = [line for line in read_lines(ledger(kept)) if line["decision"] == kept.id_of("x")]
    assert "record" not in {line["event"] for line in lines}
    assert "prev" not in lines[0]


def test_what_does_not_count_is_not_in_it(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    with_votes = ledger(team)
    signature = team.file("x", "rounds/1/votes/reviewer.yaml.sig")
    signature.write_bytes(signature.with_name("challenger.yaml.sig").read_bytes())
    team.repo.git("add", "decisions")
    assert ledger(team) != with_votes
    assert read_lines(ledger(team))[2]["voters"] == ["challenger", "implementer"]


def test_drafts_and_stray_files_leave_no_line(team: Team) -> None:
    draft = team.write("x.json", BRIEF)
    team.accord("propose", "x", "--class=architecture", "--from", str(draft), "--commit")
    team.repo.commit({"decisions/no-decision/rounds/1/round.yaml": "x\n"})
    assert ledger(team) == b""
    assert "Nothing has happened yet" in team.accord("ledger", "--format=text")
    assert "not there, and not due" in team.accord("ledger", "--check")
    assert "nothing to write" in team.accord("ledger", "--write", "--commit")
    assert not (team.repo.path / PLACE).exists()


IMPORTED = """\
format: accord/record/1
protocol: 1
decision: {id}
title: Use PostgreSQL
class: architecture
status: imported
basis: imported
directive: "-"
decided_at: 2020-01-02T00:00:00Z
source:
  path: docs/adr/0001.md
  digest: sha256:{zeros}
manifest_digest: sha256:{zeros}
"""


def test_an_imported_decision_is_one_line(team: Team) -> None:
    id_ = "2020-01-02-postgres"
    record = IMPORTED.format(id=id_, zeros="0" * 64)
    team.repo.commit({f"decisions/{id_}/record.yaml": record})
    digest = digest_bytes(record.encode())
    assert read_lines(ledger(team)) == [
        {"event": "record", "decision": id_, "digest": digest, "prev": digest}
    ]


Lines = list[bytes]
DAMAGES: dict[str, Callable[[Lines], Lines]] = {
    "a byte": lambda lines: [lines[0].replace(b"proposal", b"proposel"), *lines[1:]],
    "a dropped line": lambda lines: [*lines[:2], *lines[3:]],
    "a dropped last line": lambda lines: lines[:-1],
    "a decision that is gone": lambda lines: lines[4:],
    "swapped lines": lambda lines: [lines[1], lines[0], *lines[2:]],
    "swapped decisions": lambda lines: [*lines[4:], *lines[:4]],
    "a line twice": lambda lines: [*lines, lines[-1]],
    "nothing left": lambda lines: lines[:0],
}


@table("damage", {name: name for name in DAMAGES})
def test_a_changed_ledger_is_noticed(kept: Team, damage: str) -> None:
    lines = (kept.repo.path / PLACE).read_bytes().splitlines(keepends=True)
    changed = b"".join(DAMAGES[damage](lines))
    kept.repo.add({LEDGER: changed})

    assert "ledger-stale" in kept.accord("ledger", "--check", code=1)
    assert f"wrote {LEDGER}" in kept.accord("ledger", "--write")
    assert (kept.repo.path / PLACE).read_bytes() == b"".join(lines)
    assert f"{LEDGER}: right" in kept.accord("ledger", "--check")
    assert kept.repo.git("status", "--short") == ""


def test_a_changed_ledger_breaks_its_own_chain(kept: Team) -> None:
    """What only somebody without the decisions can see."""
    lines = (kept.repo.path / PLACE).read_bytes().splitlines(keepends=True)
    assert find_breaks(b"".join(lines)) == []
    for name in ("a dropped line", "a dropped last line", "swapped lines"):
        assert find_breaks(b"".join(DAMAGES[name](lines))) != [], name


def test_a_ledger_that_is_gone_is_noticed(kept: Team) -> None:
    kept.repo.git("rm", "-q", LEDGER)
    printed = kept.accord("ledger", "--check", code=1)
    assert "there is no ledger" in printed


def test_refreshing_twice_commits_once(kept: Team) -> None:
    before = kept.repo.git("rev-parse", "HEAD")
    assert "nothing to write" in kept.accord("ledger", "--write", "--commit")
    assert kept.repo.git("rev-parse", "HEAD") == before
    assert kept.repo.git("show", "--name-only", "--format=%s", "HEAD").split() == [
        "ledger",
        LEDGER,
    ]


def test_what_is_staged_already_is_committed(kept: Team) -> None:
    kept.repo.git("rm", "-q", "--cached", LEDGER)
    kept.repo.commit({}, "without it")
    assert "wrote" in kept.accord("ledger", "--write")
    printed = kept.accord("ledger", "--write", "--commit")
    assert "nothing to write committed" in printed
    assert kept.repo.git("status", "--short") == ""


def test_it_is_pushed(kept: Team) -> None:
    remote = Repo.clone(kept.repo, kept.folder / "remote.git", "--bare")
    kept.repo.git("remote", "add", "origin", remote.path.as_uri())
    kept.repo.git("rm", "-q", LEDGER)
    kept.repo.commit({}, "without it")
    assert "pushed to origin/main" in kept.accord("ledger", "--write", "--push")
    assert remote.git("rev-parse", "main") == kept.repo.git("rev-parse", "HEAD")


def test_a_commit_does_not_list_what_is_only_staged(kept: Team) -> None:
    take(kept, "z", "three")
    kept.repo.git("switch", "-q", "main")
    kept.repo.git("merge", "-q", "--squash", "three")
    refused = kept.accord("ledger", "--write", "--commit", code=2)
    assert "is staged and not committed, and the ledger would list it" in refused
    kept.repo.commit({}, "z")
    assert "committed" in kept.accord("ledger", "--write", "--commit")


def test_other_staged_work_stays_staged(kept: Team) -> None:
    kept.repo.git("rm", "-q", LEDGER)
    kept.repo.commit({}, "without it")
    kept.repo.add({"mine.txt": "mine\n"})
    kept.accord("ledger", "--write", "--commit")
    assert kept.repo.git("status", "--short") == "A  mine.txt"


def test_an_edit_that_is_not_staged_is_not_lost(kept: Team) -> None:
    place = kept.repo.path / PLACE
    right = place.read_bytes()
    place.write_text("my notes\n")
    assert "would be overwritten" in kept.accord("ledger", "--write", code=2)
    assert place.read_text() == "my notes\n"
    place.unlink()
    assert "wrote" in kept.accord("ledger", "--write")
    assert place.read_bytes() == right


def test_no_ledger_is_committed_before_the_policy(team: Team) -> None:
    team.repo.git("update-ref", "-d", "HEAD")
    assert "is not committed yet" in team.accord("ledger", "--write", "--commit", code=2)
    assert ledger(team) == b""


def test_on_another_branch_it_is_said_where_the_ledger_belongs(kept: Team) -> None:
    assert "note:" not in kept.accord("ledger", "--write")
    kept.repo.git("switch", "-qc", "aside")
    kept.repo.git("rm", "-q", LEDGER)
    kept.capture.readouterr()
    assert run(["ledger", "--write"]) == 0
    printed = kept.capture.readouterr()
    assert printed.out == f"wrote {LEDGER}\n"
    assert printed.err.startswith("note: the ledger belongs on main, and this is aside")
    kept.repo.git("switch", "-q", "--detach")
    assert "note:" not in kept.accord("ledger", "--write")


def test_verify_warns_of_a_ledger_on_a_branch_that_is_not_protected(kept: Team) -> None:
    changed = (kept.repo.path / PLACE).read_bytes() + b"{}\n"
    kept.repo.add({LEDGER: changed})
    assert kept.findings("--staged", code=0) == {}
    kept.repo.git("switch", "-qc", "aside")
    assert kept.findings("--staged", code=0) == {"shared-file-in-change": LEDGER}
    assert "shared-file-in-change" in kept.accord("hook", "run", "accord-verify")
    kept.repo.git("switch", "-q", "--detach")
    assert kept.findings("--staged", code=0) == {}
    kept.repo.git("switch", "-q", "aside")
    kept.repo.git("rm", "-qf", LEDGER)
    assert kept.findings("--staged", code=0) == {"shared-file-in-change": LEDGER}


@table("mode", {"a link": "120000", "an executable": "100755", "a submodule": "160000"})
def test_what_is_no_plain_file_is_refused(kept: Team, mode: str) -> None:
    """Whatever it holds: here the executable holds the right bytes."""
    found = {"not-a-regular-file": LEDGER}
    blob = kept.repo.git("rev-parse", f"HEAD:{LEDGER}")
    kept.repo.stage_entry(mode, "12" * 20 if mode == "160000" else blob, LEDGER)
    assert kept.findings("--staged") == found
    for option in ("--check", "--write"):
        assert "not-a-regular-file" in kept.accord("ledger", option, code=1)
    kept.repo.git("commit", "-qm", "odd")
    assert kept.findings("--rev", "HEAD", "--tree-only") == found


@table("name", {"its signature": "events.jsonl.sig", "notes": "notes.txt", "a folder": "a/b.jsonl"})
def test_nothing_else_stands_beside_it(kept: Team, name: str) -> None:
    path = f"decisions/ledger/{name}"
    kept.repo.commit({path: "x\n"})
    assert kept.findings("--rev", "HEAD", "--tree-only") == {"unexpected-file": path}
    stale = {"ledger-stale": "docs/decisions/index.md"}
    assert kept.findings("--format=json") == {"unexpected-file": path} | stale


@table(
    ("options", "words"),
    {
        "both": (("--check", "--write"), "exclude each other"),
        "commit alone": (("--commit",), "go with --write"),
        "push and check": (("--push", "--check"), "go with --write"),
    },
)
def test_what_makes_no_sense(team: Team, options: tuple[str, ...], words: str) -> None:
    assert words in team.accord("ledger", *options, code=2)


def test_without_a_policy_and_with_a_broken_one(team: Team) -> None:
    policy = team.decisions / "policy.yaml"
    policy.write_text("format: accord/policy/1\n")
    team.repo.git("add", "decisions")
    assert "cannot be read" in team.accord("ledger", code=1)
    team.repo.git("rm", "-qf", "decisions/policy.yaml")
    assert "accord init" in team.accord("ledger", code=2)
    assert "accord init" in team.accord("ledger", "--check", code=2)


def test_a_bare_repository_is_not_written_to(kept: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Repo.clone(kept.repo, kept.folder / "bare.git", "--bare")
    monkeypatch.chdir(bare.path)
    assert "bare repository" in kept.accord("ledger", "--write", code=2)


def test_a_retired_key_takes_no_line_away(kept: Team) -> None:
    """Keys are judged by where files stand, and what is there was there."""
    expected = ledger(kept)
    policy = kept.decisions / "policy.yaml"
    text = policy.read_text()
    assert "\n      - ssh: " in text
    retired = text.replace(
        "\n      - ssh: ", "\n      - valid_until: 2020-01-01T00:00:00Z\n        ssh: "
    )
    kept.repo.commit({"decisions/policy.yaml": retired})
    assert ledger(kept) == expected


def test_the_page_for_people(kept: Team) -> None:
    kept.capture.readouterr()
    assert run(["ledger", "--format", "text"]) == 0
    lines = kept.capture.readouterr().out.splitlines()
    assert lines[0] == kept.id_of("x")
    assert lines[3].startswith("  vote_round")
    assert lines[3].endswith(", unanimous")
    assert max(map(len, lines)) <= 80
