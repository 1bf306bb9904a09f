"""The decider's word: when it has effect, and on which synthesis (section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from accord.model.escalation import Ruling, Synthesis
from accord.model.evaluation import IN_FORCE, Status, Verdict
from accord.model.finding import Finding
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.binding import check_bindings, check_officer, check_place
from accord.rules.checks import CountedChecks
from accord.rules.counting import CountedRound
from accord.rules.status import Standing

Ready = Literal["ready", "too early"]
_DOUBTS: frozenset[str] = frozenset({"EVIDENCE_ASYMMETRY", "CORRELATED_QUORUM", "NOT_MEASURED"})


@dataclass(frozen=True, slots=True)
class CountedRuling:
    """A ruling that has effect, and the synthesis that counts, if there are any."""

    ruling: Authenticated[Ruling] | None
    synthesis: Authenticated[Synthesis] | None
    findings: tuple[Finding, ...]


def count_ruling(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    ready: Ready,
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
    ready: Ready,
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


def find_overruled_doubt(
    standing: Standing, verdict: Verdict | None, voted: Standing
) -> str | None:
    """What a ruling accepted the text in spite of, None where it accepted nothing doubtful.

    `voted` is where the decision stood by its votes alone.
    """
    if standing != Standing("accepted", "ruling"):
        return None
    if voted.status == "provisional":
        return "correlated-quorum-warning"
    return verdict if verdict in _DOUBTS else None


def may_rule(status: Status, checks: CountedChecks, *, acknowledged: bool) -> Ready:
    """Whether the table leaves room for a ruling.

    `status` is that before checks and re-derivations: none of them takes a ruling away. A check
    that fails makes room for one where votes alone would have decided.
    """
    if status in ("escalated", "provisional") or (status == "conditional" and acknowledged):
        return "ready"
    return "ready" if status in IN_FORCE and checks.failing else "too early"
