"""An affirmation from options, or from questions at a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from accord.cli.asking import ask, choose, is_interactive
from accord.cli.short_vote import ask_categories, ask_evidence
from accord.flow.drafts import DraftFile
from accord.model.affirmation import COMMITMENT, Stance
from accord.rules.counting import CountedRound


@dataclass(frozen=True, slots=True)
class ShortAffirmation:
    """What the options said; what is missing is asked for at a terminal."""

    stance: Stance = "affirm"
    reason: str | None = None
    categories: Sequence[str] = ()
    evidence: Sequence[str] = ()
    asymmetry: Literal["not acknowledged", "acknowledged"] = "not acknowledged"


def draft_of(given: ShortAffirmation, round_: CountedRound) -> DraftFile:
    """The draft of an affirmation, which commits, or of a retraction, as JSON.

    Raises UsageError when the reason is missing on a pipe.
    """
    stance: str = given.stance
    categories = list(given.categories)
    if given.reason is None and stance == "affirm" and is_interactive():
        stance = choose("Does it stand", "--retract", ("affirm", "retract"))
        if stance == "retract" and not categories:
            categories = ask_categories(round_)
    plain: dict[str, object] = {
        "stance": stance,
        "reason": given.reason or ask("Why it stands, or not", "--reason or --from"),
        "categories": categories,
        "evidence": list(given.evidence) or ask_evidence(round_),
        "asymmetry_acknowledged": given.asymmetry == "acknowledged",
    }
    plain |= {"severity": "major"} if stance == "retract" else {"commitment": COMMITMENT}
    return DraftFile("the options", json.dumps(plain).encode())
