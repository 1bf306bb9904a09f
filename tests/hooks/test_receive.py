"""A server's hook: real pushes into a bare repository, and what is taken of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.errors import UsageError
from accord.hooks.receive import read_updates
from accord.verify.received import Update
from tests.e2e.team import MAJOR, Team, all_agree, make_team
from tests.support.keys import FixedKey
from tests.support.repos import OBJECT_FORMATS, ObjectFormat, Repo
from tests.support.tables import table

ZEROS = "0" * 40


class Server:
    """A team and the bare repository that it pushes to."""

    def __init__(self, team: Team, object_format: ObjectFormat = "sha1") -> None:
        self.team = team
        self.git = team.repo.git
        self.bare = Repo.init(team.folder / "server", object_format, "--bare", "-b", "main")
        self.git("remote", "add", "origin", str(self.bare.path))

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(self.bare.path)
        assert "wrote hooks/pre-receive" in self.team.accord("hook", "install")
        monkeypatch.chdir(self.team.repo.path)

    def push(self, *arguments: str, code: int = 0) -> str:
        """Push; what was said, without the marks of the remote, white space folded."""
        done = subprocess.run(
            ["git", "push", "--quiet", "origin", *arguments],
            cwd=self.team.repo.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == bool(code), done.stdout
        lines = (line.removeprefix("remote: ") for line in done.stdout.splitlines())
        return " ".join(" ".join(lines).split())

    def push_past_the_hook(self, *arguments: str) -> None:
        """As somebody with a shell on the server does."""
        hook, aside = self.bare.path / "hooks" / "pre-receive", self.bare.path / "aside"
        hook.rename(aside)
        self.push(*arguments)
        aside.rename(hook)

    def has(self, branch: str) -> str | None:
        """The commit of a branch on the server."""
        found = self.bare.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
        return found or None


@pytest.fixture
def empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Server:
    """A server that has nothing yet."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    server = Server(make_team(tmp_path, capsys, monkeypatch))
    server.install(monkeypatch)
    return server


@pytest.fixture
def server(empty: Server) -> Server:
    """A server that has the policy on main."""
    empty.push("main")
    return empty


def decide(team: Team, name: str = "x") -> None:
    team.decide(name)


class TestWhatIsTaken:
    def test_a_decision_on_its_branch_then_on_main(self, server: Server) -> None:
        decide(server.team)
        assert "no errors" in server.push("work")
        assert "no errors" in server.push("work:main")
        assert server.has("main") == server.git("rev-parse", "work")
        server.push(":work")
        assert server.has("work") is None

    def test_a_branch_step_by_step(self, server: Server) -> None:
        team = server.team
        team.propose("x")
        server.push("work")
        team.vote("x", {"reviewer": all_agree()["reviewer"]})
        server.push("work")
        team.vote("x", {k: v for k, v in all_agree().items() if k != "reviewer"})
        team.affirm("x")
        server.push("work")

    def test_a_branch_that_was_rebased(self, server: Server) -> None:
        decide(server.team)
        server.push("work")
        server.git("switch", "-q", "main")
        server.team.repo.commit({"other.txt": "elsewhere\n"})
        server.push("main")
        server.git("switch", "-q", "work")
        server.git("rebase", "-q", "main")
        server.push("--force", "work")

    def test_a_branch_whose_decision_was_squashed_may_go(self, server: Server) -> None:
        decide(server.team)
        server.push("work")
        server.git("switch", "-q", "main")
        server.git("merge", "-q", "--squash", "work")
        server.git("commit", "-qm", "squashed")
        server.push("main", ":work")
        assert server.has("work") is None

    def test_what_touches_no_decision(self, server: Server) -> None:
        server.team.repo.commit({"code.txt": "1\n"})
        server.git("tag", "v1")
        server.git("tag", "-a", "-m", "annotated", "v2")
        blob = server.team.repo.blob(b"a note")
        server.git("update-ref", "refs/notes/one", blob)
        assert server.push("work", "v1", "v2", "refs/notes/one", "HEAD:refs/odd/name") != ""
        server.push(":v1", ":v2", ":refs/notes/one", ":work")

    def test_a_draft_is_nobodys_vote(self, server: Server) -> None:
        draft = str(server.team.write("x.json", {"context": "c", "text": "t"}))
        server.team.accord(
            "propose", "x", "--class=architecture", "--from", draft, "--as=orchestrator", "--commit"
        )
        server.push("work")
        server.push(":work")


