"""A policy that contradicts itself is refused, fault by fault (section 3.2)."""

from __future__ import annotations

from typing import Any

from accord.model.policy import (
    Guard,
    Independence,
    Key,
    Member,
    Policy,
    Requirements,
    Seats,
    SigstoreIdentity,
)
from accord.rules.policy import check_policy, is_retired, key_material
from tests.support.aftermath import make_member, make_policy
from tests.support.files import DECIDER, SEVEN, VOTERS, change, make_class, seats
from tests.support.tables import table

DANA = SigstoreIdentity(identity="dana@example.org", issuer="https://accounts.example.org")


def with_members(**members: Any) -> Policy:
    """The valid policy, with members replaced or added; None takes one away."""
    policy = make_policy()
    named = dict(policy.members) | members
    return change(policy, members={name: one for name, one in named.items() if one is not None})


def with_class(name: str = "architecture", **fields: Any) -> Policy:
    policy = make_policy()
    return change(policy, classes=dict(policy.classes) | {name: make_class(**fields)})


def quorum(**fields: Any) -> Policy:
    """A policy with a class of `bft_quorum` for seven."""
    policy = with_class(
        "migration",
        **{
            "rule": "bft_quorum",
            "ballots": "sealed",
            "voters": Seats(min=7, max=7, eligible=SEVEN),
            "independence": Independence(f=2),
        }
        | fields,
    )
    members = {name: make_member(name, roles=seat.roles) for name, seat in seats(SEVEN).items()}
    return change(policy, members=dict(policy.members) | members)


def seats_of(low: int, high: int, *eligible: str) -> Seats:
    return Seats(min=low, max=high, eligible=eligible or VOTERS)


SEALED_UNANIMITY: dict[str, Any] = {"ballots": "sealed", "independence": Independence(f=1)}


@table(
    "policy",
    {
        "unanimity": make_policy(),
        "two protected branches": make_policy(protected=("main", "release/1.0")),
        "guarded code": make_policy(guarded=(Guard(paths=("src/**",), class_="architecture"),)),
        "a quorum of exactly 3f+1": quorum(),
        "a quorum that warns of overlap": quorum(
            independence=Independence(f=2, overlap_warning="0.8")
        ),
        "a quorum that leaves its gates out": quorum(
            require=Requirements(evidence_consensus=False, reasoning_convergence=False)
        ),
        "unanimity with independence": with_class(**SEALED_UNANIMITY, voters=seats_of(3, 3)),
        "keys of both kinds, and two of one member": with_members(
            implementer=make_member(
                "implementer", keys=(Key(ssh="ssh-ed25519 AAAAi"), Key(sigstore=DANA))
            )
        ),
        "one key twice on one member, with another window": with_members(
            implementer=make_member(
                "implementer",
                keys=(
                    Key(ssh="ssh-ed25519 AAAAi old", valid_until="2026-01-01T00:00:00Z"),
                    Key(ssh="ssh-ed25519 AAAAi new"),
                ),
            )
        ),
    },
)
def test_these_hold_together(policy: Policy) -> None:
    assert check_policy(policy) == ()


