"""What a branch brings, and in which order: ranges and whole histories (section 9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.model.ids import digest_bytes
from tests.e2e.team import AGREE, BRIEF, MAJOR, Team, all_agree
from tests.support.repos import Repo


def decide(team: Team, name: str = "x") -> None:
    team.decide(name)


def enact(team: Team) -> None:
    """A second policy, decided on and committed."""
    policy = team.decisions / "policy.yaml"
    second = policy.read_text().replace("serial: 1", "serial: 2").replace("bug fixes", "typos")
    digest = digest_bytes(second.encode())
    enacts = [{"path": "decisions/policy.yaml", "digest": digest}]
    team.propose("gov", "--class=governance", text="Another policy.", enacts=enacts)
    team.vote("gov", all_agree())
    team.affirm("gov")
    team.repo.commit({"decisions/policy.yaml": second.encode()})


def judge(team: Team, *options: str, code: int = 0) -> dict[str, str]:
    """Code → message of the errors."""
    report = team.json("verify", *(options or ("--range", "main..HEAD")), code=code)
    assert isinstance(report, dict)
    found = report["findings"]
    return {one["code"]: one["message"] for one in found if one["severity"] == "error"}


def warnings(team: Team, *options: str) -> set[str]:
    report = team.json("verify", *(options or ("--range", "main..HEAD")))
    assert isinstance(report, dict)
    return {one["code"] for one in report["findings"] if one["severity"] == "warning"}


def commit_paths(team: Team, message: str, *paths: str) -> None:
    """Commit some of what lies in the working tree."""
    team.repo.git("add", "--", *paths)
    team.repo.git("commit", "-qm", message)


class TestValidBranches:
    def test_as_it_was_made(self, team: Team) -> None:
        decide(team)
        assert judge(team) == {}
        assert warnings(team) == set()

    def test_squashed(self, team: Team) -> None:
        decide(team)
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--squash", "work")
        team.repo.git("commit", "-qm", "squashed")
        assert judge(team, "--range", "HEAD^..HEAD") == {}
        # Affirmations agree on the seals, so content alone proves the order.
        assert warnings(team, "--range", "HEAD^..HEAD") == set()

    def test_rebased_and_merged(self, team: Team) -> None:
        decide(team)
        team.repo.git("switch", "-q", "main")
        team.repo.commit({"other.txt": "elsewhere\n"})
        team.repo.git("switch", "-q", "work")
        team.repo.git("rebase", "-q", "main")
        assert judge(team) == {}
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        assert judge(team, "--range", "HEAD^1..HEAD") == {}
        assert judge(team, "--history") == {}

    def test_a_clean_merge_shows_the_order_of_what_it_merged(self, team: Team) -> None:
        """Also where nobody affirmed, and where nothing says that the last step is meant."""
        team.propose("x")
        team.vote("x", all_agree() | {"challenger": MAJOR})
        team.repo.git("switch", "-qc", "other", "main")
        team.repo.git("merge", "-q", "--no-ff", "-m", "merge", "work")
        assert warnings(team, "--branch=other") == set()

    def test_a_commit_without_parents_is_judged_as_it_is(self, team: Team) -> None:
        policy = (team.decisions / "policy.yaml").read_bytes()
        team.repo.git("switch", "-q", "--orphan", "anew")
        team.repo.commit({"decisions/policy.yaml": policy})
        report = team.json("verify")
        assert isinstance(report, dict)
        assert any("trusted on first use" in note for note in report["notes"])

    def test_commits_that_landed_at_once(self, team: Team) -> None:
        decide(team)
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--ff-only", "work")
        assert judge(team, "--history") == {}
        team.repo.git("switch", "-q", "work")
        team.propose("y", text="Another thing.")
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--ff-only", "work")
        assert "undecided-on-protected-branch" in judge(team, "--history", code=1)

    def test_two_decisions_of_two_branches(self, team: Team) -> None:
        decide(team)
        team.repo.git("switch", "-qc", "other", "main")
        team.propose("y", text="Another thing.")
        team.vote("y", all_agree())
        team.affirm("y")
        team.repo.git("switch", "-q", "main")
        team.repo.git("merge", "-q", "--no-ff", "-m", "x", "work")
        team.repo.git("merge", "-q", "--no-ff", "-m", "y", "other")
        assert judge(team, "--range", "HEAD^1..HEAD") == {}
        assert judge(team, "--history") == {}

    def test_a_change_that_was_undone_did_no_harm(self, team: Team) -> None:
        decide(team)
        vote = team.file("x", "rounds/1/votes/reviewer.yaml")
        kept = vote.read_bytes()
        vote.write_bytes(kept + b"\n")
        commit_paths(team, "spoiled", str(vote))
        assert "frozen-file-changed" in judge(team, code=1)
        vote.write_bytes(kept)
        commit_paths(team, "restored", str(vote))
        assert judge(team) == {}


class TestPoliciesOnTheWay:
    def test_a_policy_that_is_enacted_between_two_decisions(self, team: Team) -> None:
        """Two merges that are pushed at once: the second is judged by what the first enacted."""
        git = team.repo.git
        enact(team)
        git("switch", "-q", "main")
        git("merge", "-q", "--no-ff", "-m", "the policy", "work")
        start = git("rev-parse", "HEAD^1")
        git("switch", "-q", "-C", "work", "main")
        decide(team)
        git("switch", "-q", "main")
        git("merge", "-q", "--no-ff", "-m", "x", "work")
        assert judge(team, "--range", f"{start}..HEAD", "--branch=main") == {}
        assert judge(team, "--history", "--branch=main") == {}

    def test_a_policy_that_nobody_enacted_is_never_in_force(self, team: Team) -> None:
        """The history goes on being judged by the one that was enacted."""
        policy = team.decisions / "policy.yaml"
        other = policy.read_text().replace("max: 3", "max: 4", 1)
        stained = team.repo.commit({"decisions/policy.yaml": other.encode()})
        assert "policy-change-unapproved" in judge(team, "--history", code=1)
        decide(team)
        found = judge(team, "--history", code=1)
        # The ballot is one of the policy that landed, and that one is not in force.
        assert {"policy-change-unapproved", "ballot-not-from-policy"} <= found.keys()
        notes = team.json("verify", "--history", code=1)
        assert isinstance(notes, dict)
        assert any(f"`settles: [{stained}]`" in note for note in notes["notes"])

    def test_a_broken_policy_leaves_the_last_one_in_force(self, team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        good = policy.read_bytes()
        team.repo.commit({"decisions/policy.yaml": good + b"surprise: 1\n"})
        team.repo.commit({"decisions/policy.yaml": good})
        decide(team)
        vote = team.file("x", "rounds/1/votes/challenger.yaml")
        team.repo.git("rm", "-q", str(vote))
        team.repo.git("commit", "-qm", "without a vote")
        assert {"schema-invalid", "signed-file-deleted"} <= judge(team, "--history", code=1).keys()


class TestStains:
    """What landed past the gate stays in the history, until a governance decision settles it."""

    @pytest.fixture
    def stained(self, team: Team) -> str:
        """A vote that counts was deleted on main, and is back since."""
        decide(team)
        path = f"decisions/{team.id_of('x')}/rounds/1/votes/challenger.yaml"
        kept = (team.repo.path / path).read_bytes()
        team.repo.git("rm", "-q", path)
        team.repo.git("commit", "-qm", "without a vote")
        stain = team.repo.git("rev-parse", "HEAD")
        team.repo.commit({path: kept}, "it is back")
        return stain

    def settle(self, team: Team, stain: str, *options: str) -> None:
        team.propose("settle", *options, text="We looked at it.", settles=[stain])
        team.vote("settle", all_agree())
        team.affirm("settle")

    def test_it_stays(self, team: Team, stained: str) -> None:
        found = judge(team, "--history", code=1)
        assert stained[:12] in found["signed-file-deleted"]

    def test_a_governance_decision_settles_it(self, team: Team, stained: str) -> None:
        self.settle(team, stained, "--class=governance")
        assert judge(team, "--history") == {}
        report = team.json("verify", "--history")
        assert isinstance(report, dict)
        settled = f"the step {stained[:12]}, settled by {team.id_of('settle')}: "
        told = [note.removeprefix(settled) for note in report["notes"] if settled in note]
        assert any(": signed-file-deleted: " in note for note in told)

    def test_no_other_decision_does(self, team: Team, stained: str) -> None:
        printed = team.accord(
            *("propose", "settle", "--class=architecture", "--open", "--from"),
            str(team.write("s.json", BRIEF | {"settles": [stained]})),
            code=1,
        )
        assert "only a governance decision settles" in printed

    def test_one_that_has_errors_itself_does_not(self, team: Team, stained: str) -> None:
        self.settle(team, stained, "--class=governance")
        team.repo.git("rm", "-q", str(team.file("settle", "rounds/1/votes/challenger.yaml.sig")))
        team.repo.git("commit", "-qm", "another stain")
        found = judge(team, "--history", code=1)
        assert {"signed-file-deleted", "frozen-file-changed"} <= found.keys()


class TestOnTheWay:
    def test_a_refusal_that_was_deleted(self, team: Team) -> None:
        team.propose("x")
        team.vote("x", all_agree() | {"challenger": MAJOR})
        for kind in ("votes", "seals"):
            for suffix in ("", ".sig"):
                team.file("x", f"rounds/1/{kind}/challenger.yaml{suffix}").unlink()
        team.repo.git("add", "-A")
        team.repo.git("commit", "-qm", "it never was")
        found = judge(team, code=1)
        assert "signed-file-deleted" in found
        assert team.repo.git("rev-parse", "HEAD")[:12] in found["signed-file-deleted"]

    def test_votes_that_were_opened_before_others_sealed(self, team: Team) -> None:
        team.propose("x")
        start = team.repo.git("rev-parse", "HEAD")
        team.vote("x", all_agree())
        team.affirm("x")
        end = team.repo.git("rev-parse", "HEAD")
        team.repo.git("reset", "-q", "--hard", start)
        folder = f"decisions/{team.id_of('x')}/rounds/1"
        for path in ("seals/reviewer.yaml", "votes/reviewer.yaml"):
            team.repo.git("checkout", end, "--", f"{folder}/{path}", f"{folder}/{path}.sig")
        team.repo.git("commit", "-qm", "reviewer seals and opens")
        team.repo.git("checkout", end, "--", folder, f"decisions/{team.id_of('x')}/record.yaml")
        team.repo.git("commit", "-qm", "the others follow")
        assert "revealed-before-sealed" in judge(team, code=1)

    def test_seals_and_openings_in_one_commit_prove_nothing(self, team: Team) -> None:
        team.propose("x")
        start = team.repo.git("rev-parse", "HEAD")
        team.vote("x", all_agree() | {"reviewer": MAJOR})
        team.repo.git("reset", "-q", "--soft", start)
        team.repo.git("commit", "-qm", "all at once")
        assert "seal-order-unproven" in warnings(team)

    def test_a_laxer_policy_beside_the_vote(self, team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        text = policy.read_text()
        policy.write_text(text.replace("serial: 1", "serial: 2").replace("min: 3", "min: 2"))
        commit_paths(team, "laxer", str(policy))
        found = judge(team, code=1)
        assert "policy-change-unapproved" in found


class TestMerges:
    @pytest.fixture
    def twice(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> Team:
        """One voter seals two votes, on two branches and two machines."""
        team.propose("x")
        team.repo.git("branch", "other")
        team.vote("x", {"reviewer": AGREE})
        team.repo.git("switch", "-q", "other")
        monkeypatch.setenv("XDG_STATE_HOME", str(team.folder / "another machine"))
        team.vote("x", {"reviewer": MAJOR})
        return team

    def test_two_seals_of_one_voter_are_joined(self, twice: Team) -> None:
        twice.repo.git("merge", "-q", "-X", "ours", "-m", "one of them", "work")
        found = judge(twice, code=1)
        assert "joins two different files of this name" in found["equivocation"]

    def test_the_other_side_is_taken_whole(self, twice: Team) -> None:
        twice.repo.git("merge", "-q", "-s", "ours", "-m", "as if it never was", "work")
        assert "equivocation" in judge(twice, code=1)

    def test_what_nobody_signed_takes_no_place(self, team: Team) -> None:
        """Whoever may push a branch cannot spoil a vote by a file of its name."""
        team.propose("x")
        team.repo.git("branch", "other")
        team.vote("x", {"reviewer": AGREE})
        seal = f"decisions/{team.id_of('x')}/rounds/1/seals/reviewer.yaml"
        signed = team.file("x", "rounds/1/seals/reviewer.yaml").read_text()
        team.repo.git("switch", "-q", "other")
        team.repo.commit({seal: signed.replace("vote: sha256:", "vote: sha256:0", 1)}, "not signed")
        team.repo.git("merge", "-q", "-X", "theirs", "-m", "the signed one", "work")
        assert judge(team) == {}

    def test_what_no_parent_has(self, team: Team) -> None:
        team.propose("x")
        team.repo.git("branch", "other")
        team.vote("x", {"reviewer": AGREE})
        team.repo.git("switch", "-q", "other")
        team.repo.commit({"other.txt": "elsewhere\n"})
        team.repo.git("merge", "-q", "--no-commit", "work")
        added = f"decisions/{team.id_of('x')}/evidence/late.txt"
        team.repo.commit({added: "slipped in\n"}, "a merge")
        assert "none of its parents has" in judge(team, code=1)["evil-merge"]

    def test_a_merge_that_leaves_a_vote_out(self, team: Team) -> None:
        team.propose("x")
        team.vote("x", all_agree() | {"challenger": MAJOR})
        team.repo.git("switch", "-qc", "other", "main")
        team.repo.commit({"other.txt": "elsewhere\n"})
        team.repo.git("merge", "-q", "--no-commit", "--no-ff", "work")
        vote = f"decisions/{team.id_of('x')}/rounds/1/votes/challenger.yaml"
        team.repo.git("rm", "-q", "-f", vote, f"{vote}.sig")
        team.repo.git("commit", "-qm", "a merge")
        assert "signed-file-deleted" in judge(team, code=1)


class TestWhatCannotBeJudged:
    def test_a_shallow_clone(self, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
        decide(team)
        tip = team.repo.git("rev-parse", "HEAD~2")
        clone = Repo.clone(team.repo, team.folder / "clone", "--depth=2", "--branch=work")
        monkeypatch.chdir(clone.path)
        printed = team.accord("verify", "--history", code=3)
        assert "git fetch --unshallow" in printed
        assert "git fetch --unshallow" in team.accord("verify", "--range", f"{tip}..HEAD", code=3)

    def test_a_step_upon_a_broken_first_policy(self, team: Team) -> None:
        """It is told as not measured, for ever; what comes after it is judged all the same."""
        policy = team.decisions / "policy.yaml"
        good = policy.read_bytes()
        team.repo.git("switch", "-q", "--orphan", "anew")
        team.repo.commit({"decisions/policy.yaml": good + b"surprise: 1\n", "source.txt": b"a"})
        fixed = team.repo.commit({"decisions/policy.yaml": good})
        decide(team)
        vote = team.file("x", "rounds/1/votes/challenger.yaml")
        team.repo.git("rm", "-q", str(vote))
        team.repo.git("commit", "-qm", "without a vote")
        report = team.json("verify", "--history", code=1)
        assert isinstance(report, dict)
        codes = {found["code"] for found in report["findings"]}
        assert {"schema-invalid", "signed-file-deleted"} <= codes
        (told,) = (each for each in report["not_measured"] if fixed[:12] in each)
        assert "of the base cannot be read, line " in told

    def test_a_range_that_ends_elsewhere(self, team: Team) -> None:
        decide(team)
        team.repo.git("switch", "-qc", "other", "main")
        team.repo.commit({"other.txt": "elsewhere\n"})
        printed = team.accord("verify", "--range", "work..other", code=2)
        assert "does not stand on" in printed
        assert "judge the result of the merge" in printed

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--range", "main"), "is no range"),
            (("--range", "main...HEAD"), "is no range"),
            (("--range", "nowhere..HEAD"), "no commit is called 'nowhere'"),
            (("--range", "main..HEAD", "--staged"), "exclude each other"),
            (("--root", "sha256:0"), "--root goes with --history"),
        ],
    )
    def test_usage(self, team: Team, options: tuple[str, ...], message: str) -> None:
        assert message in team.accord("verify", *options, code=2)

    def test_an_empty_range(self, team: Team) -> None:
        assert judge(team, "--range", "HEAD..HEAD") == {}
        assert "0 files" in team.accord("verify", "--range", "..")


class TestRoot:
    def test_the_first_policy_is_pinned(self, team: Team) -> None:
        decide(team)
        printed = team.accord("verify", "--history")
        digest = next(word for word in printed.split() if word.startswith("sha256:"))
        assert "trusted on first use" in printed
        assert judge(team, "--history", f"--root={digest}") == {}
        assert (
            "not sha256:00" in judge(team, "--history", "--root=sha256:00", code=1)["root-mismatch"]
        )

    def test_a_history_without_a_policy(self, tmp_path: Path, team: Team) -> None:
        repo = Repo.init(tmp_path / "bare", "sha1", "--initial-branch=main")
        repo.commit({"a.txt": "a\n"})
        team.repo.git("fetch", "-q", str(repo.path), "main")
        team.repo.git("switch", "-q", "--detach", "FETCH_HEAD")
        found = judge(team, "--history", "--root=sha256:00", code=1)
        assert "never was a policy" in found["root-mismatch"]
