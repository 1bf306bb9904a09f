"""Where a decision stands (section 7): the table, and what takes precedence over it.

| situation of the latest round              | status                             |
|--------------------------------------------|------------------------------------|
| outcome open                               | open                               |
| decision_triggered, inconclusive           | contested; no round left: escalated |
| amendment missing or not affirmed by all   | amending; closed: as failed        |
| EVIDENCE_ASYMMETRY                         | conditional; closed and not        |
|                                            | acknowledged by all: as failed     |
| COINCIDENTAL_UNANIMITY                     | unconverged; closed: as failed     |
| CORRELATED_QUORUM, NOT_MEASURED            | escalated                          |
| verified, and nobody objects any more      | accepted, or with amendments       |
| verified, with a correlation warning       | provisional until looked at again  |
| verified, with a counted check that fails  | provisional until it passes        |

Precedence: withdrawal, ruling, check, re-derivation, then the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from accord.model.evaluation import Basis, Status, Verdict
from accord.rules.checks import CountedChecks
from accord.rules.counting import CountedRound
from accord.rules.rederivations import CountedRederivations


class Standing(NamedTuple):
    """Where a decision stands, and on what basis if it has ended."""

    status: Status
    basis: Basis | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the table looks at.

    `left` is the status of a round that failed: `contested`, or `escalated` when no round is
    left. `barred` says why voting alone cannot accept, "" when it can.
    """

    round_: CountedRound
    verdict: Verdict | None
    warnings: tuple[str, ...]
    acknowledged: bool
    left: Status
    barred: str


def stand_by_votes(situation: Situation) -> Standing:
    """The table before checks and re-derivations: what voting alone has come to."""
    round_ = situation.round_
    over = round_.is_over
    if round_.outcome == "open":
        return Standing("open")
    if round_.outcome in ("decision_triggered", "inconclusive"):
        return Standing(situation.left)
    if situation.verdict == "NOT_UNANIMOUS":
        return Standing(situation.left if over else "amending")
    if situation.verdict == "EVIDENCE_ASYMMETRY":
        failed = over and not situation.acknowledged
        return Standing(situation.left if failed else "conditional")
    if situation.verdict == "COINCIDENTAL_UNANIMITY":
        return Standing(situation.left if over else "unconverged")
    if situation.verdict in ("CORRELATED_QUORUM", "NOT_MEASURED") or situation.barred:
        return Standing("escalated")
    return Standing("provisional") if situation.warnings else _accept(round_)


def _accept(round_: CountedRound) -> Standing:
    if round_.amendment is not None:
        return Standing("approved_with_amendments", "amendments")
    return Standing("accepted", "vote")


def stand_by_checks(
    situation: Situation, checks: CountedChecks, rederivations: CountedRederivations
) -> Standing:
    """The table with checks and re-derivations taken in."""
    voted = stand_by_votes(situation)
    if voted.status == "escalated":
        correlated = situation.verdict == "CORRELATED_QUORUM"
        if correlated and checks.resolving and not situation.barred:
            return Standing(_accept(situation.round_).status, "deterministic_check")
        return voted
    if voted.basis is not None and checks.failing:
        voted = Standing("provisional")
    if voted.status != "provisional":
        return voted
    if rederivations.contradicting:
        return Standing(situation.left)
    if rederivations.confirming and not checks.failing:
        return _accept(situation.round_)
    return voted
