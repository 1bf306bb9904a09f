"""When voting is not enough: checks, re-derivations, ruling, withdrawal (section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.evaluation import IN_FORCE, Status
from accord.model.finding import Finding
from accord.model.paths import find_location
from accord.model.proposal import CheckPlan, Proposal
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.binding import check_bindings, check_officer, check_place
from accord.rules.counting import CountedRound
from accord.rules.evidence import (
    Manifest,
    find_input_key,
    find_uses,
    primaries,
)


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
    parts = {
        "agreed in this round": latest.assenting,
        "made the proposal": {latest.proposal.record.proposer},
        "opened the round": {latest.ballot.record.opened_by},
    }
    findings += [
        Finding(
            code="check-not-independent",
            path=check.path,
            message=f"{check.signer} {part}, so this check resolves nothing",
            hint="Let somebody run and sign it who did not agree, propose or open.",
        )
        for part, members in parts.items()
        if check.signer in members
    ]
    return tuple(findings)


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
    officer = round_.ballot.record.officers.get(check.signer)
    if officer is not None and "decider" in officer.roles:
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


@dataclass(frozen=True, slots=True)
class CountedRederivations:
    """The independent second looks: those that confirm and those that contradict."""

    confirming: tuple[Authenticated[Rederivation], ...]
    contradicting: tuple[Authenticated[Rederivation], ...]
    findings: tuple[Finding, ...]


def count_rederivations(
    decision: DecisionFiles, rounds: tuple[CountedRound, ...], manifest: Manifest
) -> CountedRederivations:
    """Which second looks are fresh ones, and what they say."""
    latest = rounds[-1]
    findings: list[Finding] = []
    fresh: list[Authenticated[Rederivation]] = []
    for file in sorted(decision.rederivations, key=lambda file: file.path):
        faults = [
            *check_place(file),
            *check_bindings(
                file,
                {"ballot": latest.ballot.digest, "text_digest": latest.text_digest},
                "stale-file",
            ),
            *_check_fresh(file, rounds, manifest),
        ]
        findings += faults
        if faults:
            continue
        fresh.append(file)
        if not file.record.confirms:
            findings.append(
                Finding(
                    code="rederivation-contradicts",
                    path=file.path,
                    message=f"{file.signer} looked again and comes to another result",
                    hint="Take it up in a next round, or ask the decider to rule.",
                )
            )
    return CountedRederivations(
        tuple(file for file in fresh if file.record.confirms),
        tuple(file for file in fresh if not file.record.confirms),
        tuple(findings),
    )


def _check_fresh(
    file: Authenticated[Rederivation], rounds: tuple[CountedRound, ...], manifest: Manifest
) -> Iterable[Finding]:
    # Whatever a voter signed here takes a side, counted or not. Late votes may still come after
    # the end, and then must change nothing.
    late = {vote.path for round_ in rounds for vote in round_.late}
    votes = [vote for round_ in rounds for vote in round_.files.votes if vote.path not in late]
    seals = {seal.signer for round_ in rounds for seal in round_.files.seals}
    officers = {
        member
        for round_ in rounds
        for member in (round_.proposal.record.proposer, round_.ballot.record.opened_by)
    }
    uses = find_uses(manifest, file.record.evidence)
    sessions = {vote.record.lineage.session for vote in votes if vote.record.lineage} - {None}
    session = file.record.lineage.session if file.record.lineage else None
    faults = {
        f"{file.signer} voted in this decision": file.signer
        in seals | {vote.signer for vote in votes},
        f"{file.signer} proposed or opened it": file.signer in officers,
        "it stands on a claim": any(use.kind == "claim" for use in uses),
        "it leaves out a load-bearing artifact": not manifest.load_bearing <= primaries(uses),
        "its session is one of the round's": session in sessions,
    }
    return [
        Finding(
            code="rederivation-not-independent",
            path=file.path,
            message=f"{sentence}, so it is no fresh look and is not counted",
            hint="Ask a member who took no part, with the packet of primary evidence alone.",
        )
        for sentence, broken in faults.items()
        if broken
    ]


@dataclass(frozen=True, slots=True)
class CountedRuling:
    """A ruling that has effect, and the synthesis that counts, if there are any."""

    ruling: Authenticated[Ruling] | None
    synthesis: Authenticated[Synthesis] | None
    findings: tuple[Finding, ...]


def count_ruling(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    ready: Literal["ready", "too early"],
) -> CountedRuling:
    """Whether the decider's word has effect. `ready`: what voting gave allows a ruling."""
    latest = rounds[-1]
    synthesis = decision.synthesis
    findings: list[Finding] = []
    if synthesis is not None:
        faults = (
            *check_place(synthesis),
            *check_officer(synthesis, latest.ballot.record, "authority", "synthesis"),
            *check_bindings(
                synthesis,
                {"ballot": latest.ballot.digest, "transcript": latest.transcript},
                "stale-file",
            ),
        )
        findings += faults
        synthesis = None if faults else synthesis
    ruling = decision.ruling
    if ruling is None:
        return CountedRuling(None, synthesis, tuple(findings))
    faults = (
        *check_place(ruling),
        *_check_decider(ruling, rounds),
        *_check_ready(ruling, rounds, ready),
        *check_bindings(
            ruling,
            {
                "ballot": latest.ballot.digest,
                "transcript": latest.transcript,
                "text_digest": latest.text_digest,
            },
            "stale-file",
        ),
    )
    if synthesis is None or synthesis.digest != ruling.record.synthesis:
        faults += (
            _ruling_fault(
                ruling,
                "synthesis-missing",
                "the synthesis that it names does not stand there, signed by an authority",
                "An authority writes and signs it; then the decider rules on it.",
            ),
        )
    return CountedRuling(None if faults else ruling, synthesis, (*findings, *faults))


