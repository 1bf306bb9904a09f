"""A signature file of `ssh-keygen -Y sign`, read as strictly as it is written.

The format is in PROTOCOL.sshsig of OpenSSH. Nothing may be before, after or between what
ssh-keygen writes, so one signature has one form.
"""

from __future__ import annotations

import base64
import hashlib
from binascii import Error as Base64Error
from binascii import a2b_base64
from typing import NamedTuple

from accord.signing.wire import Malformed, Wire, encode_string

NAMESPACE = "accord"
HASHES = ("sha256", "sha512")

_MAGIC = b"SSHSIG"
_VERSION = 1
_BEGIN = b"-----BEGIN SSH SIGNATURE-----\n"
_END = b"-----END SSH SIGNATURE-----\n"
_LINE = 70
_LONGEST = 16 * 1024


class Envelope(NamedTuple):
    """What a signature file says: the key that signed, and how. Nothing of it is checked."""

    key: bytes
    hash_name: str
    signature: bytes

    def signed_bytes(self, data: bytes) -> bytes:
        """What the key signed, if it signed `data`."""
        digest = hashlib.new(self.hash_name, data).digest()
        return _MAGIC + encode_string(NAMESPACE.encode(), b"", self.hash_name.encode(), digest)


def parse_envelope(file: bytes) -> Envelope:
    """A signature file. Raises Malformed, with the reason, unless it is one for accord."""
    wire = Wire(_open_armour(file))
    if wire.take(len(_MAGIC)) != _MAGIC:
        raise Malformed("it is no SSH signature")
    version = wire.number()
    if version != _VERSION:
        raise Malformed(f"it is of version {version}, and only {_VERSION} is known")
    key, namespace, reserved = wire.string(), wire.string(), wire.string()
    hash_name, signature = wire.string(), wire.string()
    wire.end()
    if namespace != NAMESPACE.encode():
        raise Malformed(f'it was made for "{_show(namespace)}", not for "{NAMESPACE}"')
    if reserved:
        raise Malformed("a field that must be empty is not")
    if hash_name not in {name.encode() for name in HASHES}:
        raise Malformed(f'it uses the hash "{_show(hash_name)}", not {" or ".join(HASHES)}')
    return Envelope(key, hash_name.decode(), signature)


def armour(blob: bytes) -> bytes:
    """A signature file, as ssh-keygen writes it."""
    text = base64.b64encode(blob)
    lines = (text[start : start + _LINE] + b"\n" for start in range(0, len(text), _LINE))
    return _BEGIN + b"".join(lines) + _END


def _open_armour(file: bytes) -> bytes:
    if len(file) > _LONGEST:
        raise Malformed("it is too long")
    try:
        text = file.removeprefix(_BEGIN).removesuffix(_END).replace(b"\n", b"")
        blob = a2b_base64(text, strict_mode=True)
    except Base64Error as error:
        raise Malformed("it is not a signature file as ssh-keygen writes it") from error
    if armour(blob) != file:
        raise Malformed("it is not exactly as ssh-keygen writes it")
    return blob


def _show(name: bytes) -> str:
    return name[:40].decode("ascii", "replace")
