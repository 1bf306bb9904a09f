"""Bundles, one by one: good, bad, of nobody, and not to be judged. No network is there."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from accord.errors import AccordError, CannotJudge
from accord.model.policy import Key, SigstoreIdentity
from accord.signing.base import Bad, Good, Unknown
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import Keyless, _read_issuer, make_signer, verify_sigstore
from accord.signing.trust import PUBLIC, Trust
from tests.keyless.conftest import online
from tests.keyless.instance import ISSUER, Instance, make_token, token_of
from tests.support.aftermath import make_member, make_policy
from tests.support.tables import table

DATA = b"what was signed\n"
_NEW, _OLD = "1.3.6.1.4.1.57264.1.8", "1.3.6.1.4.1.57264.1.1"
PUBLIC_FOLDER = Path(__file__).parent / "public"
STAGING = SigstoreIdentity(
    identity="william@yossarian.net", issuer="https://github.com/login/oauth"
)
DANA = SigstoreIdentity(identity="dana@example.org", issuer=ISSUER)


def ring_of(trust: Trust, *keys: Key) -> KeyRing:
    members = {"dana": make_member("dana", keys=keys)}
    return KeyRing.from_policy(make_policy(members=members), trust)


def sign(instance: Instance, token: str, identity: SigstoreIdentity = DANA) -> bytes:
    keyless = Keyless(str(instance.config), token)
    with online():
        return make_signer("dana", [Key(sigstore=identity)], keyless).sign(DATA)


@pytest.fixture(scope="module")
def bundle(instance: Instance) -> bytes:
    return sign(instance, token_of("dana"))


@pytest.fixture
def ring(instance: Instance) -> KeyRing:
    return ring_of(Trust(instance.root), Key(sigstore=DANA))


class TestWho:
    def test_a_member(self, bundle: bytes, ring: KeyRing) -> None:
        found = verify_sigstore(DATA, bundle, ring)
        assert isinstance(found, Good)
        assert found.owner.member == "dana"
        integrated = json.loads(bundle)["verificationMaterial"]["tlogEntries"][0]["integratedTime"]
        assert found.signed_at is not None
        assert found.signed_at.endswith("Z")
        assert int(integrated) > 0

    @table(
        ("identity", "words"),
        {
            "another identity": (
                SigstoreIdentity(identity="eve@example.org", issuer=ISSUER),
                "no member has that identity",
            ),
            "another issuer": (
                SigstoreIdentity(identity="dana@example.org", issuer="https://github.com"),
                "no member has that identity",
            ),
            "a pattern": (
                SigstoreIdentity(identity=".*@example.org", issuer=ISSUER),
                "no member has that identity",
            ),
            "a claim that is not there": (
                SigstoreIdentity(identity="dana@example.org", issuer=ISSUER, ref="refs/heads/main"),
                "does not say ref refs/heads/main",
            ),
        },
    )
    def test_nobody(
        self, bundle: bytes, instance: Instance, identity: SigstoreIdentity, words: str
    ) -> None:
        ring = ring_of(Trust(instance.root), Key(sigstore=identity))
        found = verify_sigstore(DATA, bundle, ring)
        assert isinstance(found, Unknown)
        assert words in found.reason

    def test_an_identity_of_two_members_is_nobodys(self, bundle: bytes, instance: Instance) -> None:
        twice = {name: make_member(name, keys=(Key(sigstore=DANA),)) for name in ("dana", "eve")}
        ring = KeyRing.from_policy(make_policy(members=twice), Trust(instance.root))
        found = verify_sigstore(DATA, bundle, ring)
        assert isinstance(found, Unknown)
        assert "stands with dana and eve" in found.reason

    def test_a_ci_job_by_its_claims(self, instance: Instance) -> None:
        workflow = "octo-org/orders/.github/workflows/vote.yml@refs/heads/main"
        about = SigstoreIdentity(
            identity=f"https://github.com/{workflow}",
            issuer="https://token.actions.githubusercontent.com",
            repository="https://github.com/octo-org/orders",
            ref="refs/heads/main",
            trigger="push",
        )
        token = make_token(
            iss=about.issuer,
            sub=about.identity,
            job_workflow_ref=workflow,
            repository="octo-org/orders",
            ref="refs/heads/main",
            event_name="push",
        )
        made = sign(instance, token, about)
        ring = ring_of(Trust(instance.root), Key(sigstore=about))
        assert isinstance(verify_sigstore(DATA, made, ring), Good)


def change(*path: str | int, to: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    """Change one member of a bundle; None removes it."""

    def act(data: bytes) -> bytes:
        plain = json.loads(data)
        at = plain
        for step in path[:-1]:
            at = at[step]
        new = to(at[path[-1]])
        if new is None:
            del at[path[-1]]
        else:
            at[path[-1]] = new
        return json.dumps(plain).encode()

    return act


def flip(text: str) -> str:
    """Another bit of what base64 says."""
    raw = bytearray(base64.b64decode(text))
    raw[-1] ^= 1
    return base64.b64encode(raw).decode()


ENTRY = ("verificationMaterial", "tlogEntries", 0)
SPOILED: dict[str, Callable[[bytes], bytes]] = {
    "another signature": change("messageSignature", "signature", to=flip),
    "another digest": change("messageSignature", "messageDigest", "digest", to=flip),
    "another entry": change(*ENTRY, "canonicalizedBody", to=flip),
    "another time": change(*ENTRY, "integratedTime", to=lambda time: str(int(time) + 1)),
    "a time outside of the certificate": change(*ENTRY, "integratedTime", to=lambda _: "1"),
    "no inclusion proof": change(*ENTRY, "inclusionProof", to=lambda _: None),
    "another root hash": change(*ENTRY, "inclusionProof", "rootHash", to=flip),
    "no signed time": change(*ENTRY, "inclusionPromise", to=lambda _: None),
    "no entry": change("verificationMaterial", "tlogEntries", to=lambda _: []),
    "no certificate": change("verificationMaterial", "certificate", to=lambda _: None),
    "another certificate": change("verificationMaterial", "certificate", "rawBytes", to=flip),
    "another kind of bundle": change("mediaType", to=lambda _: "text/plain"),
    "cut off": lambda data: data[:-9],
    "no JSON": lambda _: b"\xff\x00",
    "no object": lambda _: b"[]",
    "deep": lambda _: b"[" * 50_000,
    "huge": lambda data: data + b" " * 70_000,
    "nothing": lambda _: b"",
}


@table(("spoil",), {name: (spoil,) for name, spoil in SPOILED.items()})
def test_a_bad_bundle(bundle: bytes, ring: KeyRing, spoil: Callable[[bytes], bytes]) -> None:
    found = verify_sigstore(DATA, spoil(bundle), ring)
    assert isinstance(found, Bad)
    assert found.reason


@table(
    ("values", "issuer"),
    {
        "in DER": ({_NEW: b"\x0c\x05https"}, "https"),
        "in long DER": ({_NEW: b"\x0c\x81\x80" + b"a" * 128}, "a" * 128),
        "as bare text": ({_OLD: b"https"}, "https"),
        "nothing": ({}, ""),
    },
)
def test_an_issuer(values: dict[str, bytes], issuer: str) -> None:
    assert _read_issuer({oid: SimpleNamespace(value=raw) for oid, raw in values.items()}) == issuer


@pytest.mark.parametrize(
    "der",
    [b"", b"\x0c", b"\x0c\x05", b"\x0c\x02abc", b"\x04\x01a", b"\x0c\x82\x00\x01a", b"\x0c\x81"],
)
def test_no_issuer(der: bytes) -> None:
    with pytest.raises(ValueError, match="no text in DER"):
        _read_issuer({_NEW: SimpleNamespace(value=der)})


def test_other_bytes(bundle: bytes, ring: KeyRing) -> None:
    assert isinstance(verify_sigstore(DATA + b"\n", bundle, ring), Bad)


def test_an_unknown_ca(bundle: bytes, stranger: Instance) -> None:
    for trust in (Trust(stranger.root), PUBLIC):
        assert isinstance(verify_sigstore(DATA, bundle, ring_of(trust, Key(sigstore=DANA))), Bad)


@table(
    ("trust", "words"),
    {
        "that is not here": (Trust(missing="it is not here"), "it is not here"),
        "that is no root": (Trust(b"{}"), "trust root cannot be read"),
        "that is no JSON": (Trust(b"\xff"), "trust root cannot be read"),
    },
)
def test_a_root_that_cannot_judge(bundle: bytes, trust: Trust, words: str) -> None:
    with pytest.raises(CannotJudge, match=words):
        verify_sigstore(DATA, bundle, ring_of(trust, Key(sigstore=DANA)))


@pytest.mark.parametrize("instance_name", ["production", "staging"])
def test_signing_without_network_says_so(instance_name: str) -> None:
    signer = make_signer("dana", [Key(sigstore=DANA)], Keyless(instance_name, token_of("dana")))
    with pytest.raises(AccordError, match="Sigstore did not sign"):
        signer.sign(DATA)


class TestPublicInstance:
    """What the public staging instance signed, by the root that comes with the package."""

    DATA = (PUBLIC_FOLDER / "staging.txt").read_bytes()
    BUNDLE = (PUBLIC_FOLDER / "staging.txt.sigstore.json").read_bytes()

    @pytest.fixture
    def staging(self) -> Trust:
        folder = files("sigstore") / "_store" / "https%3A%2F%2Ftuf-repo-cdn.sigstage.dev"
        return Trust((folder / "trusted_root.json").read_bytes())

    def test_good(self, staging: Trust) -> None:
        found = verify_sigstore(self.DATA, self.BUNDLE, ring_of(staging, Key(sigstore=STAGING)))
        assert isinstance(found, Good)
        assert found.signed_at == "2024-04-02T19:19:09Z"

    @table(
        ("spoil",),
        {
            name: (SPOILED[name],)
            for name in ("another signature", "another entry", "no inclusion proof", "another time")
        },
    )
    def test_bad(self, staging: Trust, spoil: Callable[[bytes], bytes]) -> None:
        ring = ring_of(staging, Key(sigstore=STAGING))
        assert isinstance(verify_sigstore(self.DATA, spoil(self.BUNDLE), ring), Bad)

    def test_by_a_timestamp_authority(self, staging: Trust) -> None:
        """Rekor 2 gives no time; then an authority vouches for it (RFC 3161)."""
        jussi = SigstoreIdentity(identity="jku@goto.fi", issuer=STAGING.issuer)
        data = (PUBLIC_FOLDER / "staging-rekor-2.txt").read_bytes()
        made = (PUBLIC_FOLDER / "staging-rekor-2.txt.sigstore.json").read_bytes()
        found = verify_sigstore(data, made, ring_of(staging, Key(sigstore=jussi)))
        assert isinstance(found, Good)
        assert found.signed_at == "2025-06-09T11:57:38Z"

    def test_another_spelling_makes_no_other_time(self, staging: Trust) -> None:
        """The library knows two spellings of a name, and looks at no stamp that does not fit."""
        other = json.loads((PUBLIC_FOLDER / "staging-rekor-2.txt.sigstore.json").read_bytes())
        stamps = other["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"]
        stamp = base64.b64decode(stamps[0]["signedTimestamp"])
        forged = stamp.replace(b"20250609115738Z", b"20190101000000Z")
        assert forged != stamp
        plain = json.loads(self.BUNDLE)
        material = plain["verificationMaterial"]
        fake = {"signedTimestamp": base64.b64encode(forged).decode()}
        material["timestampVerificationData"] = {"rfc3161Timestamps": [fake]}
        entry = material["tlogEntries"][0]
        entry["inclusion_promise"] = entry.pop("inclusionPromise")
        ring = ring_of(staging, Key(sigstore=STAGING))
        found = verify_sigstore(self.DATA, json.dumps(plain).encode(), ring)
        assert isinstance(found, Good)
        assert found.signed_at == "2024-04-02T19:19:09Z"

    def test_by_the_root_of_production(self) -> None:
        found = verify_sigstore(self.DATA, self.BUNDLE, ring_of(PUBLIC, Key(sigstore=STAGING)))
        assert isinstance(found, Bad)
