"""Public SSH keys, as a policy holds them: `<type> <base64> [comment]`."""

from __future__ import annotations

import base64
import hashlib
import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Callable
from typing import NamedTuple

from accord.errors import AccordError
from accord.signing.soundness import (
    CURVES,
    Curve,
    check_curve_point,
    check_ed25519_point,
    check_is_product,
    check_modulus,
)
from accord.signing.wire import Malformed, Wire

ED25519 = "ssh-ed25519"
RSA = "ssh-rsa"
RSA_BITS = range(2048, 16384 + 1)

_CURVE_OF = re.compile(r"nistp[0-9]+")

HINT = "use an ed25519 key: `ssh-keygen -t ed25519`"


class UnfitKey(AccordError):
    """The line is no public key that accord takes."""


class PublicKey(NamedTuple):
    """A public key. Two are equal when their bytes are, whatever comment they carry."""

    type: str
    blob: bytes

    @property
    def fingerprint(self) -> str:
        """`SHA256:…`, as ssh-keygen prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")

    @property
    def line(self) -> str:
        """The key as a policy holds it, without a comment."""
        return f"{self.type} {base64.b64encode(self.blob).decode()}"


def parse_public_key(line: str) -> PublicKey:
    """A key from a line of an `authorized_keys` or `.pub` file, without options.

    Raises UnfitKey: for options, unknown types and certificates, damaged base64, trailing
    bytes, RSA keys of fewer than 2048 bits, and keys with which anybody could sign.
    """
    type_, _, rest = line.partition(" ")
    if type_ not in _TYPES:
        raise UnfitKey(_describe_start(line), HINT)
    text = rest.partition(" ")[0]
    try:
        blob = a2b_base64(text.encode("ascii"), strict_mode=True)
        if base64.b64encode(blob).decode() != text:
            raise Malformed("its base64 is not in the usual form")
        wire = Wire(blob)
        if wire.string() != type_.encode():
            raise Malformed("it is of another type than it says")
        _TYPES[type_](wire)
        wire.end()
    except (Base64Error, UnicodeEncodeError) as error:
        raise UnfitKey("the key is damaged: it is not base64", HINT) from error
    except Malformed as error:
        raise UnfitKey(f"the key is not fit: {error}", HINT) from error
    return PublicKey(type_, blob)


def read_rsa(wire: Wire) -> tuple[int, int]:
    """Exponent and modulus. Raises Malformed unless both are of a sound size."""
    exponent, modulus = wire.natural(), wire.natural()
    if modulus.bit_length() not in RSA_BITS:
        raise Malformed(f"it has {modulus.bit_length()} bits, and {RSA_BITS[0]} are the least")
    if exponent < 3 or exponent % 2 == 0 or exponent.bit_length() > 64:
        raise Malformed("its exponent is not sound")
    check_modulus(modulus)
    return exponent, modulus


def require_product(key: PublicKey) -> None:
    """Raises UnfitKey for an RSA key whose modulus is a prime number.

    That takes longer than to check a signature, so it is asked where a policy is judged.
    """
    if key.type == RSA:
        wire = Wire(key.blob)
        wire.string()
        try:
            check_is_product(read_rsa(wire)[1])
        except Malformed as error:
            raise UnfitKey(f"the key is not fit: {error}", HINT) from error


def find_curve(key_type: str) -> Curve | None:
    """The curve of an ECDSA key, of a security key too; None for keys of another kind."""
    match = _CURVE_OF.search(key_type)
    return CURVES[match[0].encode()] if match else None


def _read_ed25519(wire: Wire) -> None:
    check_ed25519_point(wire.string())


def _read_hardware_ed25519(wire: Wire) -> None:
    _read_ed25519(wire)
    wire.string()


def _reader_of_curve(name: bytes) -> Callable[[Wire], None]:
    def read(wire: Wire) -> None:
        if wire.string() != name:
            raise Malformed("it is of another curve than it says")
        check_curve_point(CURVES[name], wire.string())

    return read


def _read_hardware_nistp256(wire: Wire) -> None:
    _TYPES["ecdsa-sha2-nistp256"](wire)
    wire.string()


_TYPES: dict[str, Callable[[Wire], object]] = {
    ED25519: _read_ed25519,
    RSA: read_rsa,
    "ecdsa-sha2-nistp256": _reader_of_curve(b"nistp256"),
    "ecdsa-sha2-nistp384": _reader_of_curve(b"nistp384"),
    "ecdsa-sha2-nistp521": _reader_of_curve(b"nistp521"),
    "sk-ssh-ed25519@openssh.com": _read_hardware_ed25519,
    "sk-ecdsa-sha2-nistp256@openssh.com": _read_hardware_nistp256,
}


def _describe_start(line: str) -> str:
    first, *others = line.split(" ")
    if "-cert-" in first:
        return "certificates are not taken, only keys"
    if _TYPES.keys() & set(others):
        return f"{first[:40]!r} stands before the key, and no options or other words may"
    return f"{first[:40]!r} is no type of SSH key that accord takes"
