"""The keys of a policy, and whose they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from accord.model.finding import Finding
from accord.model.policy import Key, Policy
from accord.signing.base import Owner, Unknown
from accord.signing.ssh_key import PublicKey, UnfitKey, parse_public_key, require_product
from accord.signing.trust import PUBLIC, Trust


class Named(NamedTuple):
    """An OIDC identity, and the issuer that vouches for it."""

    issuer: str
    identity: str


Prove = Callable[[Sequence[bytes], Callable[[], bool]], bool]


def prove_anew(_about: Sequence[bytes], check: Callable[[], bool]) -> bool:
    """Remember nothing: ask."""
    return check()


class KeyRing:
    """All keys of all members, the retired and revoked ones too.

    A key that stands with two members is nobody's, and so is a line that is no key:
    `check_keys` says so. `prove` says what a check of a signature says, all of which is named
    before it: so it may know the answer.
    """

    def __init__(
        self,
        ssh: Mapping[bytes, tuple[Owner, ...]],
        sigstore: Mapping[Named, tuple[Owner, ...]] = MappingProxyType({}),
        trust: Trust = PUBLIC,
        prove: Prove = prove_anew,
    ) -> None:
        self._ssh = dict(ssh)
        self._sigstore = dict(sigstore)
        self.trust = trust
        self.prove = prove

    @classmethod
    def from_policy(
        cls, policy: Policy, trust: Trust = PUBLIC, prove: Prove = prove_anew
    ) -> KeyRing:
        """The keys and identities that a policy lists; `trust` is its Sigstore trust root."""
        owners: dict[bytes, dict[str, Owner]] = {}
        for member, key, public in _parse_keys(policy):
            if isinstance(public, PublicKey):
                of_key = owners.setdefault(public.blob, {})
                before = of_key[member].keys if member in of_key else ()
                of_key[member] = Owner(member=member, keys=(*before, key), name=public.fingerprint)
        ssh = {blob: tuple(of_key.values()) for blob, of_key in owners.items()}
        return cls(ssh, _gather_identities(policy), trust, prove)

    def find_ssh(self, blob: bytes) -> Owner | Unknown:
        """Whose SSH key it is, by the bytes of its public half."""
        owners = self._ssh.get(blob, ())
        if len(owners) == 1:
            return owners[0]
        if owners:
            names = " and ".join(owner.member for owner in owners)
            return Unknown(reason=f"the key {owners[0].name} stands with {names}: it is nobody's")
        return Unknown(reason="it was made with a key that no member has")

    def find_sigstore(self, issuer: str, names: Sequence[str]) -> Owner | Unknown:
        """Whose identity it is: any of some names, by exactly this issuer."""
        owners = [one for name in names for one in self._sigstore.get(Named(issuer, name), ())]
        if len(owners) == 1:
            return owners[0]
        shown = f"{' or '.join(names)} (issuer {issuer})"
        if owners:
            members = " and ".join(sorted({owner.member for owner in owners}))
            return Unknown(reason=f"{shown} stands with {members}: it is nobody's")
        return Unknown(reason=f"{shown} signed it, and no member has that identity")

    def ssh_owners(self, member: str) -> dict[bytes, Owner]:
        """The SSH keys that speak for a member, by the bytes of their public halves."""
        return {
            blob: owners[0]
            for blob, owners in self._ssh.items()
            if len(owners) == 1 and owners[0].member == member
        }


def _gather_identities(policy: Policy) -> dict[Named, tuple[Owner, ...]]:
    keys: dict[Named, dict[str, list[Key]]] = {}
    for member, about in policy.members.items():
        for key in about.keys:
            if key.sigstore is not None:
                named = Named(key.sigstore.issuer, key.sigstore.identity)
                keys.setdefault(named, {}).setdefault(member, []).append(key)
    return {
        named: tuple(
            Owner(member=member, keys=tuple(own), name=named.identity)
            for member, own in of_identity.items()
        )
        for named, of_identity in keys.items()
    }


def check_keys(policy: Policy, path: str) -> tuple[Finding, ...]:
    """What is wrong with the keys of a policy: lines that are no keys, keys of two members.

    Two lines with the same key and other comments are the same key.
    """
    findings = []
    first: dict[bytes, str] = {}
    positions: dict[str, int] = {}
    for member, _, public in _parse_keys(policy):
        number = positions.get(member, 0)
        positions[member] = number + 1
        field = f"members.{member}.keys[{number}].ssh"
        unfit = _find_unfit(public)
        if unfit is not None:
            findings.append(_finding(path, field, unfit.message, unfit.hint))
        elif isinstance(public, PublicKey) and first.setdefault(public.blob, member) != member:
            message = f"the key {public.fingerprint} stands with {first[public.blob]} too"
            findings.append(_finding(path, field, message, "give every member keys of its own"))
    return tuple(findings)


def name_key(key: Key) -> bytes | Named | None:
    """What makes two entries the same key, whatever is written around it; None for no key."""
    if key.sigstore is not None:
        return Named(key.sigstore.issuer, key.sigstore.identity)
    public = _parse(key)
    return public.blob if isinstance(public, PublicKey) else None


def allowed_signers(policy: Policy) -> str:
    """The policy's SSH keys as stock `ssh-keygen -Y verify -f FILE -I MEMBER -n accord` reads them.

    A key is valid from `valid_from` until `valid_until` or `revoked_from`, whichever is first.
    """
    lines = []
    for member, key, public in _parse_keys(policy):
        if isinstance(public, PublicKey):
            until = min(
                filter(None, (key.valid_until, key.revoked_from)), default=None, key=_digits
            )
            options = ['namespaces="accord"']
            options += [f'valid-after="{_digits(key.valid_from)}Z"'] if key.valid_from else []
            options += [f'valid-before="{_digits(until)}Z"'] if until else []
            lines.append(f"{member} {','.join(options)} {public.line}\n")
    return "".join(lines)


def _parse_keys(policy: Policy) -> list[tuple[str, Key, PublicKey | UnfitKey | None]]:
    return [
        (member, key, _parse(key)) for member, about in policy.members.items() for key in about.keys
    ]


def _parse(key: Key) -> PublicKey | UnfitKey | None:
    if key.ssh is None:
        return None
    try:
        return parse_public_key(key.ssh)
    except UnfitKey as unfit:
        return unfit


def _find_unfit(public: PublicKey | UnfitKey | None) -> UnfitKey | None:
    """Why a key may not stand in a policy, with what is too costly to ask at each signature."""
    if not isinstance(public, PublicKey):
        return public
    try:
        require_product(public)
    except UnfitKey as unfit:
        return unfit
    return None


def _digits(time: str) -> str:
    """A time in the form of OpenSSH, to the second."""
    return "".join(filter(str.isdigit, time[:19]))


def _finding(path: str, field: str, message: str, hint: str) -> Finding:
    return Finding(code="policy-invalid", path=path, field=field, message=message, hint=hint)
