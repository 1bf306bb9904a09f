"""Public keys: what a policy may hold, in exactly one form."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from accord.signing.ssh_key import UnfitKey, parse_public_key
from tests.support.keys import FixedKey, HardwareKey, pack
from tests.support.ssh import make_key, run
from tests.support.tables import table

DANA = FixedKey("dana")


def natural(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


def line(type_: str, *parts: bytes, named: str = "") -> str:
    blob = pack((named or type_).encode(), *parts)
    return f"{type_} {base64.b64encode(blob).decode()}"


# No number below 4,096 divides it, and it is not prime.
MODULUS = natural((1 << 2047) + 29)
POINT = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
PUBLIC = DANA.private.public_key().public_bytes_raw()


@table(
    "options",
    {
        "ed25519": ["-t", "ed25519"],
        "rsa-2048": ["-t", "rsa", "-b", "2048"],
        "ecdsa-256": ["-t", "ecdsa", "-b", "256"],
        "ecdsa-384": ["-t", "ecdsa", "-b", "384"],
        "ecdsa-521": ["-t", "ecdsa", "-b", "521"],
    },
)
def test_takes_what_ssh_keygen_makes(tmp_path: Path, options: list[str]) -> None:
    made = make_key(tmp_path / "key", *options)

    key = parse_public_key(f"{made} a comment of any words")

    assert key == parse_public_key(made)
    assert key.line == made
    listed = run("ssh-keygen", "-l", "-f", str(tmp_path / "key.pub")).decode()
    assert key.fingerprint == listed.split(" ")[1]


@pytest.mark.parametrize(
    "taken",
    [
        HardwareKey("dana").line,
        line("sk-ecdsa-sha2-nistp256@openssh.com", b"nistp256", POINT, b"ssh:"),
    ],
    ids=["sk-ed25519", "sk-ecdsa"],
)
def test_takes_keys_of_security_tokens(taken: str) -> None:
    assert parse_public_key(taken).line == taken


@table(
    ("refused", "reason"),
    {
        "nothing": ("", "no type of SSH key"),
        "type-alone": ("ssh-ed25519", "cut off"),
        "options": (f'namespaces="git" {DANA.line}', "stands before the key"),
        "bare-option": (f"cert-authority {DANA.line}", "stands before the key"),
        "several-options": (f"no-pty,no-x11 {DANA.line}", "stands before the key"),
        "a-member-before-it": (f"dana {DANA.line}", "'dana' stands before the key"),
        "dsa": (line("ssh-dss", b"x"), "'ssh-dss' is no type of SSH key"),
        "certificate": (line("ssh-ed25519-cert-v01@openssh.com", b"x"), "certificates"),
        "space-before": (f" {DANA.line}", "stands before the key"),
        "two-spaces": (DANA.line.replace(" ", "  "), "cut off"),
        "tab": (DANA.line.replace(" ", "\t"), "no type of SSH key"),
        "line-feed": (f"{DANA.line}\nssh-rsa", "not base64"),
        "not-base64": (DANA.line[:-1] + "!", "not base64"),
        "not-ascii": (DANA.line[:-1] + "ä", "not base64"),
        "url-safe-base64": (
            line("ssh-ed25519", b"\xff" * 32).replace("/", "_"),
            "not base64",
        ),
        "padding-left-out": (line("ssh-ed25519", bytes(32), b"").rstrip("="), "not base64"),
        "bits-behind-the-end": (
            "ssh-ed25519 " + line("x", b"abcd")[2:].replace("ZA==", "ZB=="),
            "usual form",
        ),
        "another-type-inside": (line("ssh-ed25519", bytes(32), named="ssh-rsa"), "another type"),
        "cut-off": ("ssh-ed25519 " + base64.b64encode(DANA.blob[:-3]).decode(), "cut off"),
        "more-behind": (line("ssh-ed25519", PUBLIC, b"x"), "more bytes follow"),
        "too-short": (line("ssh-ed25519", bytes(31)), "length of its type"),
        "too-long": (line("ssh-ed25519", bytes(33)), "length of its type"),
        "rsa-1024": (line("ssh-rsa", natural(65537), natural((1 << 1023) + 1)), "has 1024 bits"),
        "rsa-2047": (line("ssh-rsa", natural(65537), natural((1 << 2046) + 1)), "has 2047 bits"),
        "rsa-32768": (line("ssh-rsa", natural(65537), natural(1 << 32767)), "has 32768 bits"),
        "rsa-exponent-1": (line("ssh-rsa", natural(1), MODULUS), "exponent"),
        "rsa-exponent-even": (line("ssh-rsa", natural(65536), MODULUS), "exponent"),
        "rsa-exponent-huge": (line("ssh-rsa", natural((1 << 64) + 1), MODULUS), "exponent"),
        "rsa-zero": (line("ssh-rsa", natural(65537), b""), "shortest form"),
        "rsa-negative": (line("ssh-rsa", natural(65537), MODULUS[1:]), "shortest form"),
        "rsa-padded": (line("ssh-rsa", natural(65537), b"\0" + MODULUS), "shortest form"),
        "rsa-more-behind": (line("ssh-rsa", natural(3), MODULUS, b""), "more bytes follow"),
        "another-curve": (line("ecdsa-sha2-nistp256", b"nistp384", POINT), "another curve"),
        "compressed-point": (line("ecdsa-sha2-nistp256", b"nistp256", b"\2" + bytes(32)), "point"),
        "short-point": (line("ecdsa-sha2-nistp256", b"nistp256", POINT[:-1]), "point"),
        "token-without-application": (line("sk-ssh-ed25519@openssh.com", PUBLIC), "cut off"),
        "curve-token-without-application": (
            line("sk-ecdsa-sha2-nistp256@openssh.com", b"nistp256", POINT),
            "cut off",
        ),
    },
)
def test_refuses_everything_else(refused: str, reason: str) -> None:
    with pytest.raises(UnfitKey, match=reason) as unfit:
        parse_public_key(refused)

    assert "ssh-keygen -t ed25519" in unfit.value.hint
