"""`show`: one decision explained, the directive first, then gate by gate (section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import Literal

from accord.model.evaluation import (
    ArtifactCount,
    Evaluation,
    Gate,
    IndependenceCount,
    RoundResult,
    VoterResult,
    VoterStance,
    Waiting,
)
from accord.model.finding import Finding
from accord.model.snapshot import DecisionFiles
from accord.model.succession import Succession
from accord.render.enacted import EnactedFile, write_enacted
from accord.render.findings import count_findings
from accord.render.page import Page, Piece, Span
from accord.render.words import (
    BASES,
    DIRECTIVE_STYLES,
    GATES,
    OUTCOMES,
    RESULTS,
    STANCE_STYLES,
    STANCES,
    SUCCESSIONS,
    join,
    tell_status,
)

_REASON = 180
_MARGIN = 16  # where the text of a gate begins
# Whose reason is told, and in which file it stands.
_REASONED: dict[VoterStance, str] = {
    "disagree": "vote",
    "abstain": "vote",
    "retracted": "affirmation",
}


def render_decision(
    evaluation: Evaluation,
    waiting: Sequence[Waiting],
    files: DecisionFiles,
    findings: Sequence[Finding] = (),
    succession: Succession | None = None,
    enacted: Sequence[EnactedFile] = (),
) -> Page:
    """Everything that follows from the files of one decision, for people."""
    page = Page()
    write_directive(page, evaluation)
    _write_title(page, evaluation)
    _write_relations(page, evaluation, files, succession)
    write_enacted(page, enacted)
    for round_ in evaluation.rounds:
        _write_round(page, round_, files)
    _write_settling(page, files)
    write_gates(page, evaluation)
    write_waiting(page, waiting)
    _write_foot(page, evaluation, findings)
    return page


def write_directive(page: Page, evaluation: Evaluation) -> None:
    """The one word, and the sentence with the numbers."""
    word = evaluation.directive.word
    page.table([(Span(word, DIRECTIVE_STYLES[word]), evaluation.directive.sentence)])


def write_gates(page: Page, evaluation: Evaluation) -> None:
    """Each gate with what it said, the independent votes, and the warnings.

    The first gate that is not met gives the verdict; those after it are told in one line each.
    While votes are missing there is nothing to judge.
    """
    if evaluation.gates:
        page.heading("Gates")
    if evaluation.gates and evaluation.outcome == "open":
        page.prose("judged when everybody has voted, or the round is closed", indent=2)
    else:
        decisive = next((gate for gate in evaluation.gates if not gate.met), None)
        for gate in evaluation.gates:
            _write_gate(page, gate, "whole" if gate.met or gate is decisive else "short")
    if evaluation.independence is not None and evaluation.outcome != "open":
        _write_independence(page, evaluation.independence)
    if evaluation.warnings:
        page.heading("Warnings")
        for warning in evaluation.warnings:
            page.prose(Span("!", "warn"), " ", warning, indent=2, hanging=4)


def write_waiting(page: Page, waiting: Sequence[Waiting]) -> None:
    """Who must do what, and the commands."""
    if waiting:
        page.heading("Waits for")
        list_waiting(page, waiting, indent=2)


def list_waiting(page: Page, waiting: Sequence[Waiting], indent: int) -> None:
    """One member a paragraph; the command stands alone on its line, to be copied."""
    for wait in waiting:
        page.prose(Span(wait.member, "wait"), ": ", wait.action, indent=indent, hanging=indent + 2)
        if wait.command:
            page.line(Span(wait.command, "command"), indent=indent + 4)


def _write_title(page: Page, evaluation: Evaluation) -> None:
    page.gap()
    page.prose(Span(evaluation.title, "title"))
    page.line(evaluation.decision)
    facts = [tell_status(evaluation.status, evaluation.ruled_over)]
    if evaluation.ruled_over is None:
        facts += [BASES[evaluation.basis]] if evaluation.basis is not None else []
        facts += [evaluation.verdict] if evaluation.verdict is not None else []
    rule = f", {evaluation.rule}" if evaluation.rule else ""
    facts.append(f"class {evaluation.class_}{rule}")
    page.prose(" · ".join(facts))


def _write_relations(
    page: Page, evaluation: Evaluation, files: DecisionFiles, succession: Succession | None
) -> None:
    """Where its text is, which older decisions it is about, what newer ones make of it."""
    proposal = files.rounds[-1].draft.record if files.rounds and files.rounds[-1].draft else None
    if evaluation.ended and evaluation.status != "imported":
        page.line("what was decided: ", Span(f"accord adr {evaluation.decision}", "command"))
    for word in ("continues", "reopens", "supersedes"):
        older = getattr(proposal, word, None)
        if older is not None:
            page.line(f"{word} {older}")
    if succession is not None:
        page.line(Span(f"{SUCCESSIONS[succession.view]} by {succession.by}", "warn"))


def _write_settling(page: Page, files: DecisionFiles) -> None:
    """What came when voting was not enough: checks, and the decider's word."""
    if files.checks or files.ruling is not None:
        page.heading("Beside the votes")
    for check in files.checks:
        result = Span("passed", "good") if check.record.passed else Span("failed", "bad")
        told = f"  check {check.record.name}, run by {check.signer}"
        page.prose(result, told, indent=2, hanging=4)
    if files.ruling is not None:
        ruling = files.ruling.record
        told = f"{files.ruling.signer} ruled to {ruling.ruling} it: {ruling.reason}"
        page.prose(shorten(told, _REASON, placeholder=" …"), indent=2, hanging=4)


