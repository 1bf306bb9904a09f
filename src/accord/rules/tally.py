"""The tally: what the votes of a round say, before anybody asks how robust that is (section 4).

The denominator is always the roster. Two tables, one a rule; in each the first row that fits
is the outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from accord.model.ballot import Rules
from accord.model.evaluation import Outcome, VoterStance

# Who has not voted is `pending` while the round runs and `missing` once it is closed.
Cast = Literal["agree", "minor", "major", "abstain", "retracted", "pending", "missing"]


def fault_tolerance(rules: Rules, roster: int) -> int:
    """f: how many voters may be wrong. A quorum is 2f+1 of 3f+1."""
    return rules.independence.f if rules.independence else (roster - 1) // 3


def tally(rules: Rules, cast: Mapping[str, Cast]) -> Outcome:
    """The outcome of what every voter of the roster has cast."""
    count = Counter(cast.values())
    if count["pending"]:
        return "open"
    if rules.rule == "bft_quorum":
        return _tally_quorum(count, 2 * fault_tolerance(rules, len(cast)) + 1)
    return _tally_unanimity(count)


def _tally_unanimity(count: Counter[Cast]) -> Outcome:
    if count["major"] or count["retracted"]:
        return "decision_triggered"
    if count["abstain"] or count["missing"]:
        return "inconclusive"
    if count["minor"]:
        return "approved_with_amendments"
    # An empty roster has said nothing, and nothing is not agreement.
    return "unanimous" if count["agree"] else "inconclusive"


def _tally_quorum(count: Counter[Cast], quorum: int) -> Outcome:
    if count["agree"] >= quorum:
        return "quorum"
    if count["missing"] and count["agree"] + count["missing"] >= quorum:
        return "inconclusive"
    return "decision_triggered"


STANCES: dict[Cast, VoterStance] = {
    "agree": "agree",
    "minor": "disagree",
    "major": "disagree",
    "abstain": "abstain",
    "retracted": "retracted",
    "pending": "missing",
    "missing": "missing",
}
