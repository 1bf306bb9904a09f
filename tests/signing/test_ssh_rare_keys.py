"""RSA, ECDSA and security keys against ssh-keygen: good, damaged and untouched signatures."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from accord.signing.base import Bad, Good
from accord.signing.keyring import allowed_signers
from accord.signing.ssh import verify_ssh
from accord.signing.ssh_envelope import parse_envelope
from accord.signing.wire import Wire, encode_natural
from tests.signing.policies import policy_of, ring_of
from tests.support.keys import (
    COUNTER,
    TOUCHED,
    VERIFIED,
    HardwareCurveKey,
    HardwareKey,
    armour,
    envelope,
    pack,
    signed_bytes,
)
from tests.support.ssh import make_key, sign, stock_verifies
from tests.support.tables import table

DATA = b"format: accord/vote/1\nvote: agree\n"
TOKENS: dict[str, HardwareKey | HardwareCurveKey] = {
    "ed25519": HardwareKey("dana"),
    "ecdsa": HardwareCurveKey("dana"),
}


def judge(folder: Path, line: str, signature: bytes) -> tuple[type, bool]:
    """What accord says of a signature file, and whether ssh-keygen takes it."""
    ours = verify_ssh(DATA, signature, ring_of(dana=line))
    signers = allowed_signers(policy_of(dana=line))
    return type(ours), stock_verifies(folder, signers, "dana", DATA, signature)


def value_of(signature: bytes) -> bytes:
    """What is inside the envelope of a signature file."""
    return parse_envelope(signature).signature


def resealed(signature: bytes, edit: Callable[[bytes], bytes]) -> bytes:
    """The signature file with the value inside its envelope changed."""
    return armour(envelope(parse_envelope(signature).key, edit(value_of(signature))))


def split_value(value: bytes) -> tuple[bytes, bytes, bytes]:
    """Algorithm, signature, and what a security key adds."""
    wire = Wire(value)
    algorithm, inner = wire.string(), wire.string()
    return algorithm, inner, value[len(pack(algorithm, inner)) :]


class TestSecurityKeys:
    @pytest.mark.parametrize("kind", TOKENS)
    @table(
        ("flags", "expected"),
        {
            "touched": (TOUCHED, Good),
            "touched and a PIN": (TOUCHED | VERIFIED, Good),
            "untouched": (0, Bad),
            "a PIN alone": (VERIFIED, Bad),
            "every flag but the touch": (0xFE, Bad),
        },
    )
    def test_only_a_touch_counts(
        self, tmp_path: Path, kind: str, flags: int, expected: type
    ) -> None:
        token = TOKENS[kind]

        assert judge(tmp_path, token.line, token.sign(DATA, flags)) == (expected, True)

    @pytest.mark.parametrize("kind", TOKENS)
    def test_the_reason_says_what_to_do(self, kind: str) -> None:
        token = TOKENS[kind]
        verdict = verify_ssh(DATA, token.sign(DATA, 0), ring_of(dana=token.line))

        assert isinstance(verdict, Bad)
        assert "nobody touched" in verdict.reason
        assert "sign again" in verdict.reason

    @pytest.mark.parametrize("kind", TOKENS)
    def test_a_flag_cannot_be_put_in_later(self, tmp_path: Path, kind: str) -> None:
        token = TOKENS[kind]
        untouched = token.sign(DATA, 0)
        touched = resealed(untouched, lambda value: value[:-5] + bytes([TOUCHED]) + COUNTER)

        assert judge(tmp_path, token.line, touched) == (Bad, False)

    @pytest.mark.parametrize("kind", TOKENS)
    def test_what_we_take_ssh_keygen_takes(self, tmp_path: Path, kind: str) -> None:
        token = TOKENS[kind]
        good = token.sign(DATA)
        algorithm, inner, added = split_value(value_of(good))
        damaged = {
            "cut off": value_of(good)[:-1],
            "no flags": pack(algorithm, inner),
            "trailing": value_of(good) + b"\0",
            "another counter": value_of(good)[:-1] + b"\x08",
            "of a browser": pack(b"webauthn-sk-ecdsa-sha2-nistp256@openssh.com", inner) + added,
            "of the bare key": pack(b"ssh-ed25519", inner) + added,
            "flipped": pack(algorithm, inner[:-1] + bytes([inner[-1] ^ 1])) + added,
            "empty": pack(algorithm, b"") + added,
            "nothing": b"",
        }
        rows = {name: resealed(good, lambda _, to=to: to) for name, to in damaged.items()}  # type: ignore[misc]

        judged = {name: judge(tmp_path, token.line, row) for name, row in rows.items()}

        assert judge(tmp_path, token.line, good) == (Good, True)
        assert {name for name, (ours, _) in judged.items() if ours is not Bad} == set()


def test_a_security_key_on_ed25519_has_one_good_form(tmp_path: Path) -> None:
    """Some versions of ssh-keygen take s and s + L alike; here only the lesser is good."""
    token = TOKENS["ed25519"]
    order = 2**252 + 27742317777372353535851937790883648493

    def add(value: bytes) -> bytes:
        algorithm, inner, added = split_value(value)
        greater = int.from_bytes(inner[32:], "little") + order
        return pack(algorithm, inner[:32] + greater.to_bytes(32, "little")) + added

    other = resealed(token.sign(DATA), add)

    assert other != token.sign(DATA)
    ours, _ = judge(tmp_path, token.line, other)
    assert ours is Bad


class TestEcdsa:
    """An ECDSA signature has other good forms, which anybody can make without the key.

    So nothing may take the bytes of a signature file for the identity of a signature.
    """

    ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

    @staticmethod
    def read_pair(value: bytes) -> tuple[bytes, int, int]:
        algorithm, inner, _ = split_value(value)
        wire = Wire(inner)
        return algorithm, wire.natural(), wire.natural()

    def negate(self, value: bytes) -> bytes:
        algorithm, r, s = self.read_pair(value)
        return pack(algorithm, pack(encode_natural(r), encode_natural(self.ORDER - s)))

    def pad(self, value: bytes) -> bytes:
        algorithm, r, s = self.read_pair(value)
        return pack(algorithm, pack(b"\0\0" + encode_natural(r), encode_natural(s)))

    def test_one_signature_has_several_good_forms(self, tmp_path: Path) -> None:
        line = make_key(tmp_path / "key", "-t", "ecdsa", "-b", "256")
        good = sign(tmp_path / "key", DATA)

        forms = {good, resealed(good, self.negate)}

        assert len(forms) == 2
        for form in forms:
            assert judge(tmp_path, line, form) == (Good, True)
        assert judge(tmp_path, line, resealed(good, self.pad)) == (Bad, True)


@pytest.fixture(scope="module")
def rsa(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, RSAPrivateKey]:
    file = tmp_path_factory.mktemp("rsa") / "key"
    line = make_key(file, "-t", "rsa", "-b", "2048")
    private = serialization.load_ssh_private_key(file.read_bytes(), None)
    assert isinstance(private, RSAPrivateKey)
    return line, private


def test_damaged_rsa_signatures_that_we_take_ssh_keygen_takes(
    tmp_path: Path, rsa: tuple[str, RSAPrivateKey]
) -> None:
    line, private = rsa
    blob = base64.b64decode(line.split(" ")[1])

    def value(data: bytes = DATA, hash_: hashes.HashAlgorithm | None = None) -> bytes:
        return private.sign(signed_bytes(data), padding.PKCS1v15(), hash_ or hashes.SHA512())

    flipped = bytearray(value())
    flipped[40] ^= 1
    values = {
        "good": pack(b"rsa-sha2-512", value()),
        "good-sha256": pack(b"rsa-sha2-256", value(hash_=hashes.SHA256())),
        "sha1": pack(b"ssh-rsa", value(hash_=hashes.SHA1())),  # noqa: S303
        "swapped": pack(b"rsa-sha2-256", value()),
        "flipped": pack(b"rsa-sha2-512", bytes(flipped)),
        "short": pack(b"rsa-sha2-512", value()[:-1]),
        "long": pack(b"rsa-sha2-512", b"\0" + value()),
        "empty": pack(b"rsa-sha2-512", b""),
        "zero": pack(b"rsa-sha2-512", bytes(256)),
        "of other data": pack(b"rsa-sha2-512", value(b"other")),
        "trailing": pack(b"rsa-sha2-512", value()) + b"\0",
        "pss": pack(
            b"rsa-sha2-512",
            private.sign(
                signed_bytes(DATA),
                padding.PSS(padding.MGF1(hashes.SHA512()), 64),
                hashes.SHA512(),
            ),
        ),
    }
    rows = {name: armour(envelope(blob, inner)) for name, inner in values.items()}

    judged = {name: judge(tmp_path, line, row) for name, row in rows.items()}

    ours = {name for name, (verdict, _) in judged.items() if verdict is Good}
    stock = {name for name, (_, verdict) in judged.items() if verdict}
    assert ours == {"good", "good-sha256"}
    assert ours <= stock
