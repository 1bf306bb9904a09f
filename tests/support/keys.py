"""Fixed keys: made from seeds, so that their signatures repeat byte for byte.

Signatures are built here from the format's description (PROTOCOL.sshsig), apart from the code
under test; the tests compare them with those of ssh-keygen.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def pack(*parts: bytes) -> bytes:
    """SSH strings: each part behind its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def armour(blob: bytes) -> bytes:
    """A signature file as ssh-keygen writes it."""
    text = base64.b64encode(blob)
    lines = [text[start : start + 70] for start in range(0, len(text), 70)]
    return b"\n".join(
        [b"-----BEGIN SSH SIGNATURE-----", *lines, b"-----END SSH SIGNATURE-----", b""]
    )


def dearmour(signature: bytes) -> bytes:
    """The bytes inside a signature file."""
    return base64.b64decode(b"".join(signature.splitlines()[1:-1]))


@dataclass(frozen=True)
class FixedKey:
    """The ed25519 key that belongs to a name, the same on every machine."""

    name: str

    @cached_property
    def private(self) -> Ed25519PrivateKey:
        seed = hashlib.sha256(f"accord test key of {self.name}".encode()).digest()
        return Ed25519PrivateKey.from_private_bytes(seed)

    @cached_property
    def blob(self) -> bytes:
        """The public key as it stands inside signatures."""
        return pack(b"ssh-ed25519", self.private.public_key().public_bytes_raw())

    @cached_property
    def line(self) -> str:
        """The public key as a policy holds it."""
        return "ssh-ed25519 " + base64.b64encode(self.blob).decode()

    def sign(self, data: bytes, namespace: str = "accord", hash_name: str = "sha512") -> bytes:
        """A detached signature, as `ssh-keygen -Y sign` writes it."""
        digest = hashlib.new(hash_name, data).digest()
        named = namespace.encode()
        signed = b"SSHSIG" + pack(named, b"", hash_name.encode(), digest)
        signature = pack(b"ssh-ed25519", self.private.sign(signed))
        version = (1).to_bytes(4, "big")
        return armour(
            b"SSHSIG" + version + pack(self.blob, named, b"", hash_name.encode(), signature)
        )

    def write(self, folder: Path) -> Path:
        """Write the key pair as ssh-keygen would; the path of the private half."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / self.name
        path.touch(mode=0o600)
        path.write_bytes(
            self.private.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.OpenSSH,
                serialization.NoEncryption(),
            )
        )
        path.with_name(f"{self.name}.pub").write_text(f"{self.line} {self.name}\n")
        return path
