"""`member`: who decides, and with which keys (section 3.2).

A policy is a file that people edit: a change is merged into what they wrote, with the serial
raised by one. Once decisions are taken by it, a change needs a governance decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from accord.errors import Refused, UsageError
from accord.flow.publish import alone, write_and_stage
from accord.flow.session import Session
from accord.model.ids import is_id
from accord.model.paths import POLICY
from accord.model.policy import Key, Kind, Member, Policy, Role
from accord.rules.policy import check_policy, key_material
from accord.rules.roster import OFFICES
from accord.signing.keyring import check_keys
from accord.store.load import load_policy
from accord.store.parse import parse_file
from accord.store.schema import schema_for
from accord.store.tree import read_plain
from accord.store.writer import dump_draft

POLICY_COMMENTS = {
    "project": "Made by accord init, copied into every ballot.",
    "serial": "Every change raises it by exactly one.",
    "members": "Who takes part. Keys are retired or revoked, never removed.",
    "classes": "What is decided how. Changes of this file are decided in governance.",
    "no_vote_needed": "What nobody has to vote on.",
}


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A member to be added."""

    name: str
    kind: Kind
    roles: tuple[Role, ...]
    key: Key


def read_public_key(key: str) -> str:
    """A public key given as a line or as a file. Raises UsageError when it is neither."""
    if key.startswith(("ssh-", "ecdsa-", "sk-")):
        return " ".join(key.split()[:2])
    path = Path(key)
    if not path.name.endswith(".pub"):
        path = path.with_name(path.name + ".pub")
    try:
        return " ".join(path.read_text().split()[:2])
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read as a public key: {error}",
            "give the line itself, or a file such as ~/.ssh/id_ed25519.pub",
        ) from error


def _edit_policy(session: Session, change: Policy) -> str:
    """Write a changed policy, judged first, and stage it; what has to happen next, in a sentence.

    The session is one of `alone`. Raises Refused when it contradicts itself.
    """
    before = load_policy(session.base).policy
    serial = change.serial if before is None else before.serial + 1
    policy = msgspec.structs.replace(change, serial=serial)
    findings = [
        finding
        for finding in (*check_policy(policy), *check_keys(policy, POLICY))
        if finding.severity == "error"
    ]
    if findings:
        raise Refused("the policy would contradict itself; nothing was written", findings)
    data = _merge(session, policy)
    write_and_stage(session, {POLICY: data})
    if before is None:
        return "It is the first policy: commit it, and it is in force."
    return (
        "It is in force when a governance decision enacts it:"
        f" accord propose policy-{serial} --class governance"
    )


def render_policy(policy: Policy) -> bytes:
    """The policy as accord writes it."""
    return dump_draft(policy, "policy", POLICY_COMMENTS, schema_for(POLICY, "policy"))


def _merge(session: Session, policy: Policy) -> bytes:
    """The changed policy, with what people wrote into the file kept where git can merge it.

    Raises UsageError when that fails and HEAD does not have the file as it was, and when the
    file was edited and not staged.
    """
    staged = read_plain(session.tree, POLICY)
    file = session.root / POLICY
    if staged is None or not file.is_file() or file.read_bytes() != staged:
        raise UsageError(
            f"{POLICY} was edited and is not staged", f"stage it first: git add {POLICY}"
        )
    merged = _merge_texts(session, staged, render_policy(_staged(session)), render_policy(policy))
    if parse_file(merged, POLICY, "policy")[0] == policy:
        return merged
    if session.base.find(POLICY) != session.tree.find(POLICY):
        raise UsageError(
            f"{POLICY} is laid out in a way of its own, and rewriting it would lose that",
            "commit it first, or make the change by hand and raise the serial by one",
        )
    return render_policy(policy)


def _merge_texts(session: Session, ours: bytes, before: bytes, after: bytes) -> bytes:
    with TemporaryDirectory(prefix="accord-") as folder:
        texts = {"ours": ours, "before": before, "after": after}
        for name, text in texts.items():
            (Path(folder) / name).write_bytes(text)
        files = [str(Path(folder) / name) for name in texts]
        return session.repository.reading.ask("merge-file", "-p", "-q", *files).out


def _staged(session: Session) -> Policy:
    loaded = load_policy(session.tree)
    if loaded.policy is None:
        raise Refused(f"{POLICY} cannot be read", loaded.findings, "`accord verify` says more")
    return loaded.policy


def add_member(session: Session, newcomer: Newcomer) -> str:
    """Add a member with one key. Raises UsageError when one of this name is there."""
    if not is_id(newcomer.name):
        raise UsageError(f"{newcomer.name!r} is no member id", "use a-z, 0-9, _ and -")
    member = Member(kind=newcomer.kind, roles=newcomer.roles, keys=(newcomer.key,))
    with alone(session, f"add {newcomer.name}") as here:
        policy = _staged(here)
        if newcomer.name in policy.members:
            raise UsageError(
                f"{newcomer.name} is a member already",
                f"`accord member rotate {newcomer.name}` gives it another key",
            )
        return _with_member(here, policy, newcomer.name, member)


def rotate_key(session: Session, name: str, key: Key) -> str:
    """Give a member a new key or identity; the old ones are valid until now."""
    with alone(session, f"rotate {name}") as here:
        policy = _staged(here)
        member = find_member(policy, name)
        if key_material(key) in map(key_material, member.keys):
            raise UsageError(f"{name} has this key already", "generate a new one with ssh-keygen")
        keys = (*(_end(old, here.clock()) for old in member.keys), key)
        return _with_member(here, policy, name, msgspec.structs.replace(member, keys=keys))


def retire_member(session: Session, name: str) -> str:
    """End the keys of a member, its eligibility and its offices. It stays: it has signed."""
    with alone(session, f"retire {name}") as here:
        return _retire(here, _staged(here), name)


def _retire(session: Session, policy: Policy, name: str) -> str:
    member = find_member(policy, name)
    classes = {
        class_name: msgspec.structs.replace(
            cls,
            voters=msgspec.structs.replace(
                cls.voters, eligible=tuple(one for one in cls.voters.eligible if one != name)
            ),
        )
        for class_name, cls in policy.classes.items()
    }
    keys = [_end(key, session.clock()) for key in member.keys]
    roles = tuple(role for role in member.roles if role not in OFFICES) or ("voter",)
    retired = msgspec.structs.replace(member, keys=tuple(keys), roles=roles)
    policy = msgspec.structs.replace(policy, classes=classes)
    return _with_member(session, policy, name, retired)


def find_member(policy: Policy, name: str) -> Member:
    """A member by name. Raises UsageError when there is none."""
    if name not in policy.members:
        raise UsageError(
            f"{name} is no member of this project",
            f"the members are {', '.join(sorted(policy.members))}",
        )
    return policy.members[name]


def _end(key: Key, now: str) -> Key:
    return key if key.valid_until else msgspec.structs.replace(key, valid_until=now)


def _with_member(session: Session, policy: Policy, name: str, member: Member) -> str:
    members = {**policy.members, name: member}
    return _edit_policy(session, msgspec.structs.replace(policy, members=members))