class TestWhatIsRefused:
    def test_an_undecided_decision_on_main(self, server: Server) -> None:
        server.team.propose("x")
        told = server.push("work:main", code=1)
        assert "undecided-on-protected-branch" in told
        assert "nothing of this push was taken" in told
        assert server.has("main") == server.git("rev-parse", "main")

    def test_the_whole_push(self, server: Server) -> None:
        server.team.propose("x")
        told = server.push("work:main", "work:other", code=1)
        assert "refs/heads/main" in told
        assert "refs/heads/other" in told
        assert server.has("other") is None

    def test_a_record_by_hand_leaves_nothing_behind(self, server: Server) -> None:
        server.team.propose("x")
        record = server.team.file("x", "record.yaml")
        blob = server.team.repo.blob(b"status: accepted\n")
        server.team.repo.commit(
            {str(record.relative_to(server.team.repo.path)): "status: accepted\n"}
        )
        assert "record-early" in server.push("work", code=1)
        objects = server.bare.git("cat-file", "--batch-all-objects", "--batch-check")
        assert blob not in objects

    def test_a_policy_without_a_decision(self, server: Server) -> None:
        policy = server.team.decisions / "policy.yaml"
        weaker = policy.read_text().replace("min: 3", "min: 2").replace("serial: 1", "serial: 2")
        server.team.repo.commit({"decisions/policy.yaml": weaker})
        assert "policy-change-unapproved" in server.push("work:main", code=1)

    def test_a_rewound_main(self, server: Server) -> None:
        decide(server.team)
        server.push("work:main")
        told = server.push("--force", "main", code=1)
        assert "signed-file-deleted" in told
        assert "ballot-lost" in told

    def test_a_vote_that_a_force_push_drops(self, server: Server) -> None:
        server.team.propose("x")
        server.git("branch", "before")
        server.team.vote("x", all_agree() | {"challenger": MAJOR})
        server.push("work")
        told = server.push("--force", "before:work", code=1)
        assert "votes/challenger.yaml" in told
        assert "ballot-lost" in told

    def test_a_branch_with_an_open_round_may_not_go(self, server: Server) -> None:
        server.team.propose("x")
        server.push("work")
        told = server.push(":work", code=1)
        assert "refs/heads/work held it" in told
        assert "rounds/1/round.yaml" in told
        # Under another name it may.
        server.push("work:refs/heads/kept", ":work")

    def test_a_tag_holds_what_a_branch_held(self, server: Server) -> None:
        server.team.propose("x")
        server.git("tag", "kept")
        server.push("work", "kept")
        server.push(":work")
        assert "ballot-lost" in server.push(":kept", code=1)

    def test_a_vote_without_its_signature_is_not_held(self, server: Server) -> None:
        server.team.propose("x")
        server.push("work")
        server.git("switch", "-qc", "copy")
        server.git("rm", "-q", f"decisions/{server.team.id_of('x')}/rounds/1/round.yaml.sig")
        server.git("commit", "-qm", "a copy of the ballot alone")
        server.git("branch", "-f", "work", "copy")
        told = server.push("copy:refs/tags/copy", ":work", code=1)
        assert "ballot-lost" in told

    def test_a_squatter_keeps_nobody_from_removing(self, server: Server) -> None:
        """What is signed by nobody of the policy is no ballot, and may be lost."""
        path = "decisions/2026-11-30-squat/rounds/1/round.yaml"
        server.team.repo.commit({path: "format: accord/round/1\n"})
        blob = server.team.repo.git("rev-parse", "HEAD")
        server.bare.git("fetch", "-q", str(server.team.repo.path), f"{blob}:refs/heads/squat")
        server.push(":squat")