def _write_round(page: Page, round_: RoundResult, files: DecisionFiles) -> None:
    closed = ", closed" if round_.closed else ""
    page.heading(f"Round {round_.number}{closed}: {OUTCOMES[round_.outcome]}")
    sealed = _sealed(files, round_.number)
    page.table([_voter_row(voter, sealed) for voter in round_.voters], indent=2)
    reasons = _reasons(files)
    for voter in round_.voters:
        source = _REASONED.get(voter.stance)
        reason = reasons.get(getattr(voter, source) or "") if source else None
        if reason:
            told = shorten(reason, _REASON, placeholder=" …")
            page.prose(Span(f"{voter.voter}: {told}", "dim"), indent=4, hanging=6)


def _voter_row(voter: VoterResult, sealed: frozenset[str]) -> tuple[Piece, ...]:
    waits = voter.stance == "missing" and voter.voter in sealed
    stance = "sealed, not open" if waits else STANCES[voter.stance]
    affirmed = "affirmed" if voter.affirmation and voter.stance != "retracted" else ""
    return (
        voter.voter,
        Span(stance, STANCE_STYLES[voter.stance]),
        voter.severity or "",
        Span(affirmed, "good"),
        ", ".join(voter.categories),
    )


def _sealed(files: DecisionFiles, number: int) -> frozenset[str]:
    return frozenset(
        seal.record.voter
        for round_ in files.rounds
        if round_.number == number
        for seal in round_.seals
    )


def _reasons(files: DecisionFiles) -> dict[str, str]:
    """What voters said of themselves, by the digest of the file in which they did."""
    votes = [vote for round_ in files.rounds for vote in round_.votes]
    affirmations = [file for round_ in files.rounds for file in round_.affirmations]
    return {vote.digest: vote.record.rationale or "" for vote in votes} | {
        file.digest: file.record.reason for file in affirmations
    }


def _write_gate(page: Page, gate: Gate, extent: Literal["whole", "short"]) -> None:
    word, style = RESULTS[gate.result]
    verdict = f"{gate.verdict}. " if gate.verdict and extent == "whole" else ""
    said = f"{GATES[gate.gate]}: {verdict}{gate.detail}"
    page.table([(Span(word.ljust(_MARGIN - 4), style), said)], indent=2)
    if extent == "short":
        return
    alike: dict[tuple[str, ...], list[str]] = {}
    for lack in gate.lacks:
        alike.setdefault(lack.what, []).append(lack.who)
    for what, who in alike.items():
        said = ", ".join(who) + (f": {', '.join(what)}" if what else "")
        page.prose(Span("- ", "bad"), said, indent=_MARGIN, hanging=_MARGIN + 2)


def _write_independence(page: Page, count: IndependenceCount) -> None:
    page.heading(
        f"Independent votes: {count.effective} by {count.accounting}, {count.required} needed"
    )
    for artifact in count.artifacts:
        page.line(Span(artifact.artifact, "path"), indent=2)
        page.table(_artifact_rows(artifact), indent=4)


def _artifact_rows(count: ArtifactCount) -> list[tuple[Piece, ...]]:
    groups = [group[0] if len(group) == 1 else f"{join(group)} as one" for group in count.collapsed]
    return [
        ("strict", str(len(count.strict)), ", ".join(count.strict) or "nobody used it"),
        ("collapsed", str(len(groups)), "; ".join(groups) or "nobody agrees"),
        ("disjoint", str(len(count.disjoint)), _say_disjoint(count)),
    ]


def _say_disjoint(count: ArtifactCount) -> str:
    told = ", ".join(count.disjoint) or "no two paths to it"
    return f"{told} (apart by declared via only: {', '.join(count.vias)})" if count.vias else told


def _write_foot(page: Page, evaluation: Evaluation, findings: Sequence[Finding]) -> None:
    page.gap()
    if findings:
        page.prose(
            Span(f"{count_findings(findings)} in its files: ", "warn"),
            Span("accord verify --rev HEAD --tree-only", "command"),
            " lists them.",
        )
    if evaluation.manifest_digest:
        page.line(Span(f"manifest {evaluation.manifest_digest}", "dim"))
