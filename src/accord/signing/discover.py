"""Finding the keys that are at hand: whose they are, the policy says (section 10).

They are looked for in this order: `--key`, `git config accord.<member>.key`, git's own
`user.signingkey`, the ssh-agent. Of several keys of one member, one that is neither retired nor
revoked is taken first; whether it is valid, the rules say.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from accord.errors import AccordError, UsageError
from accord.model.policy import Policy
from accord.signing.base import Owner, Unknown
from accord.signing.keyring import KeyRing
from accord.signing.ssh_file import load_public_key
from accord.signing.ssh_key import PublicKey, UnfitKey, parse_public_key
from accord.signing.ssh_signer import SshSigner

_CONFIGURED = r"^(user\.signingkey|accord\..*\.key)$"
_LITERAL = "key::"


class Configuration(Protocol):
    """Where git's settings are read: the repository."""

    def config_matching(self, pattern: str) -> Mapping[str, str]:
        """The settings whose name matches a regular expression."""


class _Candidate(NamedTuple):
    public: PublicKey
    file: Path | None
    place: str


def find_signers(
    configuration: Configuration, policy: Policy, key: Path | None = None
) -> dict[str, SshSigner]:
    """Every member for whom a key is at hand, and its signer; `key` (`--key`) is then the only one.

    Settings that name no readable key are passed over: `find_signer` tells of them. Raises
    AccordError when `key` cannot be read.
    """
    if key is not None:
        candidates = [_load(key, "--key")]
    else:
        settings = configuration.config_matching(_CONFIGURED)
        candidates = [*_find_configured(settings), *_find_around(settings)]
    return _assign(candidates, KeyRing.from_policy(policy))


def find_signer(
    configuration: Configuration, policy: Policy, member: str, key: Path | None = None
) -> SshSigner:
    """The signer of one member.

    Raises UsageError that says where was looked and which keys would do when there is none,
    AccordError when the key that `--key` or `accord.<member>.key` names cannot be read.
    """
    ring = KeyRing.from_policy(policy)
    settings = configuration.config_matching(_CONFIGURED)
    setting = f"accord.{member}.key"
    named = None
    if key is not None:
        named = _load(key, "--key")
    elif setting in settings:
        named = _load_setting(settings[setting], setting)
    signers = _assign([named] if named else _find_around(settings), ring)
    if member in signers:
        return signers[member]
    if named is not None:
        raise UsageError(
            f"{named.place} names the key {named.public.fingerprint}, which is not {member}'s:"
            f" {_describe_owner(named, ring)}",
            _describe_keys(member, ring),
        )
    raise UsageError(
        f"no key of {member} is at hand",
        f"{_describe_keys(member, ring)}; name one with --key PATH or"
        f" `git config {setting} PATH`, or give it to the agent with `ssh-add`",
    )


def _assign(candidates: Iterable[_Candidate], ring: KeyRing) -> dict[str, SshSigner]:
    best: dict[str, tuple[int, SshSigner]] = {}
    for candidate in candidates:
        owner = ring.find_ssh(candidate.public.blob)
        if isinstance(owner, Unknown):
            continue
        rank = _rank(owner)
        if owner.member not in best or rank < best[owner.member][0]:
            signer = SshSigner(owner.member, candidate.public, candidate.file)
            best[owner.member] = rank, signer
    return {member: signer for member, (_, signer) in best.items()}


def _rank(owner: Owner) -> int:
    """Without limits first, then with a window, revoked last."""
    return min(
        2 if key.revoked_from else 1 if key.valid_until or key.valid_from else 0
        for key in owner.keys
    )


def _find_configured(settings: Mapping[str, str]) -> Iterator[_Candidate]:
    for name, value in settings.items():
        if name.startswith("accord."):
            yield from _try_setting(value, name)


def _find_around(settings: Mapping[str, str]) -> Iterator[_Candidate]:
    # user.signingkey may as well name an OpenPGP key: what is no SSH key is passed over.
    yield from _try_setting(settings.get("user.signingkey", ""), "user.signingkey")
    for public in _list_agent():
        yield _Candidate(public, None, "ssh-agent")


def _try_setting(value: str, place: str) -> Iterator[_Candidate]:
    try:
        if value:
            yield _load_setting(value, place)
    except AccordError:
        return


def _load_setting(value: str, place: str) -> _Candidate:
    if value.startswith((_LITERAL, "ssh-")):  # git's own forms of a key that the agent holds
        return _Candidate(parse_public_key(value.removeprefix(_LITERAL)), None, place)
    return _load(Path(value).expanduser(), place)


def _load(file: Path, place: str) -> _Candidate:
    return _Candidate(load_public_key(file), file, place)


def _list_agent() -> list[PublicKey]:
    if not os.environ.get("SSH_AUTH_SOCK"):
        return []
    try:
        listed = subprocess.run(["ssh-add", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    keys = []
    for line in listed.stdout.splitlines() if listed.returncode == 0 else ():
        try:
            keys.append(parse_public_key(line))
        except UnfitKey:
            continue  # a certificate, or a type that no policy can hold
    return keys


def _describe_owner(candidate: _Candidate, ring: KeyRing) -> str:
    owner = ring.find_ssh(candidate.public.blob)
    return owner.reason if isinstance(owner, Unknown) else f"it is {owner.member}'s"


def _describe_keys(member: str, ring: KeyRing) -> str:
    names = ", ".join(owner.name for owner in ring.ssh_owners(member).values())
    return f"{member}'s SSH keys in the policy: {names or 'none'}"
