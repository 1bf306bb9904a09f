"""Independent second looks: which are fresh, and what they say (section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.model.escalation import Rederivation
from accord.model.finding import Finding
from accord.model.snapshot import Authenticated, DecisionFiles, Settled
from accord.rules.binding import check_bindings, check_place
from accord.rules.citations import check_citations
from accord.rules.counting import CountedRound
from accord.rules.evidence import Manifest, find_uses, primaries


@dataclass(frozen=True, slots=True)
class CountedRederivations:
    """The independent second looks: those that confirm and those that contradict."""

    confirming: tuple[Authenticated[Rederivation], ...]
    contradicting: tuple[Authenticated[Rederivation], ...]
    findings: tuple[Finding, ...]


def count_rederivations(
    decision: DecisionFiles,
    rounds: tuple[CountedRound, ...],
    manifest: Manifest,
    settled: Settled,
) -> CountedRederivations:
    """Which second looks are fresh ones, and what they say.

    Where a record stood before, those that it does not rest on are kept and not counted; what
    contradicts is told all the same. A record that enters lists what it likes in vain.
    """
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
            *check_citations(file.record.evidence, file.path),
            *_check_fresh(file, rounds, manifest),
        ]
        findings += faults
        if faults:
            continue
        if settled.looks is None or file.digest in settled.looks:
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


def find_listed(decision: DecisionFiles) -> frozenset[str] | None:
    """The looks that the record rests on, by digest; None where no record can be read."""
    record = decision.record.record if decision.record else None
    return frozenset(record.rederivations.values()) if record else None


def find_parts(rounds: tuple[CountedRound, ...], member: str) -> tuple[str, ...]:
    """What a member did in a decision that leaves it no fresh look, in words.

    Whatever a voter signed takes a side, counted or not. Late votes may still come after the
    end, and then must change nothing.
    """
    late = {vote.path for round_ in rounds for vote in round_.late}
    votes = [vote for round_ in rounds for vote in round_.files.votes if vote.path not in late]
    seals = {seal.signer for round_ in rounds for seal in round_.files.seals}
    officers = {
        officer
        for round_ in rounds
        for officer in (round_.proposal.record.proposer, round_.ballot.record.opened_by)
    }
    parts = {
        "voted in this decision": seals | {vote.signer for vote in votes},
        "proposed or opened it": officers,
    }
    return tuple(part for part, members in parts.items() if member in members)


def _check_fresh(
    file: Authenticated[Rederivation], rounds: tuple[CountedRound, ...], manifest: Manifest
) -> Iterable[Finding]:
    late = {vote.path for round_ in rounds for vote in round_.late}
    votes = [
        vote.record for round_ in rounds for vote in round_.files.votes if vote.path not in late
    ]
    uses = find_uses(manifest, file.record.evidence)
    sessions = {vote.lineage.session for vote in votes if vote.lineage} - {None}
    session = file.record.lineage.session if file.record.lineage else None
    faults = {
        "it stands on a claim": any(use.kind == "claim" for use in uses),
        "it leaves out a load-bearing artifact": not manifest.load_bearing <= primaries(uses),
        "its session is one of the round's": session in sessions,
    }
    sentences = (
        *(f"{file.signer} {part}" for part in find_parts(rounds, file.signer)),
        *(sentence for sentence, broken in faults.items() if broken),
    )
    return [
        Finding(
            code="rederivation-not-independent",
            path=file.path,
            message=f"{sentence}, so it is no fresh look and is not counted",
            hint="Ask a member who took no part, with the packet of primary evidence alone.",
        )
        for sentence in sentences
    ]
