"""What one policy says otherwise than another: policy × policy → differences (section 3.2).

Nothing is left out: two policies without a difference are equal. What comes or goes as a whole,
such as a member, is one difference; of what stays, each field that changed is one.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec

from accord.model.base import Record
from accord.model.policy import Guard, Key, Policy
from accord.model.policy_change import Change, Difference


def compare_policies(before: Policy, after: Policy) -> tuple[Difference, ...]:
    """The differences, in the order of the fields of a policy."""
    return tuple(_compare((), before, after))


def _compare(place: tuple[str, ...], before: object, after: object) -> Iterator[Difference]:
    if before == after:
        return
    if isinstance(before, Record) and isinstance(after, Record):
        for field, key in zip(
            before.__struct_fields__, before.__struct_encode_fields__, strict=True
        ):
            yield from _compare((*place, key), getattr(before, field), getattr(after, field))
    elif isinstance(before, dict) and isinstance(after, dict):
        yield from _compare_tables(place, before, after)
    elif isinstance(before, tuple) and isinstance(after, tuple):
        yield from _compare_lists(place, before, after)
    else:
        yield _differ(place, "changed", before, after)


def _compare_lists(
    place: tuple[str, ...], before: Sequence[object], after: Sequence[object]
) -> Iterator[Difference]:
    """By what the members of a list are called. The order is a difference if nothing else is."""
    old, new = _name_all(before), _name_all(after)
    found = list(_compare_tables(place, old, new))
    yield from found or [_differ(place, "reordered", tuple(old), tuple(new))]


def _compare_tables(
    place: tuple[str, ...], before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[Difference]:
    for name in dict.fromkeys((*before, *after)):
        there = (*place, name)
        if name not in before:
            yield _differ(there, "added", None, after[name])
        elif name not in after:
            yield _differ(there, "removed", before[name], None)
        else:
            yield from _compare(there, before[name], after[name])


def _differ(place: tuple[str, ...], change: Change, before: object, after: object) -> Difference:
    plain = msgspec.to_builtins((before, after))
    return Difference(place=place, change=change, before=plain[0], after=plain[1])


def _name_all(members: Sequence[object]) -> dict[str, object]:
    named: dict[str, object] = {}
    for member in members:
        name = first = _name(member)
        count = 1
        while name in named:
            count += 1
            name = f"{first} ({count})"
        named[name] = member
    return named


def _name(member: object) -> str:
    match member:
        case Key():
            return name_key(member)
        case Guard():
            return ", ".join(member.paths)
    return str(member)


def name_key(key: Key) -> str:
    """How people tell a key: `ssh-ed25519 SHA256:…`, as ssh-keygen -l does, or an account."""
    if key.sigstore is not None:
        return f"{key.sigstore.identity} of {key.sigstore.issuer}"
    kind, _, rest = (key.ssh or "").partition(" ")
    try:
        blob = b64decode(rest.partition(" ")[0], validate=True)
    except (Error, ValueError):
        blob = b""
    if not blob:
        return key.ssh or ""
    return f"{kind} SHA256:{b64encode(sha256(blob).digest()).decode().rstrip('=')}"