class TestTwoProtectedBranches:
    @pytest.fixture
    def both(self, empty: Server) -> Server:
        """`main` and `release`, by the policy that begins the history."""
        policy = empty.team.decisions / "policy.yaml"
        policy.write_text(policy.read_text() + "protected:\n  - main\n  - release\n")
        empty.git("commit", "-qa", "--amend", "-m", "policy")
        empty.git("branch", "-f", "main", "work")
        empty.push("main")
        return empty

    def test_the_second_begins_where_the_first_stands(self, both: Server) -> None:
        decide(both.team)
        both.push("work:main")
        assert "first use" not in both.push("work:release")

    def test_what_the_second_brings_is_decided(self, both: Server) -> None:
        both.team.propose("x")
        assert "undecided-on-protected-branch" in both.push("work:release", code=1)

    def test_a_branch_is_judged_from_where_it_left_the_nearest(self, both: Server) -> None:
        """release has a newer policy than main; what left it is judged by that one."""
        policy = both.team.decisions / "policy.yaml"
        text = policy.read_text().replace("serial: 1", "serial: 2")
        text = text.replace(FixedKey("reviewer").line, FixedKey("newcomer").line)
        both.push("main:release")
        both.git("switch", "-qc", "release", "main")
        both.team.repo.commit({"decisions/policy.yaml": text})
        both.push_past_the_hook("release")
        both.git("switch", "-qc", "topic")
        key = FixedKey("newcomer").write(both.team.folder / "keys")
        both.git("config", "accord.reviewer.key", str(key))
        both.team.propose("x")
        both.team.vote("x", {"reviewer": all_agree()["reviewer"]})
        assert "no errors" in both.push("topic")

    def test_another_history_is_no_second(self, both: Server) -> None:
        both.git("checkout", "-q", "--orphan", "stranger")
        both.git("commit", "-qm", "a policy of my own")
        both.push("stranger")
        assert "release shares no commit with main" in both.push("stranger:release", code=1)

    def test_the_last_one_stays(self, both: Server) -> None:
        both.bare.git("config", "receive.denyDeleteCurrent", "ignore")
        both.push("main:release", "main:refs/heads/kept")
        both.push(":release")
        assert "no other protected branch has all" in both.push(":main", code=1)

    def test_one_that_has_more_stays_too(self, both: Server) -> None:
        decide(both.team)
        both.push("main:release")
        both.push("work:release")
        both.push("work:refs/heads/kept")
        assert "no other protected branch has all" in both.push(":release", code=1)
        both.push("work:main")
        both.push(":release")

    def test_a_new_one_brings_nothing_upon_an_older_policy(self, both: Server) -> None:
        policy = both.team.decisions / "policy.yaml"
        both.git("branch", "old", "main")
        both.git("switch", "-q", "main")
        both.team.repo.commit({"decisions/policy.yaml": policy.read_text() + "# another\n"})
        text = policy.read_text().replace(FixedKey("reviewer").line, FixedKey("newcomer").line)
        both.team.repo.commit({"decisions/policy.yaml": text})
        both.push_past_the_hook("main")
        both.push("old:release")
        both.push(":release")
        both.git("switch", "-q", "old")
        both.team.repo.commit({"code.txt": "x\n"})
        assert "where another policy was in force" in both.push("old:release", code=1)

    def revoke_on_main(self, both: Server, serial: int = 2) -> None:
        """The key of the reviewer is revoked there, and there alone."""
        policy = both.team.decisions / "policy.yaml"
        key = f"- ssh: {FixedKey('reviewer').line}"
        revoked = f'{key}\n        revoked_from: "2026-01-01T00:00:00Z"'
        text = policy.read_text().replace(key, revoked).replace("serial: 1", f"serial: {serial}")
        both.git("switch", "-q", "main")
        both.team.repo.commit({"decisions/policy.yaml": text})
        both.push_past_the_hook("main")

    def know_nothing_of_main(self, both: Server, instead: str) -> None:
        """A clone in which only the server can tell."""
        both.git("update-ref", "-d", "refs/remotes/origin/main")
        both.git("update-ref", "refs/heads/main", instead)

    def test_what_one_revokes_is_revoked_on_all(self, both: Server) -> None:
        """Split in two: a protected branch where the key was good, then what it signs there."""
        both.git("branch", "old", "main")
        self.revoke_on_main(both)
        both.push("old:release")
        both.git("switch", "-qC", "work", "old")
        self.know_nothing_of_main(both, "old")
        both.team.propose("x")
        both.team.vote("x", {"reviewer": all_agree()["reviewer"]})
        told = both.push("work:release", code=1)
        assert "key-not-valid" in told
        assert "that no protected branch revokes" in told
        assert "key-not-valid" in both.push("work:topic", code=1)

    def test_what_main_has_may_come_to_release(self, both: Server) -> None:
        """It was signed before, and judged when it came to main."""
        decide(both.team)
        both.push("work:main", "main:release")
        both.git("branch", "-f", "main", "work")
        self.revoke_on_main(both)
        both.git("switch", "-qC", "merged", both.git("rev-list", "--max-parents=0", "main"))
        both.git("reset", "-q", "--hard", both.has("release") or "")
        both.git("merge", "-q", "--no-ff", "-m", "merge", both.git("rev-parse", "main^"))
        told = both.push("merged:release")
        assert "key-revoked-since" in told

    def test_two_policies_of_one_serial(self, both: Server) -> None:
        both.push("main:release")
        self.revoke_on_main(both, serial=1)
        both.git("switch", "-qC", "work", both.has("release") or "")
        both.team.repo.commit({"code.txt": "x\n"})
        both.push("work:release")
        draft = both.team.write("x.json", {"context": "c", "text": "t"})
        self.know_nothing_of_main(both, "work")
        options = ("--class=architecture", f"--from={draft}", "--as=orchestrator", "--commit")
        both.team.accord("propose", "x", *options)
        told = both.push("work:topic", code=1)
        assert (
            "cannot be judged: refs/heads/main and refs/heads/release have different policies"
            in told
        )


