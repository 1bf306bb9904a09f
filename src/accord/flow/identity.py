"""Who acts: the member, and the key that signs for it (section 10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.flow.session import Session
from accord.signing.base import Signer
from accord.signing.discover import find_signer, find_signers
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import Keyless, find_holder, make_signer


@dataclass(frozen=True, slots=True)
class Wish:
    """Who is asked to act, and with what: `--as`, `--key`, `--sigstore`; each may be None."""

    member: str | None = None
    key: Path | None = None
    keyless: Keyless | None = None


NOBODY_NAMED = Wish()


def find_actor(session: Session, wish: Wish, able: Iterable[str], what: str) -> Signer:
    """The one member among `able` that can sign here; `what` says for what, in words.

    A member that is named may be anybody: the rules say whether it is allowed. Raises UsageError
    when nobody can sign, or when several can and none was named.
    """
    if wish.member is not None:
        return find_named(session, wish.member, wish)
    able = sorted(set(able))
    signers = {name: one for name, one in find_all(session, wish).items() if name in able}
    if len(signers) == 1:
        return next(iter(signers.values()))
    if signers:
        raise UsageError(
            f"several members whose keys are at hand can {what}: {', '.join(sorted(signers))}",
            "say who acts with --as MEMBER",
        )
    who = f"one of {', '.join(able)}" if able else "nobody of this project"
    raise UsageError(
        f"no key is at hand of a member who can {what}: that is {who}",
        f"`git config accord.{able[0] if able else 'MEMBER'}.key PATH` names the key that signs",
    )


def find_named(session: Session, member: str, wish: Wish = NOBODY_NAMED) -> Signer:
    """The signer of one member; who has an identity and no SSH key signs with Sigstore.

    Raises UsageError when it is no member, or cannot sign here.
    """
    if member not in session.policy.members:
        raise UsageError(
            f"{member} is no member of this project",
            f"the members are {', '.join(sorted(session.policy.members))}",
        )
    keys = session.policy.members[member].keys
    keyless = wish.keyless
    if (
        keyless is None
        and wish.key is None
        and not any(key.ssh and not (key.valid_until or key.revoked_from) for key in keys)
    ):
        keyless = Keyless()
    if keyless is not None:
        return make_signer(member, keys, keyless)
    return find_signer(session.repository, session.policy, member, wish.key)


def find_all(session: Session, wish: Wish = NOBODY_NAMED) -> dict[str, Signer]:
    """Every member that can sign here; with `--sigstore` the one whom the token names."""
    if wish.keyless is not None:
        ring = KeyRing.from_policy(session.policy)
        member = wish.member or find_holder(wish.keyless, ring)
        return {member: find_named(session, member, wish)}
    return dict(find_signers(session.repository, session.policy, wish.key))


def with_role(session: Session, role: str) -> tuple[str, ...]:
    """The members that hold a role, sorted."""
    return tuple(
        sorted(name for name, member in session.policy.members.items() if role in member.roles)
    )
