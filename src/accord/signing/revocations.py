"""Keys that one policy revokes, revoked in another one too (section 3.2)."""

from __future__ import annotations

import msgspec

from accord.model.ids import moment
from accord.model.policy import Key, Member, Policy
from accord.signing.keyring import Named, name_key


def share_revocations(policy: Policy, other: Policy) -> Policy:
    """A policy in which each key is revoked from when either of the two revokes it.

    Whoever holds a key there and here, and under whatever comment: it is the same key.
    """
    revoked = _list_revoked(other)
    if not revoked:
        return policy
    members = {name: _revoke(member, revoked) for name, member in policy.members.items()}
    return policy if members == policy.members else msgspec.structs.replace(policy, members=members)


def _list_revoked(policy: Policy) -> dict[bytes | Named, str]:
    """Each revoked key, and from when on: the earliest time that is named."""
    revoked: dict[bytes | Named, str] = {}
    for member in policy.members.values():
        for key in member.keys:
            name = name_key(key)
            if name is not None and key.revoked_from is not None:
                known = revoked.get(name, key.revoked_from)
                revoked[name] = min(known, key.revoked_from, key=moment)
    return revoked


def _revoke(member: Member, revoked: dict[bytes | Named, str]) -> Member:
    keys = tuple(_revoke_key(key, revoked) for key in member.keys)
    return msgspec.structs.replace(member, keys=keys)


def _revoke_key(key: Key, revoked: dict[bytes | Named, str]) -> Key:
    name = name_key(key)
    since = revoked.get(name) if name is not None else None
    if since is None:
        return key
    earliest = min(since, key.revoked_from or since, key=moment)
    return msgspec.structs.replace(key, revoked_from=earliest)