class TestFirstPush:
    def test_the_branch_of_head_comes_first(self, empty: Server) -> None:
        """Else any branch could say what is protected, and nobody could push that one later."""
        assert "names main, which is not there" in empty.push("work", code=1)
        empty.push("work", "main")

    def test_it_is_trusted_on_first_use(self, empty: Server) -> None:
        decide(empty.team)
        told = empty.push("work:main")
        assert "the first policy is trusted on first use: sha256:" in told

    def test_a_pinned_root(self, empty: Server) -> None:
        empty.bare.git("config", "accord.root", "sha256:" + "0" * 64)
        assert "root-mismatch" in empty.push("main", code=1)
        digest = empty.team.accord("verify", "--history").split("first use: ")[1].split()[0]
        empty.bare.git("config", "accord.root", digest)
        empty.push("main")

    def test_all_of_a_history_is_judged(self, empty: Server) -> None:
        decide(empty.team)
        vote = f"decisions/{empty.team.id_of('x')}/rounds/1/votes/challenger.yaml"
        empty.git("rm", "-q", vote)
        empty.git("commit", "-qm", "without a vote")
        assert "signed-file-deleted" in empty.push("work:main", code=1)

    def test_no_decisions_at_all(self, empty: Server, tmp_path: Path) -> None:
        other = Repo.init(tmp_path / "other", "sha1", "-b", "main")
        other.commit({"a.txt": "a\n"})
        other.git("push", "-q", str(empty.bare.path), "main")


