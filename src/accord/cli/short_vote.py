"""A vote from options, or from questions at a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from accord.cli.asking import ask, choose
from accord.flow.drafts import DraftFile

_QUESTIONS = ("testability", "workflow_integration", "incremental_verifiability")
_RATINGS = ("strong", "adequate", "weak", "not_applicable")


@dataclass(frozen=True, slots=True)
class ShortVote:
    """What the options said; what is missing is asked for at a terminal."""

    answer: str | None
    rationale: str | None
    severity: str | None
    categories: Sequence[str]
    alternative: str | None
    concerns: Sequence[str]
    evidence: Sequence[str]
    rate: str | None


def draft_of(vote: ShortVote) -> DraftFile:
    """The draft of a vote, as JSON. Raises UsageError when something is missing on a pipe."""
    answer = vote.answer or choose(
        "Your vote",
        "--from FILE, --agree, --disagree or --abstain",
        ("agree", "disagree", "abstain"),
    )
    plain: dict[str, object] = {
        "vote": answer,
        "rationale": vote.rationale or ask("Why", "--rationale"),
        "categories": list(vote.categories),
        "concerns": list(vote.concerns),
        "evidence": list(vote.evidence),
        "severity": vote.severity,
        "alternative": vote.alternative,
    }
    if answer == "disagree":
        plain["severity"] = vote.severity or choose("How grave", "--severity", ("minor", "major"))
        plain["alternative"] = vote.alternative or ask("What instead", "--alternative")
        plain["categories"] = list(vote.categories) or ask("Categories", "--category").split()
    if answer != "abstain":
        plain["assessment"] = {
            question: vote.rate or choose(question.replace("_", " "), "--rate", _RATINGS)
            for question in _QUESTIONS
        }
    return DraftFile("the options", json.dumps(plain).encode())
