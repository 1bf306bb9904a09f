"""Signing with the real ssh-keygen and ssh-agent, and what stands in the way of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from accord.errors import AccordError, UsageError
from accord.signing.ssh import verify_by
from accord.signing.ssh_file import load_public_key
from accord.signing.ssh_key import parse_public_key
from accord.signing.ssh_keygen import generate_key
from accord.signing.ssh_signer import SshSigner
from tests.support.keys import FixedKey
from tests.support.ssh import agent, make_key, run
from tests.support.tables import table

DATA = b"format: accord/vote/1\r\n\x00"
DANA = FixedKey("dana")
PUBLIC = parse_public_key(DANA.line)


class TestSign:
    @pytest.mark.parametrize("name", ["dana", "dana.pub"])
    def test_with_either_file_of_a_pair(self, tmp_path: Path, name: str) -> None:
        DANA.write(tmp_path)
        signer = SshSigner("dana", PUBLIC, tmp_path / name)

        assert signer.sign(DATA) == DANA.sign(DATA)
        assert signer.scheme == "ssh"

    @pytest.mark.parametrize("options", [("-t", "ecdsa"), ("-t", "rsa", "-b", "2048")])
    def test_with_other_types(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        public = parse_public_key(make_key(tmp_path / "key", *options))

        signature = SshSigner("dana", public, tmp_path / "key").sign(DATA)

        assert verify_by(public, DATA, signature)

    def test_with_what_the_agent_holds(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with agent() as socket:
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            run("ssh-add", "-q", str(DANA.write(tmp_path)))
            shutil.rmtree(tmp_path)

            assert SshSigner("dana", PUBLIC, None).sign(DATA) == DANA.sign(DATA)

    def test_with_a_locked_key_that_the_agent_holds(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = DANA.write(tmp_path)
        with agent() as socket:
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            run("ssh-add", "-q", str(file))
            run("ssh-keygen", "-p", "-q", "-P", "", "-N", "secret", "-f", str(file))

            assert SshSigner("dana", PUBLIC, file).sign(DATA) == DANA.sign(DATA)

    def test_a_passphrase_is_not_asked_for_without_a_terminal(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)
        run("ssh-keygen", "-p", "-q", "-P", "", "-N", "secret", "-f", str(file))

        with pytest.raises(AccordError, match="needs its passphrase") as refused:
            SshSigner("dana", PUBLIC, file).sign(DATA)

        assert refused.value.hint == f"give it to the agent first: `ssh-add {file}`"

    @table(
        ("where", "require", "program", "words", "hint"),
        {
            "on a pipe": ("pipe", "force", "", "SSH_ASKPASS_REQUIRE is not heeded", "give it to"),
            "typed wrong": ("terminal", "never", "", "was wrong", "try again"),
            "no program": (
                "terminal",
                "force",
                "gone",
                "program is not there",
                "unset SSH_ASKPASS",
            ),
            "a program that is closed": (
                "terminal",
                "force",
                "closed",
                "it gave none, or a wrong one",
                "unset SSH_ASKPASS",
            ),
        },
    )
    def test_who_is_asked_for_a_passphrase(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        where: str,
        require: str,
        program: str,
        words: str,
        hint: str,
    ) -> None:
        file = DANA.write(tmp_path)
        run("ssh-keygen", "-p", "-q", "-P", "", "-N", "secret", "-f", str(file))
        (tmp_path / "closed").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "closed").chmod(0o755)
        monkeypatch.setenv("SSH_ASKPASS_REQUIRE", require)
        monkeypatch.setenv("SSH_ASKPASS", str(tmp_path / program))
        monkeypatch.setattr("sys.stdin.isatty", lambda: where == "terminal", raising=False)

        with pytest.raises(AccordError, match=words) as refused:
            SshSigner("dana", PUBLIC, file).sign(DATA)

        assert refused.value.hint.startswith(hint)

    def test_a_private_key_that_others_may_read(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)
        file.chmod(0o644)

        with pytest.raises(AccordError, match="others may read") as refused:
            SshSigner("dana", PUBLIC, file).sign(DATA)

        assert refused.value.hint == f"`chmod 600 {file}`"

    def test_a_public_key_alone(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)
        file.unlink()

        with pytest.raises(AccordError, match=r"private half of .*dana.pub is not at hand") as no:
            SshSigner("dana", PUBLIC, file.with_name("dana.pub")).sign(DATA)

        assert "ssh-add" in no.value.hint

    def test_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(AccordError, match="No such file"):
            SshSigner("dana", PUBLIC, tmp_path / "missing").sign(DATA)

    def test_an_agent_that_is_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(AccordError, match="the ssh-agent did not sign with SHA256:"):
            SshSigner("dana", PUBLIC, None).sign(DATA)

        with agent() as socket:
            monkeypatch.setenv("SSH_AUTH_SOCK", socket)
            with pytest.raises(AccordError, match="SHA256:") as refused:
                SshSigner("dana", PUBLIC, None).sign(DATA)
        assert "ssh-add" in refused.value.hint

    def test_halves_of_two_pairs_sign_nothing(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)
        shutil.copy(FixedKey("omar").write(tmp_path), file)

        with pytest.raises(AccordError, match="doesn't match private"):
            SshSigner("dana", PUBLIC, file).sign(DATA)

    def test_a_key_that_was_changed_meanwhile_signs_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(AccordError, match="ssh-keygen made a signature that is not good") as no:
            SshSigner("dana", PUBLIC, FixedKey("omar").write(tmp_path)).sign(DATA)

        assert PUBLIC.fingerprint in no.value.message
        assert "ssh-keygen -y" in no.value.hint

    def test_what_is_no_signature_is_not_handed_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        odd = tmp_path / "bin/ssh-keygen"
        odd.parent.mkdir()
        odd.write_text("#!/bin/sh\necho signed\n")
        odd.chmod(0o755)
        monkeypatch.setenv("PATH", str(odd.parent), prepend=":")

        with pytest.raises(AccordError, match="not good: it is not a signature file"):
            SshSigner("dana", PUBLIC, DANA.write(tmp_path)).sign(DATA)

    def test_without_ssh_keygen(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")

        with pytest.raises(AccordError, match="ssh-keygen cannot be run") as refused:
            SshSigner("dana", PUBLIC, DANA.write(tmp_path)).sign(DATA)

        assert "install OpenSSH" in refused.value.hint


class TestGenerate:
    def test_makes_a_pair_for_its_owner_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "new" / "keys" / "dana"

        public = generate_key(file, "dana")

        assert public.type == "ssh-ed25519"
        assert file.with_name("dana.pub").read_text() == f"{public.line} dana\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert verify_by(public, DATA, SshSigner("dana", public, file).sign(DATA))

    @pytest.mark.parametrize("there", ["dana", "dana.pub"])
    def test_writes_over_no_key(self, tmp_path: Path, there: str) -> None:
        (tmp_path / there).write_text("kept")

        with pytest.raises(UsageError, match="there is a key"):
            generate_key(tmp_path / "dana", "dana")

        assert [path.name for path in tmp_path.iterdir()] == [there]
        assert (tmp_path / there).read_text() == "kept"

    def test_where_nothing_can_be_written(self) -> None:
        with pytest.raises(AccordError, match="cannot be made"):
            generate_key(Path("/dev/null/keys/dana"), "dana")
        with pytest.raises(AccordError, match="ssh-keygen did not make the key"):
            generate_key(Path("/proc/dana"), "dana")


class TestLoad:
    def test_either_half_shows_the_public_one(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)

        assert load_public_key(file) == load_public_key(tmp_path / "dana.pub") == PUBLIC

    def test_a_locked_private_key_shows_it_too(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)
        run("ssh-keygen", "-p", "-q", "-P", "", "-N", "secret", "-f", str(file))
        (tmp_path / "dana.pub").unlink()

        assert load_public_key(file) == PUBLIC

    @pytest.mark.parametrize("options", [("-t", "ecdsa"), ("-t", "rsa", "-b", "2048")])
    def test_other_types(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        made = make_key(tmp_path / "key", *options)

        assert load_public_key(tmp_path / "key").line == made

    def test_other_formats_need_their_public_file(self, tmp_path: Path) -> None:
        made = make_key(tmp_path / "key", "-t", "rsa", "-b", "2048", "-m", "PEM")

        assert load_public_key(tmp_path / "key").line == made
        (tmp_path / "key.pub").unlink()
        with pytest.raises(AccordError, match="does not show its public half") as refused:
            load_public_key(tmp_path / "key")
        assert f"ssh-keygen -y -f {tmp_path / 'key'} >" in refused.value.hint

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"words",
            b"\xff\xfe",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\n!\n-----END OPENSSH PRIVATE KEY-----\n",
            b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAABBBBCCCCDDDDEEEE\n",
        ],
    )
    def test_what_is_no_key(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "key").write_bytes(content)

        with pytest.raises(AccordError):
            load_public_key(tmp_path / "key")

    def test_an_old_rsa_key_is_not_taken(self, tmp_path: Path) -> None:
        make_key(tmp_path / "key", "-t", "rsa", "-b", "1024")

        with pytest.raises(AccordError, match="has 1024 bits"):
            load_public_key(tmp_path / "key")

    @pytest.mark.parametrize("path", ["missing", ""])
    def test_what_cannot_be_read(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(AccordError, match="cannot be read") as refused:
            load_public_key(tmp_path / path)

        assert "permissions" in refused.value.hint
