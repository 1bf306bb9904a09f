"""Signatures of hardware keys (`sk-…`): what they say of the touch that made them.

The form is in PROTOCOL.u2f of OpenSSH. ssh-keygen checks the signature itself, and takes one that
was made without a touch; accord does not.
"""

from __future__ import annotations

from accord.signing.wire import Malformed, Wire

_USER_PRESENT = 0x01


def is_hardware(key_type: str) -> bool:
    """Whether keys of this type live in a security key."""
    return key_type.startswith("sk-")


def require_touch(key_type: str, signature: bytes) -> None:
    """Whether somebody touched the security key for this signature, by the flags that it signed.

    `signature` is the value inside the envelope. Raises Malformed when nobody did, or when it is
    of another form (that of browsers included).
    """
    wire = Wire(signature)
    if wire.string() != key_type.encode():
        raise Malformed("its algorithm is not that of the key")
    wire.string()
    flags = wire.take(1)[0]
    wire.number()
    wire.end()
    if not flags & _USER_PRESENT:
        raise Malformed("nobody touched the security key that made it; sign again, and touch it")