@table(
    ("policy", "field", "words"),
    {
        "a key on two members": (
            with_members(
                implementer=make_member("i", keys=(Key(ssh="ssh-ed25519 AAAAx one"),)),
                reviewer=make_member("r", keys=(Key(ssh="ssh-ed25519 AAAAx another"),)),
            ),
            "members.reviewer.keys[0]",
            "reviewer and implementer have the same key",
        ),
        "no protected branch": (make_policy(protected=()), "protected", "no branch is protected"),
        "a pattern of branches": (
            make_policy(protected=("main", "release/*")),
            "protected[1]",
            "release/* cannot be the name of a branch",
        ),
        "an identity on two members": (
            with_members(
                implementer=make_member("i", keys=(Key(sigstore=DANA),)),
                reviewer=make_member("r", keys=(Key(sigstore=DANA),)),
            ),
            "members.reviewer.keys[0]",
            "the same key",
        ),
        "a member with no key": (
            with_members(implementer=make_member("i", keys=())),
            "members.implementer.keys",
            "implementer has no key",
        ),
        "a guard of a class that is not there": (
            make_policy(guarded=(Guard(paths=("src/**",), class_="none"),)),
            "guarded[0].class",
            "there is no class none",
        ),
        "a key that is of no kind": (
            with_members(implementer=make_member("i", keys=(Key(),))),
            "members.implementer.keys[0]",
            "not exactly one",
        ),
        "a key that is of both kinds": (
            with_members(
                implementer=make_member("i", keys=(Key(ssh="ssh-ed25519 A", sigstore=DANA),))
            ),
            "members.implementer.keys[0]",
            "not exactly one",
        ),
        "no authority": (
            with_members(orchestrator=None),
            "members",
            "no member has the role authority",
        ),
        "a decider that is not human": (
            with_members(dana=make_member("dana", roles=("decider",))),
            f"members.{DECIDER}.roles",
            "an agent and a decider",
        ),
        "eligible voters without a challenger": (
            with_class(voters=seats_of(2, 2, "implementer", "reviewer")),
            "classes.architecture.voters.eligible",
            "no challenger is eligible",
        ),
        "an eligible voter who is no member": (
            with_class(voters=seats_of(2, 3, *VOTERS, "stranger")),
            "classes.architecture.voters.eligible",
            "stranger is no member",
        ),
        "min over max": (
            with_class(voters=seats_of(3, 2)),
            "classes.architecture.voters.min",
            "min 3 is more than max 2",
        ),
        "min over the eligible": (
            with_class(voters=seats_of(4, 4)),
            "classes.architecture.voters.min",
            "more than the 3 who are eligible",
        ),
        "unanimity of one": (
            with_class(voters=seats_of(1, 3)),
            "classes.architecture.voters.min",
            "one voter is always unanimous",
        ),
        "overlap outside a quorum": (
            with_class(
                ballots="sealed",
                voters=seats_of(3, 3),
                independence=Independence(f=1, overlap_warning="0.5"),
            ),
            "classes.architecture.independence.overlap_warning",
            "belongs to bft_quorum",
        ),
        "a quorum without independence": (
            quorum(independence=None),
            "classes.migration.independence",
            "without independence",
        ),
        "a quorum of fewer than 3f+1": (
            quorum(voters=Seats(min=6, max=7, eligible=SEVEN)),
            "classes.migration.voters",
            "min and max are 7",
        ),
        "a quorum of more than 3f+1": (
            quorum(voters=Seats(min=7, max=8, eligible=SEVEN)),
            "classes.migration.voters",
            "min and max are 7",
        ),
        "a quorum that asks for consensus": (
            quorum(require=Requirements(evidence_consensus=True)),
            "classes.migration.require.evidence_consensus",
            "does not know evidence_consensus",
        ),
        "a quorum that asks for convergence": (
            quorum(require=Requirements(reasoning_convergence=True)),
            "classes.migration.require.reasoning_convergence",
            "does not know reasoning_convergence",
        ),
        "independence that reckons with nobody": (
            with_class(ballots="sealed", voters=seats_of(3, 3), independence=Independence(f=0)),
            "classes.architecture.independence.f",
            "f is less than 1",
        ),
        "independence of more than there are voters": (
            with_class(**SEALED_UNANIMITY, voters=seats_of(2, 3)),
            "classes.architecture.independence.f",
            "2f+1 = 3 independent votes cannot come from 2 voters",
        ),
        "independence with open ballots": (
            with_class(ballots="open", voters=seats_of(3, 3), independence=Independence(f=1)),
            "classes.architecture.ballots",
            "independence with open ballots",
        ),
        "no governance": (
            change(make_policy(), classes={"architecture": make_class()}),
            "classes",
            "there is no class governance",
        ),
        "governance with open ballots": (
            with_class("governance", ballots="open", waivers=()),
            "classes.governance.ballots",
            "open",
        ),
        "governance with waivers": (
            with_class("governance", ballots="sealed", waivers=("path_independent",)),
            "classes.governance.waivers",
            "allows waivers",
        ),
    },
)
def test_each_fault_is_named_where_it_is(policy: Policy, field: str, words: str) -> None:
    (finding,) = check_policy(policy)
    assert (finding.code, finding.field) == ("policy-invalid", field)
    assert words in finding.message


def test_no_challenger_is_a_fault_of_the_members_and_of_each_class() -> None:
    findings = check_policy(with_members(challenger=make_member("challenger")))
    assert [finding.field for finding in findings] == [
        "members",
        "classes.architecture.voters.eligible",
        "classes.governance.voters.eligible",
    ]


def test_without_a_decider_it_warns_and_holds() -> None:
    (finding,) = check_policy(with_members(dana=None))
    assert (finding.code, finding.severity) == ("no-decider", "warning")


def test_classes_that_differ_only_in_a_dash_clash() -> None:
    policy = make_policy()
    classes = dict(policy.classes) | {"data-base": make_class(), "data_base": make_class()}
    findings = check_policy(change(policy, classes=classes))
    assert [(finding.code, finding.field) for finding in findings] == [
        ("id-clash", "classes.data-base"),
        ("id-clash", "classes.data_base"),
    ]


def test_all_faults_are_told_not_the_first() -> None:
    policy = with_class(voters=seats_of(1, 1, "implementer"), waivers=())
    assert (
        len(check_policy(change(policy, classes={"architecture": policy.classes["architecture"]})))
        == 3
    )


@table(
    ("key", "material"),
    {
        "ssh without its comment": (Key(ssh="ssh-ed25519 AAAA dana@host"), "ssh-ed25519 AAAA"),
        "sigstore": (Key(sigstore=DANA), "https://accounts.example.org dana@example.org"),
        "neither": (Key(), ""),
    },
)
def test_what_makes_two_entries_one_key(key: Key, material: str) -> None:
    assert key_material(key) == material


def test_who_has_no_key_left_is_retired() -> None:
    ended = Key(ssh="ssh-ed25519 AAAA", revoked_from="2026-01-01T00:00:00Z")
    member = Member(kind="human", roles=("decider",), keys=(ended,))
    assert is_retired(member)
    lasting = Key(ssh="ssh-ed25519 BBBB", valid_until="2099-01-01T00:00:00Z")
    assert not is_retired(change(member, keys=(ended, lasting)))
