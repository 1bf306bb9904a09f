"""What one policy says otherwise than another, and the words for it."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from accord.model.policy import Guard, Key, Member, Policy, Seats, SigstoreIdentity, TrustedRoot
from accord.model.policy_change import Difference
from accord.render.policy_changes import describe_policy_changes
from accord.rules.policy_changes import compare_policies, name_key
from tests.support import files as b
from tests.support.aftermath import make_policy
from tests.support.keys import FixedKey
from tests.support.tables import table

BEFORE = make_policy(
    guarded=(Guard(paths=("src/db/**",), class_="architecture"),), no_vote_needed=("bug fixes",)
)
AT = "2027-01-01T00:00:00Z"
OTHER = Key(ssh=FixedKey("extra").line)
ACCOUNT = SigstoreIdentity(identity="dana@example.org", issuer="https://accounts.example.org")


def change(**fields: Any) -> Policy:
    return msgspec.structs.replace(BEFORE, **fields)


def change_member(name: str, **fields: Any) -> Policy:
    member = msgspec.structs.replace(BEFORE.members[name], **fields)
    return change(members=BEFORE.members | {name: member})


def change_class(**fields: Any) -> Policy:
    one = msgspec.structs.replace(BEFORE.classes["architecture"], **fields)
    return change(classes=BEFORE.classes | {"architecture": one})


MEMBER = sorted(BEFORE.members)[0]
KEYS = BEFORE.members[MEMBER].keys
KEY = name_key(KEYS[0])
SEATS = BEFORE.classes["architecture"].voters


@table(
    ("after", "expected"),
    {
        "nothing": (BEFORE, []),
        "the serial": (change(serial=2), ["serial: 1 → 2"]),
        "a protected branch": (
            change(protected=("main", "release")),
            ["the branch release becomes protected"],
        ),
        "another protected branch": (
            change(protected=("trunk",)),
            ["the branch main is no longer protected", "the branch trunk becomes protected"],
        ),
        "a member comes": (
            change(
                members=BEFORE.members | {"zoe": Member(kind="agent", roles=("voter",), keys=())}
            ),
            ["member zoe: added (kind: agent; roles: voter; keys: none)"],
        ),
        "a role": (
            change_member(MEMBER, roles=(*BEFORE.members[MEMBER].roles, "decider")),
            [f"member {MEMBER} becomes decider"],
        ),
        "no role": (
            change_member(MEMBER, roles=()),
            [f"member {MEMBER} is no longer {role}" for role in BEFORE.members[MEMBER].roles],
        ),
        "another kind": (
            change_member(MEMBER, kind="human"),
            [f"member {MEMBER}, kind: agent → human"],
        ),
        "a key comes": (
            change_member(MEMBER, keys=(*KEYS, OTHER)),
            [f"member {MEMBER} gets the key {name_key(OTHER)}"],
        ),
        "an account comes": (
            change_member(MEMBER, keys=(*KEYS, Key(sigstore=ACCOUNT))),
            [
                f"member {MEMBER} gets the key dana@example.org of https://accounts.example.org"
                " (sigstore: identity: dana@example.org; issuer: https://accounts.example.org)"
            ],
        ),
        "a key goes": (change_member(MEMBER, keys=()), [f"member {MEMBER} loses the key {KEY}"]),
        "a key is retired": (
            change_member(MEMBER, keys=(msgspec.structs.replace(KEYS[0], valid_until=AT),)),
            [f"the key {KEY} of {MEMBER} is retired, valid until {AT}"],
        ),
        "a key is revoked": (
            change_member(MEMBER, keys=(msgspec.structs.replace(KEYS[0], revoked_from=AT),)),
            [f"the key {KEY} of {MEMBER} is revoked, from {AT} on"],
        ),
        "a key is good later": (
            change_member(MEMBER, keys=(msgspec.structs.replace(KEYS[0], valid_from=AT),)),
            [f"the key {KEY} of {MEMBER}, valid_from: not set → {AT}"],
        ),
        "a class goes": (
            change(classes={"architecture": BEFORE.classes["architecture"]}),
            ["class governance: removed"],
        ),
        "how many decide": (
            change_class(voters=Seats(min=1, max=SEATS.max, eligible=SEATS.eligible)),
            [f"class architecture, voters.min: {SEATS.min} → 1"],
        ),
        "who may vote": (
            change_class(
                voters=Seats(min=SEATS.min, max=SEATS.max, eligible=(*SEATS.eligible, "zoe"))
            ),
            ["class architecture: zoe may vote"],
        ),
        "what may arrive": (
            change_class(merge=("accepted", "approved_with_amendments", "rejected")),
            ["class architecture: what is withdrawn may no longer arrive on a protected branch"],
        ),
        "anchored": (change_class(anchored=True), ["class architecture, anchored: no → yes"]),
        "a guard goes": (
            change(guarded=()),
            ["no longer guarded (paths: src/db/**; class: architecture)"],
        ),
        "a guard comes": (
            change(guarded=(*BEFORE.guarded, Guard(paths=("x",), class_="architecture"))),
            ["guarded from now on (paths: x; class: architecture)"],
        ),
        "what a guard asks": (
            change(guarded=(Guard(paths=("src/db/**",), class_="governance"),)),
            ["guarded.src/db/**.class: architecture → governance"],
        ),
        "a guard twice": (
            change(guarded=BEFORE.guarded * 2),
            ["guarded from now on (paths: src/db/**; class: architecture)"],
        ),
        "the order of branches": (
            change(protected=("main", "a")),
            ["the branch a becomes protected"],
        ),
        "what needs no vote": (change(no_vote_needed=()), ["no_vote_needed.bug fixes: removed"]),
        "a trust root": (
            change(
                trusted_root=TrustedRoot(
                    path="decisions/trusted_root.json", digest=b.digest_of("x")
                )
            ),
            [
                "trusted_root: not set → path: decisions/trusted_root.json; digest:"
                f" {b.digest_of('x')}"
            ],
        ),
    },
)
def test_a_change_in_words(after: Policy, expected: list[str]) -> None:
    told = words(BEFORE, after)
    assert [one.partition(" (")[0] if "removed (" in one else one for one in told] == expected


def words(before: Policy, after: Policy) -> tuple[str, ...]:
    return describe_policy_changes(compare_policies(before, after))


def test_another_order_is_said() -> None:
    before, after = change(protected=("a", "b")), change(protected=("b", "a"))
    assert words(before, after) == ("protected: the same in another order, b, a",)
    before, after = (change(guarded=BEFORE.guarded + more) for more in ((), ()))
    assert words(before, after) == ()


def test_a_key_that_cannot_be_read_is_named_by_its_line() -> None:
    assert name_key(Key(ssh="ssh-ed25519 %%%")) == "ssh-ed25519 %%%"
    assert name_key(Key()) == ""


POLICIES = st.sampled_from(
    [
        BEFORE,
        change(serial=2),
        change(protected=("a", "b")),
        change(protected=("b", "a")),
        change_class(anchored=True),
        change_member(MEMBER, keys=(*KEYS, OTHER)),
        change_member(MEMBER, keys=(OTHER, *KEYS)),
        change(guarded=()),
        change(guarded=BEFORE.guarded * 2),
    ]
)


@given(POLICIES, POLICIES)
def test_nothing_is_left_out(before: Policy, after: Policy) -> None:
    found = compare_policies(before, after)
    assert (found == ()) is (before == after)
    assert len(describe_policy_changes(found)) == len(found)
    back = {"added": "removed", "removed": "added", "changed": "changed", "reordered": "reordered"}
    turned = {(one.place, back[one.change]) for one in compare_policies(after, before)}
    assert {(one.place, one.change) for one in found} == turned


def test_a_difference_is_plain_data() -> None:
    (found,) = compare_policies(BEFORE, change(serial=2))
    assert msgspec.to_builtins(found) == {
        "place": ("serial",),
        "change": "changed",
        "before": 1,
        "after": 2,
    }
    assert found == Difference(place=("serial",), change="changed", before=1, after=2)
