"""Sigstore: signatures of people and CI jobs by their OIDC identity. The only importer of it.

Verifying needs no network: a bundle brings certificate, log entry and inclusion proof along, and
the trust root comes from the package or from the policy. Signing asks Fulcio for a certificate of
a few minutes and enters each signature in a public log. `sigstore` is imported when a bundle is
touched, since that takes half a second.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from accord.errors import AccordError, CannotJudge, UsageError
from accord.model.policy import Key, SigstoreIdentity
from accord.model.snapshot import Scheme
from accord.signing.base import Bad, Good, Unknown
from accord.signing.bundle import find_signing_time, parse_bundle
from accord.signing.keyring import KeyRing
from accord.signing.trust import Trust
from accord.signing.wire import Malformed

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from sigstore.models import Bundle, ClientTrustConfig, TrustedRoot
    from sigstore.oidc import IdentityToken
    from sigstore.sign import Signer
    from sigstore.verify import Verifier
    from sigstore.verify.policy import VerificationPolicy

# Fulcio's extensions (sigstore/fulcio, docs/oid-info.md).
_ISSUER = "1.3.6.1.4.1.57264.1.8"
_ISSUER_BEFORE = "1.3.6.1.4.1.57264.1.1"
_OTHER_NAME = "1.3.6.1.4.1.57264.1.7"
_PUBLIC_ROOT = ("_store", "https%3A%2F%2Ftuf-repo-cdn.sigstore.dev", "trusted_root.json")
_PIN = "pin one in the policy (trusted_root), or install sigstore again"


class Identity(NamedTuple):
    """Whom a certificate names: any of some identities, and the issuer that vouches for them."""

    issuer: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' or '.join(self.names)} (issuer {self.issuer})"


def verify_sigstore(data: bytes, signature: bytes, ring: KeyRing) -> Good | Unknown | Bad:
    """Whose signature over `data` a bundle is, by the identities of a policy; never by a pattern.

    `signature` is the content of a `.sigstore.json` file. Raises CannotJudge when the trust root
    is not at hand.
    """
    try:
        parse_bundle(signature)
        bundle = _read_bundle(signature)
        # As the library read it: it knows more spellings of a name than one.
        plain = parse_bundle(bundle.to_json().encode())
        identity = _read_identity(bundle.signing_certificate)
    except Malformed as error:
        return Bad(reason=str(error))
    owner = ring.find_sigstore(identity.issuer, identity.names)
    if isinstance(owner, Unknown):
        return owner
    verifier = _load_verifier(ring.trust)
    faults: list[str] = []

    def check() -> bool:
        fault = _find_fault(verifier, data, bundle, identity, owner.name)
        faults.extend([fault] if fault else [])
        return not faults

    root = hashlib.sha256(ring.trust.data or b"").digest()
    about = (b"sigstore", root, str(identity).encode(), signature, data)
    if not ring.prove(about, check):
        return Bad(reason=faults[0])
    keys = tuple(key for key in owner.keys if _has_claims(bundle.signing_certificate, key))
    if not keys:
        wanted = " or ".join(_describe_claims(key) for key in owner.keys)
        return Unknown(reason=f"{identity} signed, and its certificate does not say {wanted}")
    try:
        signed_at = find_signing_time(plain)
    except Malformed as error:
        return Bad(reason=str(error))
    return Good(owner=replace(owner, keys=keys), signed_at=signed_at)


def _describe_claims(key: Key) -> str:
    """What a policy demands of a certificate besides its identity."""
    return ", ".join(f"{name} {value}" for name, value in _list_claims(key)) or "anything else"


def _list_claims(key: Key) -> list[tuple[str, str]]:
    about = key.sigstore
    wanted = [(name, getattr(about, name)) for name in ("repository", "workflow", "ref", "trigger")]
    return [(name, value) for name, value in wanted if value is not None]


def _has_claims(certificate: Certificate, key: Key) -> bool:
    from sigstore.errors import VerificationError
    from sigstore.verify import policy

    makers: dict[str, Callable[[str], VerificationPolicy]] = {
        "repository": policy.OIDCSourceRepositoryURI,
        "workflow": policy.OIDCBuildConfigURI,
        "ref": policy.OIDCSourceRepositoryRef,
        "trigger": policy.OIDCBuildTrigger,
    }
    try:
        for name, value in _list_claims(key):
            makers[name](value).verify(certificate)
    except VerificationError:
        return False
    return True


def _find_fault(
    verifier: Verifier, data: bytes, bundle: Bundle, identity: Identity, name: str
) -> str | None:
    from sigstore.verify import policy

    issuer = policy.AnyOf(
        [policy.OIDCIssuerV2(identity.issuer), policy.OIDCIssuer(identity.issuer)]
    )
    exactly = policy.AllOf([policy.Identity(identity=name), issuer])
    try:
        verifier.verify_artifact(data, bundle, exactly)
    except Exception as error:  # a bundle is untrusted; whatever its reading ends in, it is bad
        return _in_words(error)
    return None


def _in_words(error: Exception) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return words[:1].lower() + words[1:300].rstrip(".")


def _read_bundle(signature: bytes) -> Bundle:
    from sigstore.models import Bundle

    try:
        return Bundle.from_json(signature)
    except Exception as error:
        raise Malformed(f"it is no Sigstore bundle: {_in_words(error)}") from error


def _read_identity(certificate: Certificate) -> Identity:
    from cryptography import x509

    try:
        extensions = certificate.extensions
        about = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        others = (one for one in about.get_values_for_type(x509.OtherName))
        names = (
            *about.get_values_for_type(x509.RFC822Name),
            *about.get_values_for_type(x509.UniformResourceIdentifier),
            *(one.value.decode() for one in others if one.type_id.dotted_string == _OTHER_NAME),
        )
        values = {one.oid.dotted_string: one.value for one in extensions}
        issuer = _read_issuer(values)
    except Exception as error:  # a certificate is untrusted too
        raise Malformed(f"its certificate cannot be read: {_in_words(error)}") from error
    if not names or not issuer:
        raise Malformed("its certificate names no identity, or nobody who vouches for it")
    return Identity(issuer, names)


def _read_issuer(values: dict[str, Any]) -> str:
    """A UTF8String in DER where there is one, else the bare text of older certificates."""
    if _ISSUER in values:
        return _read_text(values[_ISSUER].value)
    before: bytes = values[_ISSUER_BEFORE].value if _ISSUER_BEFORE in values else b""
    return before.decode()


def _read_text(der: bytes) -> str:
    """A UTF8String of up to 255 bytes in DER, all of it. Raises ValueError."""
    head = der[:3] if der[1:2] == b"\x81" else der[:2]
    if der[:1] != b"\x0c" or len(head) < 2 or len(der) != len(head) + head[-1]:
        raise ValueError("the issuer is no text in DER")
    return der[len(head) :].decode()


@lru_cache(maxsize=4)
def _load_verifier(trust: Trust) -> Verifier:
    from sigstore.verify import Verifier

    if trust.missing:
        raise CannotJudge(trust.missing, "bring that file, or fetch the commit that has it")
    try:
        return Verifier(trusted_root=_load_root(trust))
    except CannotJudge:
        raise
    except Exception as error:
        raise CannotJudge(
            f"the Sigstore trust root cannot be read: {_in_words(error)}", _PIN
        ) from error


def _load_root(trust: Trust) -> TrustedRoot:
    """The root as its bytes are; nothing is refreshed, and nobody's own cache is looked at."""
    from importlib.resources import as_file, files

    from sigstore.models import TrustedRoot

    if trust.data is not None:
        with NamedTemporaryFile(prefix="accord-", suffix=".json") as file:
            file.write(trust.data)
            file.flush()
            return TrustedRoot.from_file(file.name)
    embedded = files("sigstore").joinpath(*_PUBLIC_ROOT)
    if not embedded.is_file():
        raise CannotJudge("this sigstore comes without the public trust root", _PIN)
    with as_file(embedded) as path:
        return TrustedRoot.from_file(str(path))


