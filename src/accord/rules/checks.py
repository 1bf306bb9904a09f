"""Deterministic checks: which runs count, which fail, and which resolve (section 7)."""

from __future__ import annotations

from dataclasses import dataclass

from accord.model.escalation import Check
from accord.model.finding import Finding
from accord.model.paths import find_location
from accord.model.proposal import CheckPlan, Proposal
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.binding import check_bindings, check_place
from accord.rules.counting import CountedRound
from accord.rules.evidence import Manifest, find_input_key


@dataclass(frozen=True, slots=True)
class CountedChecks:
    """The last counted run of every check. `resolving` are those that settle what they cover."""

    last: tuple[Authenticated[Check], ...]
    failing: tuple[str, ...]
    resolving: frozenset[str]
    findings: tuple[Finding, ...]


def count_checks(
    decision: DecisionFiles, rounds: tuple[CountedRound, ...], manifest: Manifest
) -> CountedChecks:
    """Which checks of a decision count, which fail, and which resolve.

    A check counts when it stands in the proposal or a decider signs it, and when its signer is
    outside the coalition and neither proposer nor opener. A counted, passing check resolves
    when its inputs hold every load-bearing artifact, and while no counted check fails.
    """
    latest = rounds[-1]
    findings: list[Finding] = []
    last: dict[str, Authenticated[Check]] = {}
    for check in sorted(decision.checks, key=_run_number):
        faults = _check_run(check, rounds)
        findings += faults
        if not faults and _has_standing(check, latest):
            last[check.record.name] = check
    failing = tuple(name for name, check in sorted(last.items()) if not _passes(check, latest))
    resolving = frozenset(
        name for name, check in last.items() if not failing and _covers(check, manifest)
    )
    return CountedChecks(tuple(last.values()), failing, resolving, tuple(findings))


def _run_number(check: Authenticated[Check]) -> tuple[str, int]:
    location = find_location(check.path)
    return check.record.name, location.number if location else 0


def _check_run(
    check: Authenticated[Check], rounds: tuple[CountedRound, ...]
) -> tuple[Finding, ...]:
    latest = rounds[-1]
    findings = [
        *check_place(check),
        *check_bindings(
            check,
            {"ballot": latest.ballot.digest, "text_digest": latest.text_digest},
            "stale-file",
        ),
    ]
    findings += [
        Finding(
            code="check-not-independent",
            path=check.path,
            message=f"{check.signer} {part}, so this check resolves nothing",
            hint="Let somebody run and sign it who did not agree, propose or open.",
        )
        for part in find_parts(latest, check.signer)
    ]
    return tuple(findings)


def find_parts(round_: CountedRound, member: str) -> tuple[str, ...]:
    """What a member did in a round that leaves it no say over a check, in words."""
    parts = {
        "agreed in this round": round_.assenting,
        "made the proposal": {round_.proposal.record.proposer},
        "opened the round": {round_.ballot.record.opened_by},
    }
    return tuple(part for part, members in parts.items() if member in members)


def is_decider(round_: CountedRound, member: str) -> bool:
    """Whether the member's own word makes a check count that no proposal declares."""
    return member in round_.ballot.record.officers_with("decider")


def _find_plan(check: Check, proposal: Proposal) -> CheckPlan | None:
    for plan in proposal.checks:
        # The same words in another folder are another command.
        same = (plan.name, plan.argv, ".") == (check.name, check.argv, check.cwd)
        if same and _same_inputs(plan, check):
            return plan
    return None


def _same_inputs(plan: CheckPlan, check: Check) -> bool:
    run = {entry.artifact: entry for entry in check.inputs}
    return run.keys() == {entry.artifact for entry in plan.inputs} and all(
        entry.digest in (None, run[entry.artifact].digest)
        and entry.revision in (None, run[entry.artifact].revision)
        for entry in plan.inputs
    )


def _has_standing(check: Authenticated[Check], round_: CountedRound) -> bool:
    if is_decider(round_, check.signer):
        return True
    return _find_plan(check.record, round_.proposal.record) is not None


def _passes(check: Authenticated[Check], round_: CountedRound) -> bool:
    plan = _find_plan(check.record, round_.proposal.record)
    expected = plan is None or check.record.exit_code == plan.expected_exit
    return check.record.passed and expected


def _covers(check: Authenticated[Check], manifest: Manifest) -> bool:
    inputs = {find_input_key(manifest, entry) for entry in check.record.inputs}
    if manifest.load_bearing:
        return manifest.load_bearing <= inputs
    return bool(inputs - {None})
