"""Finding the key that signs: the option, the configuration, the agent."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from accord.errors import AccordError, UsageError
from accord.model.policy import Key, Policy
from accord.signing.discover import find_signer, find_signers
from accord.store.git import Repository
from tests.signing.policies import policy_of
from tests.support.keys import FixedKey, HardwareKey
from tests.support.repos import Repo
from tests.support.ssh import agent, make_key, run

DANA, OMAR, EVE = FixedKey("dana"), FixedKey("omar"), FixedKey("eve")
POLICY = policy_of(dana=DANA.line, omar=OMAR.line, design_authority=FixedKey("third").line)
DATA = b"a vote"


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    for key in (DANA, OMAR, EVE, FixedKey("third")):
        key.write(folder)
    return folder


def configure(repo: Repo, settings: Mapping[str, object]) -> Repository:
    for name, value in settings.items():
        repo.git("config", name, str(value))
    return Repository.discover(repo.path)


class TestMany:
    def test_every_member_whose_key_is_configured(self, repo: Repo, keys: Path) -> None:
        repository = configure(
            repo,
            {
                "accord.dana.key": keys / "dana",
                "accord.design_authority.key": keys / "third.pub",
                "accord.eve.key": keys / "eve",
                "accord.gone.key": keys / "missing",
                "accord.omar.key": "",
            },
        )

        signers = find_signers(repository, POLICY)

        assert sorted(signers) == ["dana", "design_authority"]
        assert signers["dana"].sign(DATA) == DANA.sign(DATA)
        assert signers["design_authority"].member == "design_authority"
        assert signers["design_authority"].sign(DATA) == FixedKey("third").sign(DATA)

    def test_the_policy_says_whose_key_it_is(self, repo: Repo, keys: Path) -> None:
        """The name of the setting is a wish: nobody signs for another by configuring it."""
        repository = configure(repo, {"accord.omar.key": keys / "dana"})

        assert list(find_signers(repository, POLICY)) == ["dana"]

    @pytest.mark.parametrize("form", ["dana", "dana.pub"])
    def test_the_key_that_signs_commits(self, repo: Repo, keys: Path, form: str) -> None:
        repository = configure(repo, {"user.signingkey": keys / form})

        assert list(find_signers(repository, POLICY)) == ["dana"]

    @pytest.mark.parametrize("value", ["3AA5C34371567BD2", "", "/nowhere/key", "key::words"])
    def test_a_signing_key_that_is_no_ssh_key_is_passed_over(self, repo: Repo, value: str) -> None:
        repository = configure(repo, {"user.signingkey": value, "user.name": "dana"})

        assert find_signers(repository, POLICY) == {}

    def test_below_home(self, repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        repository = configure(repo, {"accord.dana.key": "~/dana"})
        monkeypatch.setenv("HOME", str(keys))

        assert find_signers(repository, POLICY)["dana"].sign(DATA) == DANA.sign(DATA)

    @pytest.mark.parametrize("prefix", ["key::", ""])
    def test_a_key_that_the_agent_holds_may_be_named(
        self, repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
    ) -> None:
        repository = configure(repo, {"user.signingkey": f"{prefix}{DANA.line} a comment"})
        with agent() as socket:
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            run("ssh-add", "-q", str(keys / "dana"))
            (keys / "dana").unlink()

            assert find_signers(repository, POLICY)["dana"].sign(DATA) == DANA.sign(DATA)

    def test_the_agent_is_asked(
        self, repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_key(keys / "old", "-t", "rsa", "-b", "1024")
        repository = configure(repo, {})
        with agent() as socket:
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            assert find_signers(repository, POLICY) == {}
            for name in ("eve", "old", "omar", "dana"):
                run("ssh-add", "-q", str(keys / name))

            signers = find_signers(repository, POLICY)
            assert sorted(signers) == ["dana", "omar"]
            assert signers["omar"].sign(DATA) == OMAR.sign(DATA)

    def test_an_agent_that_does_not_answer_is_passed_over(
        self, repo: Repo, keys: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = configure(repo, {"accord.dana.key": keys / "dana"})
        monkeypatch.setenv("SSH_AUTH_SOCK", str(keys / "nothing"))

        assert list(find_signers(repository, POLICY)) == ["dana"]

    def test_without_ssh_add(
        self, repo: Repo, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = configure(repo, {"accord.dana.key": keys / "dana"})
        git = shutil.which("git")
        assert git is not None
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/git").symlink_to(git)
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        monkeypatch.setenv("SSH_AUTH_SOCK", str(keys / "nothing"))

        assert list(find_signers(repository, POLICY)) == ["dana"]

    def test_the_option_is_the_only_one(self, repo: Repo, keys: Path) -> None:
        repository = configure(repo, {"accord.dana.key": keys / "dana"})

        assert list(find_signers(repository, POLICY, keys / "omar")) == ["omar"]
        assert find_signers(repository, POLICY, keys / "eve") == {}
        with pytest.raises(AccordError, match="cannot be read"):
            find_signers(repository, POLICY, keys / "missing")

    def test_of_several_keys_one_that_is_still_good(self, repo: Repo, keys: Path) -> None:
        retired = Key(ssh=DANA.line, valid_until="2026-01-01T00:00:00Z")
        revoked = Key(ssh=EVE.line, revoked_from="2026-01-01T00:00:00Z")
        repository = configure(
            repo,
            {
                "accord.a.key": keys / "eve",
                "accord.b.key": keys / "dana",
                "accord.c.key": keys / "third",
                "accord.d.key": keys / "omar",
            },
        )

        def chosen(*listed: Key | str) -> bytes:
            policy: Policy = policy_of(dana=listed)
            return find_signers(repository, policy)["dana"].public.blob

        third, omar = FixedKey("third"), OMAR
        assert chosen(revoked, retired, third.line, omar.line) == third.blob
        assert chosen(revoked, retired) == DANA.blob
        assert chosen(revoked) == EVE.blob
        # A key with another entry that has no limits is not a retired one.
        assert chosen(retired, DANA.line, third.line) == DANA.blob


class TestOne:
    def test_the_configured_key(self, repo: Repo, keys: Path) -> None:
        repository = configure(repo, {"accord.dana.key": keys / "dana"})

        signer = find_signer(repository, POLICY, "dana")

        assert signer.member == "dana"
        assert signer.sign(DATA) == DANA.sign(DATA)

    def test_the_option_goes_before_the_configuration(self, repo: Repo, keys: Path) -> None:
        policy = policy_of(dana=(DANA.line, EVE.line))
        repository = configure(repo, {"accord.dana.key": keys / "dana"})

        assert find_signer(repository, policy, "dana", keys / "eve").public.blob == EVE.blob

    def test_the_configuration_goes_before_what_is_around(self, repo: Repo, keys: Path) -> None:
        policy = policy_of(dana=(DANA.line, EVE.line))
        settings = {"accord.dana.key": keys / "eve", "user.signingkey": keys / "dana"}
        repository = configure(repo, settings)

        assert find_signer(repository, policy, "dana").public.blob == EVE.blob

    def test_what_is_around(self, repo: Repo, keys: Path) -> None:
        repository = configure(
            repo, {"accord.omar.key": keys / "omar", "user.signingkey": keys / "dana"}
        )

        assert find_signer(repository, POLICY, "dana").public.blob == DANA.blob

    @pytest.mark.parametrize("named", ["--key", "accord.dana.key"])
    def test_a_key_that_cannot_be_read_is_told(self, repo: Repo, keys: Path, named: str) -> None:
        settings = {} if named == "--key" else {named: keys / "missing"}
        repository = configure(repo, {**settings, "user.signingkey": keys / "dana"})
        option = keys / "missing" if named == "--key" else None

        with pytest.raises(AccordError, match="missing cannot be read"):
            find_signer(repository, POLICY, "dana", option)

    @pytest.mark.parametrize(
        ("name", "whose"), [("omar", "it is omar's"), ("eve", "a key that no member has")]
    )
    def test_a_key_of_somebody_else_is_told(
        self, repo: Repo, keys: Path, name: str, whose: str
    ) -> None:
        repository = configure(repo, {"accord.dana.key": keys / name})

        with pytest.raises(UsageError, match="which is not dana's") as refused:
            find_signer(repository, POLICY, "dana")

        assert "accord.dana.key names the key SHA256:" in refused.value.message
        assert whose in refused.value.message
        assert refused.value.hint.startswith("dana's SSH keys in the policy: SHA256:")

    def test_no_key_is_at_hand(self, repo: Repo) -> None:
        with pytest.raises(UsageError, match="no key of dana is at hand") as refused:
            find_signer(configure(repo, {}), POLICY, "dana")

        for word in ("SHA256:", "--key PATH", "git config accord.dana.key PATH", "ssh-add"):
            assert word in refused.value.hint

    def test_nobody_of_that_name(self, repo: Repo) -> None:
        with pytest.raises(UsageError, match="no key of nobody") as refused:
            find_signer(configure(repo, {}), POLICY, "nobody")

        assert "in the policy: none" in refused.value.hint

    def test_a_security_token_is_reached_through_its_file(self, repo: Repo, tmp_path: Path) -> None:
        token = HardwareKey("dana")
        (tmp_path / "token.pub").write_text(token.line + "\n")
        repository = configure(repo, {"accord.dana.key": tmp_path / "token.pub"})

        signer = find_signer(repository, policy_of(dana=token.line), "dana")

        with pytest.raises(AccordError, match="private half"):
            signer.sign(DATA)
