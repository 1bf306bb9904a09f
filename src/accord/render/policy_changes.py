"""What changes in a policy, one sentence a change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from accord.model.policy_change import Change, Difference, Plain

_NOTHING = "not set"


def describe_policy_changes(differences: Sequence[Difference]) -> tuple[str, ...]:
    """The differences in words. The sentences hold text of others: quote or escape them."""
    return tuple(_describe(difference) for difference in differences)


def _describe(one: Difference) -> str:
    describe = _SUBJECTS.get(one.place[0])
    told = describe(one) if describe else None
    return told or _say(".".join(one.place), one)


def _say(subject: str, one: Difference) -> str:
    """Any change of anything."""
    match one.change:
        case "added":
            return f"{subject}: added{_list(one.after)}"
        case "removed":
            return f"{subject}: removed{_list(one.before)}"
        case "reordered":
            return f"{subject}: the same in another order, {_tell(one.after)}"
    return f"{subject}: {_tell(one.before)} → {_tell(one.after)}"


def _list(value: Plain) -> str:
    """What comes or goes; a plain word was said already, as the last name of its place."""
    return f" ({_tell(value)})" if isinstance(value, Mapping | list) else ""


def _tell(value: Plain) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_tell(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_tell, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _describe_member(one: Difference) -> str | None:
    _, member, *rest = one.place
    match rest:
        case []:
            return _say(f"member {member}", one)
        case ["roles", role]:
            verb = {"added": "becomes", "removed": "is no longer"}[one.change]
            return f"member {member} {verb} {role}"
        case ["keys", key]:
            verb = {"added": "gets", "removed": "loses"}[one.change]
            return f"member {member} {verb} the key {key}{_limit(one.after or one.before)}"
        case ["keys", key, "revoked_from"] if one.after is not None:
            return f"the key {key} of {member} is revoked, from {one.after} on"
        case ["keys", key, "valid_until"] if one.after is not None:
            return f"the key {key} of {member} is retired, valid until {one.after}"
        case ["keys", key, *field]:
            return _say(f"the key {key} of {member}, {'.'.join(field)}", one)
    return _say(f"member {member}, {'.'.join(rest)}", one)


def _limit(key: Plain) -> str:
    """What a key says besides its bytes."""
    limits = (
        {name: told for name, told in key.items() if name != "ssh"}
        if isinstance(key, Mapping)
        else {}
    )
    return _list(limits) if limits else ""


def _describe_class(one: Difference) -> str | None:
    _, name, *rest = one.place
    match rest:
        case []:
            return _say(f"class {name}", one)
        case ["voters", "eligible", member]:
            verb = {"added": "may", "removed": "may no longer"}[one.change]
            return f"class {name}: {member} {verb} vote"
        case ["merge", status]:
            verb = {"added": "may", "removed": "may no longer"}[one.change]
            return f"class {name}: what is {status} {verb} arrive on a protected branch"
    return _say(f"class {name}, {'.'.join(rest)}", one)


def _describe_protected(one: Difference) -> str | None:
    verbs: dict[Change, str] = {"added": "becomes", "removed": "is no longer"}
    if one.change not in verbs:
        return None
    return f"the branch {one.place[1]} {verbs[one.change]} protected"


def _describe_guard(one: Difference) -> str | None:
    verbs: dict[Change, str] = {"added": "guarded from now on", "removed": "no longer guarded"}
    if one.change in verbs and len(one.place) == 2:
        return f"{verbs[one.change]}{_list(one.after or one.before)}"
    return None


_SUBJECTS: dict[str, Callable[[Difference], str | None]] = {
    "members": _describe_member,
    "classes": _describe_class,
    "protected": _describe_protected,
    "guarded": _describe_guard,
}
