"""The decision that a case describes: its rounds, and what came after them."""

from __future__ import annotations

from typing import Literal

from accord.model.case import Case, CaseCheck, CaseRederivation
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis
from accord.model.paths import path_of
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles, Stored
from accord.simulate.files import (
    AT,
    DECIDER,
    DECISION,
    OPENER,
    STALE,
    digest_of,
    file_of,
    inputs,
    used,
)
from accord.simulate.rounds import BuiltRound, build_proposal, build_round


def build_case(case: Case) -> DecisionFiles:
    """The files that the decision of a case would have."""
    rounds: list[BuiltRound] = []
    for number, round_ in enumerate(case.rounds, start=1):
        rounds.append(build_round(case, round_, number, rounds[-1] if rounds else None))
    if not rounds:
        draft = build_proposal(case, 1)
        path = path_of("proposal", DECISION, round_number=1)
        stored = Stored(record=draft, path=path, digest=digest_of(draft))
        return DecisionFiles(id=DECISION, rounds=(RoundFiles(number=1, draft=stored),))
    latest = rounds[-1]
    synthesis = _build_synthesis(latest) if case.ruling else None
    return DecisionFiles(
        id=DECISION,
        rounds=tuple(round_.files for round_ in rounds),
        checks=tuple(_build_check(check, latest) for check in case.checks),
        rederivations=tuple(_build_look(case, look, latest) for look in case.rederivations),
        synthesis=synthesis,
        ruling=_build_ruling(case.ruling, latest, synthesis) if case.ruling and synthesis else None,
    )


def _build_check(check: CaseCheck, round_: BuiltRound) -> Authenticated[Check]:
    record = Check(
        decision=DECISION,
        round=round_.files.number,
        by=check.by,
        at=AT,
        ballot=round_.ballot,
        text_digest=round_.text_digest,
        name=check.name,
        argv=(check.name,),
        inputs=inputs(check),
        exit_code=0 if check.passed else 1,
        output=STALE,
        passed=check.passed,
    )
    return file_of("check", record, check.by, name=check.name, number=1)


def _build_look(
    case: Case, look: CaseRederivation, round_: BuiltRound
) -> Authenticated[Rederivation]:
    record = Rederivation(
        decision=DECISION,
        round=round_.files.number,
        by=look.voter,
        at=AT,
        ballot=round_.ballot,
        text_digest=round_.text_digest,
        confirms=look.confirms,
        rationale="(case)",
        evidence=used(case, look.evidence),
    )
    return file_of("rederivation", record, look.voter, name=look.voter)


def _build_synthesis(round_: BuiltRound) -> Authenticated[Synthesis]:
    record = Synthesis(
        decision=DECISION,
        round=round_.files.number,
        by=OPENER,
        at=AT,
        ballot=round_.ballot,
        transcript=round_.transcript,
        text="(case)",
    )
    return file_of("synthesis", record, OPENER)


def _build_ruling(
    ruling: Literal["accept", "reject"], round_: BuiltRound, synthesis: Authenticated[Synthesis]
) -> Authenticated[Ruling]:
    record = Ruling(
        decision=DECISION,
        round=round_.files.number,
        by=DECIDER,
        at=AT,
        ballot=round_.ballot,
        transcript=round_.transcript,
        synthesis=synthesis.digest,
        text_digest=round_.text_digest,
        ruling=ruling,
        reason="(case)",
    )
    return file_of("ruling", record, DECIDER)