def _ruling_fault(file: Authenticated[Ruling], code: str, sentence: str, hint: str) -> Finding:
    return Finding(code=code, path=file.path, message=f"{sentence}; it has no effect", hint=hint)


def _check_decider(
    ruling: Authenticated[Ruling], rounds: tuple[CountedRound, ...]
) -> tuple[Finding, ...]:
    officer = rounds[-1].ballot.record.officers.get(ruling.signer)
    if (
        officer is not None
        and officer.kind == "human"
        and "decider" in officer.roles
        and not any(ruling.signer in round_.ballot.record.voters for round_ in rounds)
    ):
        return ()
    return (
        _ruling_fault(
            ruling,
            "ruling-not-human",
            f"{ruling.signer} is no human decider of this ballot, or was one of its voters",
            "Ask a human with the role decider who was on no roster of this decision.",
        ),
    )


def _check_ready(
    ruling: Authenticated[Ruling],
    rounds: tuple[CountedRound, ...],
    ready: Literal["ready", "too early"],
) -> tuple[Finding, ...]:
    if not any(round_.votes for round_ in rounds):
        return (
            _ruling_fault(
                ruling,
                "ruling-without-votes",
                "no vote was ever cast",
                "Let the voters vote first; a ruling answers them.",
            ),
        )
    if ready == "ready":
        return ()
    return (
        _ruling_fault(
            ruling,
            "ruling-too-early",
            "voting has not failed yet",
            "Go on with the round, or open the next one; accord status says what is awaited.",
        ),
    )


def count_withdrawal(
    decision: DecisionFiles, rounds: tuple[CountedRound, ...]
) -> tuple[Authenticated[Withdrawal] | None, tuple[Finding, ...]]:
    """The withdrawal if its signer may, and what is wrong with it otherwise."""
    withdrawal = decision.withdrawal
    if withdrawal is None:
        return None, ()
    ballot = rounds[-1].ballot.digest if rounds else None
    able = _find_able(rounds[-1]) if rounds else _find_proposers(decision)
    findings = [
        *check_place(withdrawal),
        *check_bindings(withdrawal, {"ballot": ballot}, "stale-file"),
    ]
    if withdrawal.signer not in able:
        findings.append(
            Finding(
                code="signer-lacks-role",
                path=withdrawal.path,
                message=f"{withdrawal.signer} neither made the proposal nor is an authority",
                hint=f"Only {' or '.join(sorted(able)) or 'nobody yet'} can withdraw it.",
            )
        )
    return (None if findings else withdrawal), tuple(findings)


def _find_able(round_: CountedRound) -> set[str]:
    officers = round_.ballot.record.officers
    able = {name for name, seat in officers.items() if "authority" in seat.roles}
    return able | {round_.proposal.record.proposer}


def _find_proposers(decision: DecisionFiles) -> set[str]:
    """Whose draft it is. Once a round is open an unsigned draft of the next gives no right."""
    return {
        file.record.proposer
        for files in decision.rounds[:1]
        for file in (files.draft, files.proposal)
        if file is not None
    }


def may_rule(
    status: Status, checks: CountedChecks, *, acknowledged: bool
) -> Literal["ready", "too early"]:
    """Whether the table leaves room for a ruling.

    `status` is that before checks and re-derivations: none of them takes a ruling away. A check
    that fails makes room for one where votes alone would have decided.
    """
    if status in ("escalated", "provisional") or (status == "conditional" and acknowledged):
        return "ready"
    return "ready" if status in IN_FORCE and checks.failing else "too early"
