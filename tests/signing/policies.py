"""Small policies: members and their keys, and nothing else that matters here."""

from __future__ import annotations

from accord.model.policy import Key, Member, Policy
from accord.signing.keyring import KeyRing


def policy_of(**members: str | Key | tuple[str | Key, ...]) -> Policy:
    """A policy in which each member has these keys; a line stands for a key without limits."""
    return Policy(
        project="3f" * 16,
        serial=1,
        members={
            name: Member(kind="human", roles=("voter",), keys=_keys(keys))
            for name, keys in members.items()
        },
        classes={},
    )


def ring_of(**members: str | Key | tuple[str | Key, ...]) -> KeyRing:
    """The keys of such a policy."""
    return KeyRing.from_policy(policy_of(**members))


def _keys(keys: str | Key | tuple[str | Key, ...]) -> tuple[Key, ...]:
    listed = keys if isinstance(keys, tuple) else (keys,)
    return tuple(Key(ssh=key) if isinstance(key, str) else key for key in listed)
