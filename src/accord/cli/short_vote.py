"""A vote from options, or from questions at a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from accord.cli.asking import ask, choose, is_interactive
from accord.flow.drafts import DraftFile
from accord.model.vote import CATEGORIES
from accord.rules.counting import CountedRound

_QUESTIONS = ("testability", "workflow_integration", "incremental_verifiability")
_RATINGS = ("strong", "adequate", "weak", "not_applicable")


@dataclass(frozen=True, slots=True)
class ShortVote:
    """What the options said; what is missing is asked for at a terminal."""

    answer: str | None = None
    rationale: str | None = None
    severity: str | None = None
    categories: Sequence[str] = ()
    alternative: str | None = None
    concerns: Sequence[str] = ()
    evidence: Sequence[str] = ()
    rate: str | None = None


def draft_of(vote: ShortVote, round_: CountedRound, voter: str) -> DraftFile:
    """The draft of a vote, as JSON; what the ballot needs and the options do not say is asked.

    Raises UsageError when something is missing on a pipe.
    """
    ballot = round_.ballot.record
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
        "severity": vote.severity,
        "alternative": vote.alternative,
    }
    if "challenger" in ballot.voters[voter].roles and not vote.concerns:
        plain["concerns"] = [ask("You are the challenger: name a concern", "--concern")]
    if answer == "disagree":
        plain["severity"] = vote.severity or choose("How grave", "--severity", ("minor", "major"))
        plain["alternative"] = vote.alternative or ask("What instead", "--alternative")
        plain["categories"] = list(vote.categories) or ask_categories(round_)
    if answer != "abstain" and (vote.rate or ballot.rules.require.assessment):
        plain["assessment"] = {
            question: vote.rate or choose(question.replace("_", " "), "--rate", _RATINGS)
            for question in _QUESTIONS
        }
    plain["evidence"] = list(vote.evidence) or ask_evidence(round_)
    return DraftFile("the options", json.dumps(plain).encode())


def ask_categories(round_: CountedRound) -> list[str]:
    """The categories of an objection."""
    known = ", ".join((*CATEGORIES, *round_.ballot.record.rules.categories))
    return _split(ask(f"Categories, of {known}", "--category"))


def ask_evidence(round_: CountedRound) -> list[str]:
    """What was read, by ids of the manifest. Asked only at a terminal: nothing is an answer."""
    ids = [entry.id for entry in round_.proposal.record.evidence]
    if not ids or not is_interactive():
        return []
    return _split(ask(f"What you have read, of {', '.join(ids)}", "--evidence", default=""))


def _split(words: str) -> list[str]:
    return words.replace(",", " ").split()
