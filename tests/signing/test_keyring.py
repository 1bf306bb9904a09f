"""Whose key it is, what is wrong with a policy's keys, and what stock ssh-keygen makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.model.policy import Key, SigstoreIdentity
from accord.signing.base import Owner, Unknown
from accord.signing.keyring import KeyRing, allowed_signers, check_keys
from accord.signing.ssh import verify_ssh
from tests.signing.policies import policy_of, ring_of
from tests.support.keys import FixedKey, HardwareKey
from tests.support.ssh import stock_verifies
from tests.support.tables import table

DANA, OMAR, EVE = FixedKey("dana"), FixedKey("omar"), FixedKey("eve")
KEYLESS = Key(sigstore=SigstoreIdentity(identity="dana@example.org", issuer="https://example.org"))
DATA = b"a vote"


class TestOwners:
    def test_a_member_may_have_several_keys(self) -> None:
        ring = ring_of(dana=(DANA.line, KEYLESS, EVE.line), omar=OMAR.line)

        owners = [ring.find_ssh(key.blob) for key in (DANA, EVE, OMAR)]

        assert [isinstance(owner, Owner) and owner.member for owner in owners] == [
            "dana",
            "dana",
            "omar",
        ]
        assert set(ring.ssh_owners("dana")) == {DANA.blob, EVE.blob}
        assert ring.ssh_owners("nobody") == {}

    def test_one_key_may_stand_twice_with_its_member(self) -> None:
        first, second = (
            Key(ssh=DANA.line),
            Key(ssh=f"{DANA.line} laptop", valid_from="2026-01-01T00:00:00Z"),
        )

        owner = ring_of(dana=(first, second)).find_ssh(DANA.blob)

        assert isinstance(owner, Owner)
        assert owner.keys == (first, second)

    def test_a_key_of_two_members_speaks_for_none(self) -> None:
        ring = ring_of(dana=(DANA.line, EVE.line), omar=f"{DANA.line} other comment")

        assert isinstance(ring.find_ssh(DANA.blob), Unknown)
        assert set(ring.ssh_owners("dana")) == {EVE.blob}
        assert ring.ssh_owners("omar") == {}

    def test_a_line_that_is_no_key_is_nobodys(self) -> None:
        ring = ring_of(dana="words", omar=OMAR.line)

        assert isinstance(ring.find_ssh(DANA.blob), Unknown)
        assert isinstance(ring.find_ssh(b""), Unknown)

    def test_nobody_is_in_an_empty_ring(self) -> None:
        assert isinstance(KeyRing({}).find_ssh(DANA.blob), Unknown)


class TestCheck:
    def test_sound_keys(self) -> None:
        policy = policy_of(dana=(DANA.line, KEYLESS), omar=OMAR.line, eve=HardwareKey("eve").line)

        assert check_keys(policy, "decisions/policy.yaml") == ()

    def test_lines_that_are_no_keys(self) -> None:
        policy = policy_of(dana=(KEYLESS, "words", DANA.line), omar=f"no-pty {OMAR.line}")

        findings = check_keys(policy, "decisions/policy.yaml")

        assert [(each.code, each.field, each.path) for each in findings] == [
            ("policy-invalid", "members.dana.keys[1].ssh", "decisions/policy.yaml"),
            ("policy-invalid", "members.omar.keys[0].ssh", "decisions/policy.yaml"),
        ]
        assert "'words' is no type of SSH key" in findings[0].message
        assert "ssh-keygen -t ed25519" in findings[0].hint
        assert "'no-pty' stands before the key" in findings[1].message

    def test_the_same_key_under_another_comment(self) -> None:
        policy = policy_of(
            dana=(DANA.line, f"{DANA.line} again"), omar=(OMAR.line, f"{DANA.line} mine")
        )

        (finding,) = check_keys(policy, "decisions/policy.yaml")

        assert finding.field == "members.omar.keys[1].ssh"
        assert "stands with dana too" in finding.message


class TestAllowedSigners:
    def test_one_line_a_key_without_comments(self) -> None:
        policy = policy_of(dana=(f"{DANA.line} *,eve", KEYLESS), omar=OMAR.line, eve="words")

        assert allowed_signers(policy) == (
            f'dana namespaces="accord" {DANA.line}\nomar namespaces="accord" {OMAR.line}\n'
        )

    def test_stock_ssh_keygen_verifies_with_it(self, tmp_path: Path) -> None:
        """What the documentation tells everybody to do without accord."""
        signers = allowed_signers(policy_of(dana=DANA.line, omar=OMAR.line))
        signature = DANA.sign(DATA)

        assert stock_verifies(tmp_path, signers, "dana", DATA, signature)
        assert not stock_verifies(tmp_path, signers, "omar", DATA, signature)
        assert not stock_verifies(tmp_path, signers, "dana", DATA + b"!", signature)
        assert not stock_verifies(tmp_path, signers, "dana", DATA, EVE.sign(DATA))
        assert not stock_verifies(tmp_path, signers, "dana", DATA, DANA.sign(DATA, "git"))

    @table(
        ("windows", "options"),
        {
            "from": ({"valid_from": "2026-01-02T03:04:05.5Z"}, 'valid-after="20260102030405Z"'),
            "until": ({"valid_until": "2026-01-02T03:04:05Z"}, 'valid-before="20260102030405Z"'),
            "revoked": ({"revoked_from": "2026-01-02T03:04:05Z"}, 'valid-before="20260102030405Z"'),
            "first-of-two": (
                {"valid_until": "2027-01-01T00:00:00Z", "revoked_from": "2026-01-02T03:04:05Z"},
                'valid-before="20260102030405Z"',
            ),
            "both": (
                {"valid_from": "2026-01-01T00:00:00Z", "valid_until": "2026-01-02T03:04:05Z"},
                'valid-after="20260101000000Z",valid-before="20260102030405Z"',
            ),
        },
    )
    def test_windows_are_kept(self, windows: dict[str, str], options: str) -> None:
        policy = policy_of(dana=Key(ssh=DANA.line, **windows))  # type: ignore[arg-type]

        assert allowed_signers(policy) == f'dana namespaces="accord",{options} {DANA.line}\n'

    @pytest.mark.parametrize(
        ("time", "expected"),
        [
            ("20260101000000Z", True),
            ("20260630115959Z", True),
            ("20251231235959Z", False),
            ("20260630120001Z", False),
        ],
    )
    def test_stock_ssh_keygen_sees_windows_as_we_do(
        self, tmp_path: Path, time: str, expected: bool
    ) -> None:
        key = Key(
            ssh=DANA.line, valid_from="2026-01-01T00:00:00Z", valid_until="2026-06-30T12:00:00Z"
        )
        signers = allowed_signers(policy_of(dana=key))
        option = f"-Overify-time={time}"

        assert stock_verifies(tmp_path, signers, "dana", DATA, DANA.sign(DATA), option) == expected


def test_no_two_members_are_taken_for_each_other() -> None:
    ring = ring_of(dana=DANA.line, omar=OMAR.line)

    verdict = verify_ssh(DATA, OMAR.sign(DATA), ring)

    assert getattr(verdict, "owner", None) == ring.ssh_owners("omar")[OMAR.blob]
