"""Whether a policy holds together (section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from accord.model.finding import Finding
from accord.model.ids import fold_id, is_branch_name
from accord.model.paths import POLICY
from accord.model.policy import GOVERNANCE, DecisionClass, Key, Member, Policy

Fault = tuple[str, str, str]  # field, sentence, hint


def check_policy(policy: Policy, path: str = POLICY) -> tuple[Finding, ...]:
    """Everything in a policy that contradicts itself; empty means it can be judged by."""
    faults = [*_check_members(policy), *_check_keys(policy), *_check_governance(policy)]
    faults += [*_check_guards(policy), *_check_protected(policy)]
    for name, cls in policy.classes.items():
        faults += [
            (f"classes.{name}{'.' if field else ''}{field}", f"class {name}: {sentence}", hint)
            for field, sentence, hint in _check_class(policy, cls)
        ]
    findings = [
        Finding(code="policy-invalid", path=path, field=field, message=sentence, hint=hint)
        for field, sentence, hint in faults
    ]
    return (*findings, *_find_clashes(policy, path), *_find_no_decider(policy, path))


def _check_protected(policy: Policy) -> Iterator[Fault]:
    """A name that no branch can have would protect nothing, and nobody would notice."""
    if not policy.protected:
        yield "protected", "no branch is protected", "Name the branch that decisions arrive on."
    for position, name in enumerate(policy.protected):
        if not is_branch_name(name):
            yield (
                f"protected[{position}]",
                f"{name} cannot be the name of a branch",
                "Write each name as `git branch` shows it: main, not refs/heads/main, no pattern.",
            )


def is_retired(member: Member) -> bool:
    """Whether every key of a member was revoked. One that ends some day may still sign today."""
    return all(key.revoked_from for key in member.keys)


def _with_role(policy: Policy, role: str) -> set[str]:
    """Who holds a role and can still sign for it."""
    return {
        name
        for name, member in policy.members.items()
        if role in member.roles and not is_retired(member)
    }


def _check_members(policy: Policy) -> Iterator[Fault]:
    for name, member in policy.members.items():
        if not member.keys:
            yield f"members.{name}.keys", f"{name} has no key", "Add one: accord member add."
        if "decider" in member.roles and member.kind != "human":
            yield (
                f"members.{name}.roles",
                f"{name} is an agent and a decider",
                "Only a human rules: take the role away, or correct the kind.",
            )
    for role, what in (("challenger", "opposes"), ("authority", "opens rounds")):
        if not _with_role(policy, role):
            yield (
                "members",
                f"no member has the role {role}",
                f"Give one member the role that {what}.",
            )


def key_material(key: Key) -> str:
    """What makes two entries the same key, whatever comment or window they carry."""
    if key.ssh is not None:
        return " ".join(key.ssh.split()[:2])
    if key.sigstore is not None:
        return f"{key.sigstore.issuer} {key.sigstore.identity}"
    return ""


def _check_keys(policy: Policy) -> Iterator[Fault]:
    owners: dict[str, str] = {}
    for name, member in policy.members.items():
        for position, key in enumerate(member.keys):
            field = f"members.{name}.keys[{position}]"
            if (key.ssh is None) == (key.sigstore is None):
                yield (
                    field,
                    f"a key of {name} is not exactly one of ssh and sigstore",
                    "Write `- ssh: ssh-ed25519 AAAA…` or `- sigstore: {identity: …, issuer: …}`.",
                )
                continue
            owner = owners.setdefault(key_material(key), name)
            if owner != name:
                yield (
                    field,
                    f"{name} and {owner} have the same key",
                    "A key belongs to one member: it says who signed.",
                )


def _check_governance(policy: Policy) -> Iterator[Fault]:
    governance = policy.classes.get(GOVERNANCE)
    if governance is None:
        yield (
            "classes",
            f"there is no class {GOVERNANCE}",
            "Changes of this file are decided in it; add one.",
        )
        return
    if governance.ballots == "open":
        yield (
            f"classes.{GOVERNANCE}.ballots",
            "the ballots of governance are open",
            "Who changes the rules votes sealed.",
        )
    if governance.waivers:
        yield (
            f"classes.{GOVERNANCE}.waivers",
            "governance allows waivers",
            "Who changes the rules waives nothing.",
        )


def _check_guards(policy: Policy) -> Iterator[Fault]:
    for at, guard in enumerate(policy.guarded):
        if guard.class_ not in policy.classes:
            yield (
                f"guarded[{at}].class",
                f"there is no class {guard.class_}",
                "Nothing could ever allow such a change: name a class of this policy.",
            )


def _check_class(policy: Policy, cls: DecisionClass) -> Iterator[Fault]:
    yield from _check_seats(policy, cls)
    yield from _RULES[cls.rule](cls)
    if cls.independence is not None:
        yield from _check_independence(cls, cls.independence.f)


def _check_seats(policy: Policy, cls: DecisionClass) -> Iterator[Fault]:
    seats = cls.voters
    for voter in seats.eligible:
        if voter not in policy.members:
            yield "voters.eligible", f"{voter} is no member", "Add the member, or correct the name."
    if not _with_role(policy, "challenger").intersection(seats.eligible):
        yield (
            "voters.eligible",
            "no challenger is eligible",
            "The challenger takes part in every round: add one.",
        )
    if seats.min > seats.max:
        yield "voters.min", f"min {seats.min} is more than max {seats.max}", "Swap them."
    if seats.min > len(set(seats.eligible)):
        yield (
            "voters.min",
            f"min {seats.min} is more than the {len(set(seats.eligible))} who are eligible",
            "Make more members eligible, or ask for fewer.",
        )


def _check_unanimity(cls: DecisionClass) -> Iterator[Fault]:
    if cls.voters.min < 2:
        yield "voters.min", "one voter is always unanimous", "Ask for at least two."
    if cls.independence is not None and cls.independence.overlap_warning is not None:
        yield (
            "independence.overlap_warning",
            "overlap_warning belongs to bft_quorum",
            "Leave it out: under unanimity all are meant to read the same.",
        )


def _check_quorum(cls: DecisionClass) -> Iterator[Fault]:
    if cls.independence is None:
        yield (
            "independence",
            "bft_quorum without independence",
            "Add `independence: {f: …}`; the roster is then exactly 3f+1.",
        )
    else:
        roster = 3 * cls.independence.f + 1
        if (cls.voters.min, cls.voters.max) != (roster, roster):
            yield (
                "voters",
                f"with f = {cls.independence.f} min and max are {roster}",
                "A quorum of 2f+1 is safe against f wrong voters out of exactly 3f+1.",
            )
    for gate in ("evidence_consensus", "reasoning_convergence"):
        if getattr(cls.require, gate):
            yield (
                f"require.{gate}",
                f"bft_quorum does not know {gate}",
                "Leave it out, or take the rule unanimity.",
            )


_RULES = {"unanimity": _check_unanimity, "bft_quorum": _check_quorum}


def _check_independence(cls: DecisionClass, f: int) -> Iterator[Fault]:
    if f < 1:
        yield "independence.f", "f is less than 1", "One wrong voter is the least to reckon with."
    if cls.voters.min < 2 * f + 1:
        yield (
            "independence.f",
            f"2f+1 = {2 * f + 1} independent votes cannot come from {cls.voters.min} voters",
            "Ask for more voters, or a smaller f.",
        )
    if cls.ballots == "open":
        yield (
            "ballots",
            "independence with open ballots",
            "Who sees the other votes is not independent of them: take sealed ballots.",
        )


def _find_clashes(policy: Policy, path: str) -> Iterator[Finding]:
    for where, names in (("members", policy.members), ("classes", policy.classes)):
        folded = Counter(fold_id(name) for name in names)
        for name in names:
            if folded[fold_id(name)] > 1:
                yield Finding(
                    code="id-clash",
                    path=path,
                    field=f"{where}.{name}",
                    message=f"{name} and another of the {where} differ only in - and _",
                    hint="Nobody tells such names apart: rename one.",
                )


def _find_no_decider(policy: Policy, path: str) -> Iterator[Finding]:
    if not _with_role(policy, "decider"):
        yield Finding(
            code="no-decider",
            path=path,
            field="members",
            message="no member is a decider: what escalates can only be withdrawn or checked",
            hint="Give a human the role decider.",
        )