@dataclass(frozen=True)
class Keyless:
    """How to sign without a key: the Sigstore instance, and where the OIDC token comes from.

    `instance` is `production`, `staging`, or a client trust config in JSON; `token` is a token,
    None to look for that of a CI job, and else to ask the user's browser. `tell` says things.
    """

    instance: str = "production"
    token: str | None = None
    tell: Callable[[str], None] = field(default=lambda _: None, compare=False)

    @cached_property
    def identity(self) -> IdentityToken:
        """The token. Raises AccordError when there is none, or it is of no use."""
        from sigstore.oidc import IdentityError, IdentityToken, Issuer, detect_credential

        try:
            raw = self.token or detect_credential()
            if raw:
                return IdentityToken(raw)
            if not sys.stderr.isatty():
                raise AccordError(
                    "no OIDC token is at hand, and nobody is here to open a browser",
                    "--identity-token TOKEN; in GitHub Actions permissions: id-token: write, in"
                    " GitLab CI id_tokens: SIGSTORE_ID_TOKEN",
                )
            return Issuer(self._config.signing_config.get_oidc_url()).identity_token()
        except AccordError:
            raise
        except IdentityError as error:
            raise AccordError(
                f"the identity token is of no use: {_in_words(error)}",
                "get a fresh one: tokens of CI jobs hold for some minutes only",
            ) from error
        except Exception as error:
            raise _trouble(error) from error

    @cached_property
    def signer(self) -> Signer:
        """With one certificate, which serves all files of a command. Raises AccordError."""
        from sigstore.sign import Signer, SigningContext

        try:
            return Signer(self.identity, SigningContext.from_trust_config(self._config))
        except AccordError:
            raise
        except Exception as error:
            raise _trouble(error) from error

    @cached_property
    def _config(self) -> ClientTrustConfig:
        from sigstore.models import ClientTrustConfig

        try:
            if self.instance == "production":
                return ClientTrustConfig.production()
            if self.instance == "staging":
                return ClientTrustConfig.staging()
            return ClientTrustConfig.from_json(Path(self.instance).read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(
                f"the trust config {self.instance} cannot be read: {error.strerror or error}",
                "--sigstore takes production, staging or a client trust config in JSON",
            ) from error
        except Exception as error:
            raise _trouble(error) from error


@dataclass(frozen=True)
class SigstoreSigner:
    """Signs for a member by an identity that the policy names."""

    member: str
    accepted: tuple[SigstoreIdentity, ...]
    keyless: Keyless

    @property
    def scheme(self) -> Scheme:
        """Sigstore."""
        return "sigstore"

    def sign(self, data: bytes) -> bytes:
        """A bundle over exactly these bytes, checked to be by an identity of the member.

        Raises AccordError when it is somebody else's, or cannot be made.
        """
        signer = self.keyless.signer
        try:
            bundle = signer.sign_artifact(data)
        except Exception as error:
            raise _trouble(error) from error
        identity = _read_identity(bundle.signing_certificate)
        if not any(
            one.issuer == identity.issuer and one.identity in identity.names
            for one in self.accepted
        ):
            known = ", ".join(f"{one.identity} (issuer {one.issuer})" for one in self.accepted)
            raise AccordError(
                f"this account is {identity}, and that is not {self.member}",
                f"{self.member} is {known or 'no Sigstore identity'}; nothing was written",
            )
        self.keyless.tell(f"signed as {identity}, for {self.member}")
        return bundle.to_json().encode()


def find_holder(keyless: Keyless, ring: KeyRing) -> str:
    """The member whom the token names. Raises UsageError when it names none."""
    token = keyless.identity
    owner = ring.find_sigstore(token.federated_issuer, (token.identity,))
    if isinstance(owner, Unknown):
        raise UsageError(
            f"the token is of {token.identity} (issuer {token.federated_issuer}), and no member"
            " has that identity",
            "say for whom it signs with --as MEMBER: certificates of CI jobs name the workflow",
        )
    return owner.member


def make_signer(member: str, keys: Sequence[Key], keyless: Keyless) -> SigstoreSigner:
    """The signer of a member with these keys. Raises UsageError when none is an identity."""
    accepted = tuple(
        key.sigstore
        for key in keys
        if key.sigstore is not None and not (key.valid_until or key.revoked_from)
    )
    if not accepted:
        raise UsageError(
            f"{member} has no Sigstore identity in the policy that still signs",
            "a governance decision adds one: keys: [{sigstore: {identity: …, issuer: …}}]",
        )
    return SigstoreSigner(member, accepted, keyless)


def _trouble(error: Exception) -> AccordError:
    """Why signing did not work; nothing was written by then."""
    from sigstore.oidc import ExpiredIdentity

    if isinstance(error, ExpiredIdentity):
        return AccordError("the identity token has expired", "get a fresh one, and repeat")
    return AccordError(
        f"Sigstore did not sign: {_in_words(error)}",
        "nothing was written; check the network, and that the token is fresh",
    )
