"""A policy that a step brings: whether it is sound, and whether it comes into force (section 9)."""

from __future__ import annotations

from accord.model.finding import Finding, find_errors
from accord.model.paths import POLICY
from accord.model.policy import GOVERNANCE
from accord.rules.policy import check_policy
from accord.rules.transition import check_policy_change
from accord.signing.keyring import check_keys
from accord.store.load import LoadedPolicy, load_policy
from accord.store.mentions import Mention
from accord.verify.authority import find_fault
from accord.verify.decision import Decisions
from accord.verify.in_force import InForce, Upon


def check_policy_file(upon: Upon, after: LoadedPolicy) -> tuple[Finding, ...]:
    """What is wrong with the policy of a head by itself, where it is not that of the base."""
    trusted = upon.in_force
    back = trusted.trust == "base" and after.digest == trusted.digest
    if back or after.digest == load_policy(upon.tree).digest:
        return ()
    if after.digest is None and not after.findings:
        return (
            Finding(
                code="policy-removed",
                path=POLICY,
                message="the policy was removed",
                hint="Restore it: without a policy nobody knows who may decide.",
            ),
        )
    if after.policy is None:
        return after.findings
    return (*check_policy(after.policy), *check_keys(after.policy, POLICY))


def judge_policy(
    upon: Upon, head: Decisions, after: LoadedPolicy
) -> tuple[tuple[Finding, ...], InForce]:
    """What is wrong with the policy of a head, and which one is in force after it.

    That is a new one only if who decides by the one before has enacted it.
    """
    faults = check_policy_file(upon, after)
    before = upon.in_force.policy
    if before is None or after.policy is None or after.digest is None or not _is_new(upon, after):
        return faults, upon.in_force
    enacted = frozenset(one for one in (after.digest,) if is_enacted(head, POLICY, one))
    faults += check_policy_change(before, after.policy, after.digest, enacted)
    if find_errors(faults):
        return faults, upon.in_force
    return faults, InForce(after.policy, after.digest, "base")


def _is_new(upon: Upon, after: LoadedPolicy) -> bool:
    """Whether a step brings a policy, and one that was not in force already."""
    if after.digest in (None, upon.in_force.digest):
        return False
    return after.digest != load_policy(upon.tree).digest


def is_enacted(head: Decisions, path: str, digest: str) -> bool:
    """Whether a governance decision that is in force in the head enacts a file with these bytes."""
    mention = Mention("enacts", digest)
    for name in sorted(head.sources.means.mentions.find(head.tree, (mention,))[mention]):
        judged = head.judge(name)
        if judged.judgement.evaluation.class_ != GOVERNANCE or find_fault(head, name, judged):
            continue
        for round_ in judged.judgement.rounds[-1:]:
            text = round_.amendment or round_.proposal
            if any(entry.path == path and entry.digest == digest for entry in text.record.enacts):
                return True
    return False
