"""Rounds with members who sign with accounts: real bundles, made online, verified offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.forge import R1, commit, edit_policy, place
from tests.e2e.team import AFFIRM, AGREE, MAJOR, VOTERS, Team
from tests.keyless.conftest import online, use_identity
from tests.keyless.instance import ISSUER, Instance, make_token, token_of
from tests.support.keys import FixedKey

Capture = pytest.CaptureFixture[str]
OTHERS = [name for name in VOTERS if name != "reviewer"]


def keyless(instance: Instance, member: str, token: str | None = None) -> tuple[str, ...]:
    return (
        f"--as={member}",
        f"--sigstore={instance.config}",
        f"--identity-token={token or token_of(member)}",
    )


def act(
    team: Team, instance: Instance, member: str, *arguments: str, token: str = "", code: int = 0
) -> str:
    """A command that signs with an account."""
    with online():
        return team.accord(*arguments, *keyless(instance, member, token or None), code=code)


def vote(
    team: Team,
    instance: Instance,
    member: str,
    content: dict[str, object] = AGREE,
    *,
    token: str = "",
    code: int = 0,
) -> str:
    draft = team.write(f"{member}.json", content)
    arguments = ("vote", "x", "--from", str(draft), "--commit")
    return act(team, instance, member, *arguments, token=token, code=code)


def cast(team: Team, instance: Instance, content: dict[str, object] = AGREE) -> None:
    """The reviewer votes with an account, and the others with their keys."""
    team.propose("x")
    vote(team, instance, "reviewer", content)
    team.vote("x", dict.fromkeys(OTHERS, AGREE))
    act(team, instance, "reviewer", "reveal", "x", "--commit")


def decide(team: Team, instance: Instance) -> None:
    cast(team, instance)
    team.affirm("x", OTHERS)
    draft = team.write("affirm.json", AFFIRM)
    act(team, instance, "reviewer", "affirm", "x", "--from", str(draft), "--commit")


def errors(team: Team, *options: str, code: int = 1) -> dict[str, str]:
    report = team.json("verify", *(options or ("--range=main..HEAD",)), code=code)
    assert isinstance(report, dict)
    return {one["code"]: one["message"] for one in report["findings"] if one["severity"] == "error"}


class TestMixedRound:
    def test_it_is_accepted_and_verified_without_network(
        self, team: Team, instance: Instance
    ) -> None:
        decide(team, instance)
        assert team.status_of("x") == "accepted"
        assert errors(team, code=0) == {}
        seal = place(team, f"{R1}/seals/reviewer.yaml.sigstore.json")
        assert "bundle.v0.3" in json.loads(seal.read_text())["mediaType"]
        assert "scheme: sigstore" in place(team, "record.yaml").read_text()
        shown = team.accord("log", "x")
        assert "reviewer sealed a vote; logged 20" in shown
        assert "challenger sealed a vote; logged" not in shown

    def test_one_certificate_serves_all_files_of_a_command(
        self, team: Team, instance: Instance
    ) -> None:
        team.propose("x")
        team.vote("x", dict.fromkeys(OTHERS, AGREE))
        vote(team, instance, "reviewer")  # seals, and opens at once: all seals are in
        bundles = [
            json.loads(place(team, f"{R1}/{kind}/reviewer.yaml.sigstore.json").read_text())
            for kind in ("seals", "votes")
        ]
        first, second = (one["verificationMaterial"]["certificate"] for one in bundles)
        assert first == second

    def test_the_decider_rules_with_an_account(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        told = act(team, instance, "dana", "withdraw", "x", "--reason=no", code=1)
        assert f"signed as dana@example.org (issuer {ISSUER}), for dana" in told
        assert "signer-lacks-role" in told

    def test_who_signs_is_known_by_the_token(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        draft = team.write("vote.json", AGREE)
        arguments = keyless(instance, "reviewer")[1:]
        with online():
            told = team.accord("vote", "x", "--from", str(draft), *arguments)
        assert "for reviewer" in told
        stranger = (arguments[0], f"--identity-token={token_of('stranger')}")
        told = team.accord("vote", "x", "--from", str(draft), *stranger, code=2)
        assert "stranger@example.org" in told

    def test_a_key_and_an_account_of_one_member_count_once(
        self, team: Team, instance: Instance
    ) -> None:
        team.repo.git("switch", "-q", "main")
        use_identity(team, "implementer", beside=True)
        commit(team, "both")
        team.repo.git("switch", "-qC", "work", "main")
        team.propose("x")
        vote(team, instance, "implementer")
        draft = team.write("vote.json", MAJOR)
        told = team.accord("vote", "x", "--from", str(draft), "--as=implementer", code=2)
        assert "implementer" in told
        seals = sorted(place(team, f"{R1}/seals").iterdir())
        assert [path.name for path in seals] == [
            "implementer.yaml",
            "implementer.yaml.sigstore.json",
        ]

    def test_from_a_key_to_an_account(self, team: Team, instance: Instance) -> None:
        """The vote was sealed with the key, and is opened with the account."""
        team.repo.git("switch", "-q", "main")
        use_identity(team, "implementer", beside=True)
        commit(team, "both")
        team.repo.git("switch", "-qC", "work", "main")
        team.propose("x")
        team.vote("x", dict.fromkeys(OTHERS, AGREE))
        vote(team, instance, "reviewer")
        assert place(team, f"{R1}/seals/implementer.yaml.sig").exists()
        team.repo.git("config", "--unset", "accord.implementer.key")
        assert errors(team, code=0) == {}

    def test_without_a_token_or_a_browser(self, team: Team) -> None:
        team.propose("x")
        draft = team.write("vote.json", AGREE)
        told = team.accord("vote", "x", "--from", str(draft), "--as=reviewer", code=2)
        assert "no OIDC token is at hand" in told
        assert "id-token: write" in told
        assert not place(team, f"{R1}/round.yaml").parent.joinpath("seals").exists()

    def test_a_token_of_a_ci_job_is_found(
        self, team: Team, instance: Instance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        team.propose("x")
        monkeypatch.setenv("GITLAB_CI", "true")
        monkeypatch.setenv("SIGSTORE_ID_TOKEN", token_of("reviewer"))
        draft = team.write("vote.json", AGREE)
        with online():
            told = team.accord(
                "vote", "x", "--from", str(draft), "--as=reviewer", f"--sigstore={instance.config}"
            )
        assert "signed as reviewer@example.org" in told


class TestRefused:
    def test_another_account(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        told = vote(team, instance, "reviewer", token=token_of("mallory"), code=2)
        assert f"this account is mallory@example.org (issuer {ISSUER})" in told
        assert f"reviewer is reviewer@example.org (issuer {ISSUER})" in told
        assert team.repo.git("status", "--porcelain") == ""

    def test_another_issuer(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        token = make_token(email="reviewer@example.org", iss="https://evil.example.org")
        assert "issuer https://evil" in vote(team, instance, "reviewer", token=token, code=2)

    def test_a_token_that_has_expired(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        told = vote(team, instance, "reviewer", token=token_of("reviewer", -100), code=2)
        assert "the identity token is of no use" in told
        assert "get a fresh one" in told
        assert team.repo.git("status", "--porcelain") == ""

    def test_no_service(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        draft = team.write("vote.json", AGREE)
        arguments = keyless(instance, "reviewer")
        told = team.accord("vote", "x", "--from", str(draft), *arguments, code=2)
        assert "Sigstore did not sign" in told
        assert team.repo.git("status", "--porcelain") == ""

    def test_a_member_without_an_identity(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        told = vote(team, instance, "implementer", code=2)
        assert "implementer has no Sigstore identity" in told

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--sigstore", "--key=k"), "exclude each other"),
            (("--identity-token=t",), "goes with --sigstore"),
            (("--sigstore=nowhere.json", "--identity-token=t"), "is of no use"),
        ],
    )
    def test_usage(self, team: Team, options: tuple[str, ...], message: str) -> None:
        team.propose("x")
        draft = str(team.write("vote.json", AGREE))
        assert message in team.accord("vote", "x", "--from", draft, *options, code=2)

    def test_a_trust_config_that_is_not_there(self, team: Team) -> None:
        team.propose("x")
        draft = str(team.write("vote.json", AGREE))
        options = ("--as=reviewer", "--sigstore=gone", f"--identity-token={token_of('reviewer')}")
        told = team.accord("vote", "x", "--from", draft, *options, code=2)
        assert "the trust config gone cannot be read" in told


class TestJudged:
    def test_by_the_times_of_the_log(self, team: Team, instance: Instance) -> None:
        """A window that ended is judged by the log, whatever the file claims."""
        team.propose("x")
        vote(team, instance, "reviewer")
        assert errors(team, code=0) == {}
        for window, code in (
            ('valid_until: "2020-01-01T00:00:00Z"', "key-not-valid"),
            ('revoked_from: "2020-01-01T00:00:00Z"', "key-not-valid"),
            ('revoked_from: "2099-01-01T00:00:00Z"', None),
        ):
            team.repo.git("switch", "-q", "--detach", "main")
            old = f"          issuer: {ISSUER}\n"
            edit_policy(
                team,
                (f"reviewer@example.org\n{old}", f"reviewer@example.org\n{old}        {window}\n"),
            )
            commit(team, "a window")
            team.repo.git("branch", "-f", "windowed")
            told = team.json(
                "ci", "--base=windowed", "--head=work", "--branch=work", code=1 if code else 0
            )
            assert isinstance(told, dict)
            found = {one["code"] for one in told["findings"] if one["severity"] == "error"}
            assert found == ({code} if code else set())
            team.repo.git("switch", "-q", "work")

    def test_the_order_of_seals_by_the_log(self, team: Team, instance: Instance) -> None:
        """A squash loses the order of commits, and a retraction the affirmations; logs have it."""
        team.repo.git("switch", "-q", "main")
        for member in OTHERS:
            use_identity(team, member)
        commit(team, "accounts only")
        team.repo.git("switch", "-qC", "work", "main")
        team.propose("x")
        for member in VOTERS:
            content = MAJOR if member == "challenger" else AGREE
            vote(team, instance, member, content)
        for member in VOTERS[:-1]:
            act(team, instance, member, "reveal", "x", "--commit")
        team.repo.git("reset", "-q", "--soft", "main")
        commit(team, "squashed")
        report = team.json("verify", "--range=main..HEAD")
        assert isinstance(report, dict)
        codes = {one["code"] for one in report["findings"]}
        logged = [one for one in report["notes"] if "by the times of the log" in one]
        assert ("seal-order-unproven" in codes) == (not logged)

    def test_claims_of_a_ci_job(self, team: Team, instance: Instance) -> None:
        team.repo.git("switch", "-q", "main")
        repository = "https://github.com/octo-org/orders"
        edit_policy(
            team,
            (
                f"reviewer@example.org\n          issuer: {ISSUER}\n",
                f"reviewer@example.org\n          issuer: {ISSUER}\n"
                f"          repository: {repository}\n          trigger: push\n",
            ),
        )
        commit(team, "a CI job")
        team.repo.git("switch", "-qC", "work", "main")
        team.propose("x")

        def job(trigger: str) -> str:
            about: Any = {"repository": "octo-org/orders", "event_name": trigger}
            return make_token(email="reviewer@example.org", **about)

        evil = job("pull_request")
        told = vote(team, instance, "reviewer", token=evil, code=1)
        assert "unknown-signer" in told
        assert f"its certificate does not say repository {repository}, trigger push" in told
        vote(team, instance, "reviewer", token=job("push"))
        assert errors(team, code=0) == {}

    def test_a_root_that_is_not_here_cannot_judge(self, team: Team, instance: Instance) -> None:
        team.propose("x")
        vote(team, instance, "reviewer")
        root = team.decisions / "trusted_root.json"
        root.write_text("{}")
        team.repo.git("switch", "-q", "main")
        root.write_text("{}")
        commit(team, "another root")
        team.repo.git("switch", "-q", "work")
        told = team.accord("verify", "--rev=main", "--tree-only")
        assert "error" not in told.replace("no errors", "")
        team.repo.git("merge", "-q", "--no-edit", "main")
        told = team.accord("verify", "--rev=HEAD", "--tree-only", code=3)
        assert "trusted_root.json is not here as the policy names it" in told

    def test_the_root_of_somebody_else(self, team: Team, stranger: Instance) -> None:
        """Whoever runs an instance can make any identity: only the pinned root counts."""
        team.propose("x")
        told = vote(team, stranger, "reviewer", code=1)
        assert "bad-signature" in told
        assert team.repo.git("status", "--porcelain") == ""


def test_doctor_says_what_a_member_needs(team: Team, instance: Instance) -> None:
    told = team.accord("doctor")
    assert "reviewer signs with an account: reviewer@example.org" in told
    assert "accord … --as reviewer --sigstore" in told


def test_sigstore_is_imported_for_bundles_alone(tmp_path: Path) -> None:
    import subprocess
    import sys

    script = (
        "import sys; from accord.cli.main import run; run(['verify', '--help']);"
        " import accord.signing.authenticate; sys.exit('sigstore' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert FixedKey("x").line.startswith("ssh-ed25519 ")


def test_the_demo_is_played_with_a_running_instance(
    instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    from accord.cli.main import run

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(["demo", "--sigstore", str(instance.config)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "this account is mallory@example.org" in told
    assert "signed as reviewer@example.org" in told
    assert "PROCEED" in told
    assert "no errors" in told
    assert run(["demo", "--sigstore", str(tmp_path / "gone")]) == 2


def test_a_token_in_a_file(team: Team, instance: Instance) -> None:
    team.propose("x")
    token = team.write("token", token_of("reviewer") + "\n")
    draft = str(team.write("vote.json", AGREE))
    options = ("--as=reviewer", f"--sigstore={instance.config}")
    with online():
        team.accord("vote", "x", "--from", draft, *options, f"--identity-token=@{token}")
    told = team.accord("vote", "x", "--from", draft, *options, "--identity-token=@gone", code=2)
    assert "gone cannot be read as a token" in told
