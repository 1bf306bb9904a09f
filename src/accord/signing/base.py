"""What SSH and Sigstore have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from accord.model.base import Result
from accord.model.policy import Key
from accord.model.snapshot import Scheme

if TYPE_CHECKING:
    from accord.signing.keyring import KeyRing


class Owner(Result, frozen=True, kw_only=True):
    """Whose key it is: a member, and what the policy says of that key.

    `keys` has more than one entry when the policy lists the same key with several windows.
    `name` is how people tell keys apart, such as a fingerprint.
    """

    member: str
    keys: tuple[Key, ...]
    name: str


class Good(Result, frozen=True, kw_only=True):
    """The signature is good, and made with a key of the policy.

    `signed_at` is the time that a log vouches for; None where only the file claims one.
    """

    owner: Owner
    signed_at: str | None = None


class Unknown(Result, frozen=True, kw_only=True):
    """No single member has the key that signed. Whether the signature is good was not asked."""

    reason: str


class Bad(Result, frozen=True, kw_only=True):
    """The signature does not fit the bytes, or is not in the form that accord takes."""

    reason: str


class Verifier(Protocol):
    """Checks one signature of its scheme."""

    def __call__(self, data: bytes, signature: bytes, ring: KeyRing) -> Good | Unknown | Bad:
        """Whose signature over `data` it is. Raises CannotJudge when that cannot be found out."""


class Signer(Protocol):
    """Signs for one member."""

    @property
    def member(self) -> str:
        """For whom it signs."""

    @property
    def scheme(self) -> Scheme:
        """Which kind of signature it makes, and so under which name it is stored."""

    def sign(self, data: bytes) -> bytes:
        """A detached signature over exactly these bytes, as it is stored beside the file.

        Raises AccordError when the key cannot be used.
        """
