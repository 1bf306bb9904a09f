"""Keys and signatures that need no private key: refused, whatever other tools say of them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from accord.signing.base import Bad, Unknown
from accord.signing.keyring import check_keys
from accord.signing.soundness import CURVES, check_curve_point, check_curve_signature
from accord.signing.ssh import verify_ssh
from accord.signing.ssh_key import UnfitKey, parse_public_key
from accord.signing.wire import Malformed, encode_natural
from tests.signing.policies import policy_of, ring_of
from tests.support.keys import FixedKey, HardwareKey, armour, envelope, pack, signed_bytes
from tests.support.ssh import stock_verifies
from tests.support.tables import table

DATA = b"format: accord/vote/1\nvote: agree\n"
DANA = FixedKey("dana")
FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
EIGHTH = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
LOW = {
    "nothing": 1,
    "order 2": FIELD - 1,
    "order 4": 0,
    "order 8": EIGHTH,
    "order 8, the other": FIELD - EIGHTH,
    "nothing, written otherwise": FIELD + 1,
    "order 4, written otherwise": FIELD,
}
BASE = bytes.fromhex("58" + "66" * 31)  # the point that every signature is a multiple of
PRIME = (1 << 2047) + 1919


def encode(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def line(type_: str, *parts: bytes) -> str:
    return f"{type_} {base64.b64encode(pack(type_.encode(), *parts)).decode()}"


def rsa(modulus: int, exponent: int = 65537) -> str:
    return line("ssh-rsa", encode_natural(exponent), encode_natural(modulus))


@table("y", LOW)
@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("type_", ["ssh-ed25519", HardwareKey.TYPE.decode()])
def test_a_point_of_low_order_is_no_key(y: int, sign: int, type_: str) -> None:
    rest = (b"ssh:",) if type_.startswith("sk-") else ()

    with pytest.raises(UnfitKey, match="low order, so that anybody could sign"):
        parse_public_key(line(type_, encode(y, sign), *rest))


@table(
    ("key", "reason"),
    {
        "a point written otherwise": (line("ssh-ed25519", encode(FIELD + 3)), "not in its one"),
        "on no curve": (line("ssh-ed25519", encode(2)), "not on its curve"),
        "on no curve of NIST": (
            line("ecdsa-sha2-nistp256", b"nistp256", b"\4" + bytes(64)),
            "not on its curve",
        ),
        "beyond the field": (
            line("ecdsa-sha2-nistp384", b"nistp384", b"\4" + b"\xff" * 96),
            "not on its curve",
        ),
        "an even modulus": (rsa((1 << 2047) + 2), "factor its modulus"),
        "a small factor": (rsa((1 << 2047) + 1), "factor its modulus"),
        "a square": (rsa(((1 << 1029) - 179) ** 2), "factor its modulus"),
        "the exponent 1": (rsa((1 << 2047) + 29, 1), "exponent"),
    },
)
def test_no_key_with_which_anybody_could_sign(key: str, reason: str) -> None:
    with pytest.raises(UnfitKey, match=reason):
        parse_public_key(key)


@table(
    ("key", "words"),
    {
        "low order": (line("ssh-ed25519", encode(1)), "is of low order"),
        "a prime number": (rsa(PRIME), "its modulus is a prime number"),
        "a small factor": (rsa((1 << 2047) + 1), "everybody can factor its modulus"),
    },
)
def test_a_policy_with_one_is_invalid(key: str, words: str) -> None:
    (finding,) = check_keys(policy_of(dana=(DANA.line, key)), "decisions/policy.yaml")

    assert finding.code == "policy-invalid"
    assert finding.field == "members.dana.keys[1].ssh"
    assert words in finding.message


def test_a_product_of_two_primes_is_none() -> None:
    assert check_keys(policy_of(dana=rsa((1 << 2047) + 29)), "decisions/policy.yaml") == ()


def test_everybody_signs_with_the_point_that_is_nothing(tmp_path: Path) -> None:
    """R = B and s = 1 fit any file. ssh-keygen says so too."""
    blob = pack(b"ssh-ed25519", encode(1))
    key = f"ssh-ed25519 {base64.b64encode(blob).decode()}"
    forged = armour(envelope(blob, pack(b"ssh-ed25519", BASE + encode(1))))
    signers = tmp_path / "signers"
    signers.write_text(f'dana namespaces="accord" {key}\n')

    assert stock_verifies(tmp_path, signers.read_text(), "dana", DATA, forged)
    assert isinstance(verify_ssh(DATA, forged, ring_of(dana=key)), Unknown)


def test_a_signature_that_gives_its_key_away_is_bad() -> None:
    """With R of low order s is the private key times what everybody knows."""
    public = DANA.private.public_key().public_bytes_raw()
    seed = hashlib.sha512(DANA.private.private_bytes_raw()).digest()[:32]
    secret = (int.from_bytes(seed, "little") & ((1 << 254) - 8)) | 1 << 254
    nothing = encode(1)
    challenge = hashlib.sha512(nothing + public + signed_bytes(DATA)).digest()
    s = int.from_bytes(challenge, "little") * secret % ORDER
    DANA.private.public_key().verify(nothing + encode(s), signed_bytes(DATA))  # others take it

    forged = armour(envelope(DANA.blob, pack(b"ssh-ed25519", nothing + encode(s))))
    verdict = verify_ssh(DATA, forged, ring_of(dana=DANA.line))

    assert isinstance(verdict, Bad)
    assert "low order" in verdict.reason


@table(
    ("name", "curve"),
    {
        "nistp256": ("nistp256", ec.SECP256R1()),
        "nistp384": ("nistp384", ec.SECP384R1()),
        "nistp521": ("nistp521", ec.SECP521R1()),
    },
)
def test_the_numbers_of_a_curve(name: str, curve: ec.EllipticCurve) -> None:
    """The order less one is the private key of the base point's opposite; the order is none."""
    ours = CURVES[name.encode()]
    one, last = (ec.derive_private_key(n, curve) for n in (1, ours.order - 1))
    x, y = (one.public_key().public_numbers().x, one.public_key().public_numbers().y)
    other = last.public_key().public_numbers()
    point = b"\4" + x.to_bytes(ours.size) + y.to_bytes(ours.size)

    check_curve_point(ours, point)
    check_curve_signature(ours, pack(encode_natural(ours.order - 1), encode_natural(1)))

    assert (other.x, other.y) == (x, ours.field - y)
    with pytest.raises(Malformed, match="too large"):
        check_curve_signature(ours, pack(encode_natural(1), encode_natural(ours.order)))
    with pytest.raises(Malformed, match="shortest form"):
        check_curve_signature(ours, pack(encode_natural(1), b""))
    with pytest.raises(Malformed, match="not on its curve"):
        check_curve_point(ours, point[:-1] + bytes([point[-1] ^ 1]))