@pytest.mark.parametrize("object_format", OBJECT_FORMATS)
def test_both_kinds_of_objects(
    object_format: ObjectFormat,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    server = Server(make_team(tmp_path, capsys, monkeypatch, object_format), object_format)
    server.install(monkeypatch)
    server.push("main")
    decide(server.team)
    server.push("work:main")
    assert "ballot-lost" in server.push("--force", "main", code=1)


def test_two_pushes_at_once_to_one_branch(server: Server, tmp_path: Path) -> None:
    """git itself takes one of them; each was judged upon what it names as old."""
    decide(server.team)
    server.git("branch", "first", "work")
    server.git("switch", "-qc", "second", "main")
    decide(server.team, "y")
    command = ["git", "push", "--quiet", str(server.bare.path)]
    running = [
        subprocess.Popen([*command, f"{branch}:main"], cwd=server.team.repo.path, stderr=-3)
        for branch in ("first", "second")
    ]
    assert sorted(bool(one.wait()) for one in running) == [False, True]
    tips = {server.git("rev-parse", branch) for branch in ("first", "second")}
    assert server.has("main") in tips


def test_upon_a_policy_that_cannot_be_read_nothing_is_judged(server: Server) -> None:
    policy = server.team.decisions / "policy.yaml"
    server.team.repo.commit({"decisions/policy.yaml": policy.read_text() + "surprise: 1\n"})
    server.bare.git("fetch", "-q", str(server.team.repo.path), "work:main")
    server.team.repo.commit({"decisions/2026-11-30-x/proposal.yaml": "format: accord/proposal/1\n"})
    told = server.push("work:main", code=1)
    assert "cannot be judged: the decisions/policy.yaml of the base cannot be read" in told
    assert "nothing of this push was taken" in told


class TestWhatIsNotSeen:
    """What the hook does not see has not passed."""

    def run(self, server: Server, lines: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["accord", "hook", "run", "accord-receive"],
            cwd=server.bare.path,
            input=lines,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_an_object_that_is_not_at_hand(self, server: Server) -> None:
        done = self.run(server, f"{ZEROS} {'1' * 40} refs/heads/main\n")
        assert done.returncode == 3
        assert "is not at hand" in done.stdout
        assert self.run(server, f"{ZEROS} {'1' * 40} refs/tags/v1\n").returncode == 3

    def test_no_word_on_standard_input(self, server: Server) -> None:
        done = self.run(server, "")
        assert done.returncode == 2
        assert "hands standard input on" in done.stderr

    def test_a_head_that_names_no_branch(self, server: Server) -> None:
        """Any branch could say then what is protected."""
        server.bare.git("symbolic-ref", "HEAD", "refs/heads/unborn")
        for refs in (("main:refs/heads/kept",), (":main",)):
            told = server.push(*refs, code=1)
            assert "cannot be judged: HEAD of this repository names unborn" in told

    def test_a_first_policy_upon_other_commits(self, empty: Server) -> None:
        git = empty.git
        first = git("rev-list", "--max-parents=0", "main")
        git("push", "-q", str(empty.bare.path), f"{first}:refs/heads/main")
        empty.bare.git("config", "accord.root", "sha256:" + "0" * 64)
        assert "root-mismatch" in empty.push("main", code=1)

    def test_a_tag_with_an_odd_name(self, server: Server) -> None:
        server.bare.git("tag", "odd\u2028name", "main")
        server.push("main:refs/heads/kept")
        server.push(":kept")


def test_a_folder_with_a_colon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    server = Server(make_team(tmp_path, capsys, monkeypatch))
    odd = server.bare.path.rename(tmp_path / "od:d")
    server.git("remote", "set-url", "origin", str(odd))
    server.bare = Repo(odd)
    server.install(monkeypatch)
    server.push("main")


@table(
    ("lines", "expected"),
    {
        "nothing": ("", ()),
        "new": (f"{ZEROS} {'a' * 40} refs/heads/x\n", (Update("refs/heads/x", None, "a" * 40),)),
        "gone": (f"{'a' * 40} {ZEROS} refs/tags/x\n", (Update("refs/tags/x", "a" * 40, None),)),
        "an odd name": (
            f"{'a' * 40} {'b' * 40} refs/heads/ä b\udcff\n",
            (Update("refs/heads/ä b\udcff", "a" * 40, "b" * 40),),
        ),
    },
)
def test_what_git_says(lines: str, expected: tuple[Update, ...]) -> None:
    assert read_updates(lines) == expected


def test_what_git_does_not_say() -> None:
    with pytest.raises(UsageError, match="is no update of a ref"):
        read_updates("hello\n")
