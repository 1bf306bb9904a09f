"""The public half of a key, from whichever file of the pair one is pointed to."""

from __future__ import annotations

import base64
from binascii import Error as Base64Error
from pathlib import Path

from accord.errors import AccordError
from accord.signing.ssh_key import PublicKey, parse_public_key
from accord.signing.wire import Malformed, Wire

_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END = b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_LONGEST = 64 * 1024


def load_public_key(file: Path) -> PublicKey:
    """The public key of a `.pub` file, or of a private one, which holds it in clear.

    The private half is not looked at, so no passphrase is needed. Private keys in other
    formats need their `.pub` beside them. Raises AccordError when the file cannot be read, or
    is no key.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(_LONGEST)
        beside = file.with_name(f"{file.name}.pub")
        if data.startswith(_BEGIN):
            return _read_private(data)
        if data.startswith(b"-----BEGIN ") and beside.is_file():
            data = beside.read_bytes()
    except OSError as error:
        raise AccordError(
            f"the key {file} cannot be read: {error.strerror}", "check the path and its permissions"
        ) from error
    except (Malformed, Base64Error) as error:
        raise AccordError(f"the key {file} is damaged", "`ssh-keygen -l -f` says more") from error
    if data.startswith(b"-----BEGIN "):
        raise AccordError(
            f"the key {file} does not show its public half",
            f"`ssh-keygen -y -f {file} > {beside}`",
        )
    return parse_public_key(data.decode("utf-8", "replace").strip())


def _read_private(data: bytes) -> PublicKey:
    body = data.removeprefix(_BEGIN).partition(_END)[0]
    wire = Wire(base64.b64decode(b"".join(body.split()), validate=True))
    if wire.take(len(_MAGIC)) != _MAGIC:
        raise Malformed("it is of another format")
    for _ in ("cipher", "derivation", "its options"):
        wire.string()
    wire.number()
    blob = wire.string()
    type_ = Wire(blob).string().decode("ascii", "replace")
    return parse_public_key(PublicKey(type_, blob).line)
