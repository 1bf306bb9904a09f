"""A case, judged by the same rules as a decision in a repository."""

from __future__ import annotations

import msgspec

from accord.model.case import Case
from accord.model.ids import digest_json
from accord.rules.evaluate import Judgement, evaluate, with_manifest
from accord.simulate.build import build_case


def simulate(case: Case) -> Judgement:
    """Judge a case. The evaluation carries the digest of the case instead of those of files."""
    judgement = evaluate(build_case(case))
    evaluation = msgspec.structs.replace(
        judgement.evaluation,
        ballot=None,
        transcript=None,
        text_digest=None,
        rounds=tuple(
            msgspec.structs.replace(
                round_,
                ballot=digest_case(case),
                voters=tuple(
                    msgspec.structs.replace(voter, vote=None, affirmation=None)
                    for voter in round_.voters
                ),
            )
            for round_ in judgement.evaluation.rounds
        ),
        case=digest_case(case),
    )
    return Judgement(
        evaluation=with_manifest(evaluation),
        findings=judgement.findings,
        rounds=judgement.rounds,
        counted=judgement.counted,
    )


def digest_case(case: Case) -> str:
    """The digest of what a case says, without what it expects."""
    plain = msgspec.to_builtins(case)
    plain.pop("expect", None)
    return digest_json(plain)
