"""`init` and `member`: nothing that people wrote is lost, and no key ends in a commit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.flow.members import Newcomer, add_member, render_policy
from accord.flow.session import open_session
from accord.model.policy import Key, Policy
from accord.store.git import Repository
from accord.store.parse import parse_file
from tests.e2e.team import VOTERS, Team
from tests.support.keys import FixedKey
from tests.support.repos import Repo

INIT = ("init", "--agents=a,b,c", "--authority=o", "--decider=d")


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo.init(tmp_path / "repo", "sha1", "--initial-branch=main")
    monkeypatch.chdir(repo.path)
    return repo


TWO_SEATS = {
    "a voter as authority": (["--agents=a,b", "--authority=a"], "a voter and the authority"),
    "a voter as decider": (
        ["--agents=a,b", "--authority=o", "--decider=b"],
        "a voter and the decider",
    ),
    "a challenger as decider": (
        ["--agents=a,b", "--authority=o", "--decider=d", "--challenger=d"],
        "a voter and the decider",
    ),
    "one officer": (
        ["--agents=a,b", "--authority=o", "--decider=o"],
        "authority and decider",
    ),
}


@pytest.mark.parametrize(("options", "said"), TWO_SEATS.values(), ids=TWO_SEATS)
def test_one_member_has_one_seat(
    options: list[str], said: str, empty: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", *options, "--key-dir", str(tmp_path / "keys")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "keys").exists()


def test_no_private_key_in_the_working_tree(
    empty: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*INIT, "--key-dir", "keys"]) == 2
    assert "is in the working tree" in capsys.readouterr().err
    assert list(empty.path.iterdir()) == [empty.path / ".git"]
    assert run([*INIT, "--key-dir", ".git/keys"]) == 0
    assert empty.git("config", "accord.a.key") == str(empty.path / ".git" / "keys" / "a")


def test_a_key_is_found_from_everywhere(empty: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run([*INIT, "--key-dir", "../keys"]) == 0
    assert Path(empty.git("config", "accord.a.key")) == empty.path.parent / "keys" / "a"


def test_keys_stand_in_a_folder_of_the_repository(
    empty: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert run([*INIT, "--generate-keys"]) == 0
    made = tmp_path / "home" / ".config" / "accord" / "keys" / "repo" / "a"
    assert Path(empty.git("config", "accord.a.key")) == made
    assert made.stat().st_mode & 0o777 == 0o600


def test_keys_of_an_init_that_failed_are_gone(
    empty: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = tmp_path / "keys"
    mine = FixedKey("c").write(keys)
    before = mine.read_bytes()
    assert run([*INIT, "--key-dir", str(keys)]) == 2
    assert f"there is a key at {mine} already" in capsys.readouterr().err
    assert sorted(path.name for path in keys.iterdir()) == ["c", "c.pub"]
    assert mine.read_bytes() == before


@pytest.mark.parametrize("name", [".yamlfmt", "yamlfmt.yml", ".yamlfmt.yaml"])
def test_settings_of_formatters_are_explained_where_they_are(
    name: str, empty: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty.write({name: "formatter: {}\n", ".prettierignore": "dist"})
    assert run([*INIT, "--key-dir", str(tmp_path / "keys")]) == 0
    assert "Let yamlfmt leave decisions/ alone" in capsys.readouterr().err
    assert (empty.path / name).read_text() == "formatter: {}\n"
    assert [path.name for path in empty.path.glob("*yamlfmt*")] == [name]
    assert (empty.path / ".prettierignore").read_text() == "dist\ndecisions/\n"


def test_a_formatter_that_is_told_already_is_told_once(empty: Repo, tmp_path: Path) -> None:
    empty.write({".prettierignore": "decisions/\n"})
    assert run([*INIT, "--key-dir", str(tmp_path / "keys")]) == 0
    assert (empty.path / ".prettierignore").read_text() == "decisions/\n"
    assert ".prettierignore" not in empty.git("diff", "--cached", "--name-only")


def policy_of(team: Team) -> Policy:
    record, faults = parse_file((team.decisions / "policy.yaml").read_bytes(), "p", "policy")
    assert isinstance(record, Policy), faults
    return record


def add(team: Team, name: str, code: int = 0) -> str:
    return team.accord("member", "add", name, "--key", FixedKey(name).line, code=code)


def test_a_member_that_was_added_meanwhile_stays(team: Team) -> None:
    stale = open_session(Repository.discover(team.repo.path))
    add(team, "fourth")
    add_member(stale, Newcomer("fifth", "agent", ("voter",), Key(ssh=FixedKey("fifth").line)))
    assert policy_of(team).members.keys() >= {"fourth", "fifth"}


def test_a_change_keeps_what_people_wrote(team: Team) -> None:
    path = team.decisions / "policy.yaml"
    text = path.read_text().replace("  reviewer:\n", "  # looks twice\n  reviewer:\n")
    path.write_text(text + "# the end\n")
    team.repo.git("add", "decisions")
    assert "in force when a governance decision enacts it" in add(team, "fourth")
    after = path.read_text()
    assert "  # looks twice\n  reviewer:\n" in after
    assert after.endswith("# the end\n")
    assert policy_of(team).serial == 2
    assert policy_of(team).members["fourth"].roles == ("voter",)
    assert team.repo.git("diff", "--name-only") == ""


def own_layout(policy: bytes) -> bytes:
    """The same policy, indented twice as deep."""
    lines = policy.decode().splitlines()
    deeper = [" " * (len(line) - len(line.lstrip())) + line for line in lines]
    return ("\n".join(deeper) + "\n").encode()


def test_a_layout_of_its_own_is_rewritten_only_if_git_has_it(team: Team) -> None:
    path = team.decisions / "policy.yaml"
    before = policy_of(team)
    path.write_bytes(own_layout(render_policy(before)))
    assert policy_of(team) == before
    team.repo.git("add", "decisions")
    assert "laid out in a way of its own" in team.accord("member", "retire", "dana", code=2)
    team.repo.git("commit", "-qm", "our layout")
    team.accord("member", "retire", "dana")
    assert policy_of(team).members["dana"].keys[0].valid_until is not None
    assert policy_of(team).serial == 2


def test_what_contradicts_itself_is_not_written(team: Team) -> None:
    before = (team.decisions / "policy.yaml").read_bytes()
    told = team.accord("member", "retire", "reviewer", code=1)
    assert "min 3 is more than the 2 who are eligible" in told
    assert (team.decisions / "policy.yaml").read_bytes() == before


def test_an_edit_that_is_not_staged_is_not_lost(team: Team) -> None:
    path = team.decisions / "policy.yaml"
    edited = path.read_text() + "# mine\n"
    path.write_text(edited)
    assert "was edited and is not staged" in add(team, "fourth", code=2)
    assert path.read_text() == edited


def test_each_change_has_one_serial_until_it_is_in_force(team: Team) -> None:
    add(team, "fourth")
    add(team, "fifth")
    assert policy_of(team).serial == 2
    assert {"fourth", "fifth"} < policy_of(team).members.keys()


def test_rotation_ends_the_old_key_and_retirement_all(team: Team) -> None:
    team.accord("member", "rotate", "dana", "--key", FixedKey("second").line)
    first, second = policy_of(team).members["dana"].keys
    assert first.valid_until is not None
    assert second.valid_until is None
    team.accord("member", "retire", "dana")
    assert all(key.valid_until for key in policy_of(team).members["dana"].keys)


BROKEN_KEYS = {
    "an OpenPGP key": "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "a private key": "keys/reviewer",
    "no base64": "ssh-ed25519 !!!!",
}


@pytest.mark.parametrize("key", BROKEN_KEYS.values(), ids=BROKEN_KEYS)
def test_only_public_keys_are_taken(key: str, team: Team) -> None:
    before = (team.decisions / "policy.yaml").read_bytes()
    if key.startswith("keys/"):
        # The private half is named: its public half beside it is what is read.
        team.accord("member", "add", "fourth", "--key", os.fspath(FixedKey("z").write(team.folder)))
        assert "PRIVATE" not in (team.decisions / "policy.yaml").read_text()
        return
    told = team.accord("member", "add", "fourth", "--key", key, code=1 if "ssh" in key else 2)
    assert "key" in told
    assert (team.decisions / "policy.yaml").read_bytes() == before


def test_members_are_listed_for_stock_tools(team: Team) -> None:
    listed = team.accord("member", "list", "--format=allowed-signers")
    for member in VOTERS:
        assert f'{member} namespaces="accord" {FixedKey(member).line}' in listed
