"""Checking SSH signatures, in this process where the type of the key allows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from accord.signing.base import Bad, Good, Unknown
from accord.signing.keyring import KeyRing
from accord.signing.soundness import check_curve_signature, check_ed25519_signature
from accord.signing.ssh_envelope import Envelope, parse_envelope
from accord.signing.ssh_hardware import is_hardware, require_touch
from accord.signing.ssh_key import ED25519, RSA, PublicKey, find_curve, read_rsa
from accord.signing.wire import Malformed, Wire

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_DOES_NOT_FIT = Bad(reason="it is of other bytes, or was damaged")
# The algorithms of an RSA key (RFC 8332) → the hash. `ssh-rsa` itself would be SHA-1.
_RSA_HASHES = {b"rsa-sha2-256": "SHA256", b"rsa-sha2-512": "SHA512"}


def verify_ssh(data: bytes, signature: bytes, ring: KeyRing) -> Good | Unknown | Bad:
    """Whose signature over `data` it is, by the keys of a policy.

    `signature` is the content of a `.sig` file. Raises CannotJudge for a type of key that needs
    ssh-keygen where there is none.
    """
    try:
        envelope = parse_envelope(signature)
        owner = ring.find_ssh(envelope.key)
        if isinstance(owner, Unknown):
            return owner
        type_ = Wire(envelope.key).string().decode()
        key = PublicKey(type_, envelope.key)
        good = ring.prove(
            (b"ssh", envelope.key, signature, data),
            lambda: _is_good(key, envelope, data, signature),
        )
    except Malformed as error:
        return Bad(reason=str(error))
    return Good(owner=owner) if good else _DOES_NOT_FIT


def verify_by(key: PublicKey, data: bytes, signature: bytes) -> bool:
    """Whether it is a signature over `data` by this key.

    Raises Malformed for a file that is no signature in the form of accord, CannotJudge like
    `verify_ssh`.
    """
    envelope = parse_envelope(signature)
    return envelope.key == key.blob and _is_good(key, envelope, data, signature)


def _is_good(key: PublicKey, envelope: Envelope, data: bytes, signature: bytes) -> bool:
    if is_hardware(key.type):
        require_touch(key.type, envelope.signature)
    _require_sound(key.type, envelope.signature)
    verify = _IN_PROCESS.get(key.type)
    if verify is None:
        from accord.signing.ssh_keygen import verify_with_ssh_keygen

        return verify_with_ssh_keygen(key, data, signature)
    wire = Wire(key.blob)
    wire.string()
    return verify(wire, Wire(envelope.signature), envelope.signed_bytes(data))


def _require_sound(key_type: str, signature: bytes) -> None:
    """Raises Malformed for what some tools take, though no private key need have made it."""
    wire = Wire(signature)
    wire.string()
    value = wire.string()
    curve = find_curve(key_type)
    if curve is not None:
        check_curve_signature(curve, value)
    elif key_type != RSA:
        check_ed25519_signature(value)


def _verify_ed25519(key: Wire, signature: Wire, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    if signature.string() != ED25519.encode():
        raise Malformed("its algorithm is not that of the key")
    value = signature.string()
    signature.end()
    try:
        _load_ed25519(key.string()).verify(value, signed)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=256)
def _load_ed25519(point: bytes) -> Ed25519PublicKey:
    # This module alone costs little; those that read whole key files cost 25 ms more.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(point)


def _verify_rsa(key: Wire, signature: Wire, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    hash_name = _RSA_HASHES.get(signature.string())
    if hash_name is None:
        raise Malformed("its algorithm is not rsa-sha2-256 or rsa-sha2-512")
    value = signature.string()
    signature.end()
    exponent, modulus = read_rsa(key)
    try:
        RSAPublicNumbers(exponent, modulus).public_key().verify(
            value, signed, PKCS1v15(), getattr(hashes, hash_name)()
        )
    except InvalidSignature:
        return False
    return True


_IN_PROCESS: dict[str, Callable[[Wire, Wire, bytes], bool]] = {
    ED25519: _verify_ed25519,
    RSA: _verify_rsa,
}
