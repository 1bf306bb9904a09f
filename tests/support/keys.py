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

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from accord.signing.wire import encode_natural


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


def envelope(  # every field can be another than it should be
    key: bytes,
    signature: bytes,
    *,
    magic: bytes = b"SSHSIG",
    version: int = 1,
    namespace: bytes = b"accord",
    reserved: bytes = b"",
    hash_name: bytes = b"sha512",
    trailing: bytes = b"",
) -> bytes:
    """What is inside a signature file."""
    return (
        magic
        + version.to_bytes(4, "big")
        + pack(key, namespace, reserved, hash_name, signature)
        + trailing
    )


def signed_bytes(
    data: bytes,
    *,
    namespace: bytes = b"accord",
    reserved: bytes = b"",
    hash_name: str = "sha512",
) -> bytes:
    """What a key signs when it signs `data`."""
    digest = hashlib.new(hash_name, data).digest()
    return b"SSHSIG" + pack(namespace, reserved, hash_name.encode(), digest)


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
        named, hashed = namespace.encode(), hash_name.encode()
        raw = self.private.sign(signed_bytes(data, namespace=named, hash_name=hash_name))
        signature = pack(b"ssh-ed25519", raw)
        return armour(envelope(self.blob, signature, namespace=named, hash_name=hashed))

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


# Flags of a security key's signature: somebody touched it, somebody typed its PIN.
TOUCHED, VERIFIED = 0x01, 0x04
COUNTER = (7).to_bytes(4, "big")


@dataclass(frozen=True)
class HardwareKey:
    """A security key in software: its signatures also cover an application and a counter."""

    name: str

    APPLICATION = b"ssh:"
    TYPE = b"sk-ssh-ed25519@openssh.com"

    @cached_property
    def blob(self) -> bytes:
        """The public key as it stands inside signatures."""
        public = FixedKey(self.name).private.public_key().public_bytes_raw()
        return pack(self.TYPE, public, self.APPLICATION)

    @cached_property
    def line(self) -> str:
        """The public key as a policy holds it."""
        return f"{self.TYPE.decode()} {base64.b64encode(self.blob).decode()}"

    def sign(self, data: bytes, flags: int = TOUCHED) -> bytes:
        """A detached signature, as `ssh-keygen -Y sign` writes it; the flags are signed too."""
        raw = FixedKey(self.name).private.sign(_covered(data, flags))
        return armour(envelope(self.blob, pack(self.TYPE, raw) + bytes([flags]) + COUNTER))


@dataclass(frozen=True)
class HardwareCurveKey:
    """The same with a key on the curve P-256, the one that most security keys have."""

    name: str

    TYPE = b"sk-ecdsa-sha2-nistp256@openssh.com"

    @cached_property
    def private(self) -> ec.EllipticCurvePrivateKey:
        """The same number for the same name, every time."""
        number = int.from_bytes(hashlib.sha256(self.name.encode()).digest(), "big") >> 1
        return ec.derive_private_key(number, ec.SECP256R1())

    @cached_property
    def blob(self) -> bytes:
        """The public key as it stands inside signatures."""
        point = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return pack(self.TYPE, b"nistp256", point, HardwareKey.APPLICATION)

    @cached_property
    def line(self) -> str:
        """The public key as a policy holds it."""
        return f"{self.TYPE.decode()} {base64.b64encode(self.blob).decode()}"

    def sign(self, data: bytes, flags: int = TOUCHED) -> bytes:
        """A detached signature with these flags, as `HardwareKey.sign`."""
        der = self.private.sign(_covered(data, flags), ec.ECDSA(hashes.SHA256()))
        value = pack(*map(encode_natural, decode_dss_signature(der)))
        return armour(envelope(self.blob, pack(self.TYPE, value) + bytes([flags]) + COUNTER))


def _covered(data: bytes, flags: int) -> bytes:
    """What a security key signs (PROTOCOL.u2f)."""
    application = hashlib.sha256(HardwareKey.APPLICATION).digest()
    return application + bytes([flags]) + COUNTER + hashlib.sha256(signed_bytes(data)).digest()
