"""Whose turn it is, and for what: the packet that fits a status and a member (section 10)."""

from __future__ import annotations

from typing import Literal

from accord.errors import UsageError
from accord.model.snapshot import DecisionFiles
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.rederivations import find_parts
from accord.rules.verbs import Verb, find_refusal

Phase = Literal["vote", "affirmation", "rederivation", "ruling", "authority"]
AFFIRMING = frozenset({"amending", "unconverged", "conditional"})
_OF_AUTHORITIES: tuple[Verb, ...] = ("amend", "revise", "synthesize")


def find_phase(decision: DecisionFiles, judgement: Judgement, member: str) -> Phase:
    """What a member is asked now. Raises UsageError when it is nothing."""
    round_ = find_round(judgement)
    turn = _Turn(decision, judgement, round_, member)
    phase = turn.of_voter() if member in round_.roster else turn.of_outsider()
    if phase is None:
        raise _nothing_to_do(decision, judgement, round_, member)
    return phase


def find_round(judgement: Judgement) -> CountedRound:
    """The latest round. Raises UsageError when none was opened."""
    if judgement.rounds:
        return judgement.rounds[-1]
    evaluation = judgement.evaluation
    raise UsageError(
        f"{evaluation.decision} has no open round: {evaluation.directive.sentence}",
        f"`accord open {evaluation.decision}` opens one"
        if evaluation.status == "draft"
        else f"`accord show {evaluation.decision}` says where it stands",
    )


def require_voting(judgement: Judgement) -> CountedRound:
    """The latest round, while its voters have something to do. Raises UsageError when not."""
    round_, evaluation = find_round(judgement), judgement.evaluation
    if evaluation.status == "amending" and round_.amendment is None:
        raise UsageError(
            f"{evaluation.decision} waits for its amendment",
            f"`accord amend {evaluation.decision}` takes in the minor objections",
        )
    if evaluation.status != "open" and evaluation.status not in AFFIRMING:
        raise UsageError(
            f"no voter of {evaluation.decision} has anything to do now:"
            f" {evaluation.directive.sentence}",
            f"`accord show {evaluation.decision}` says what it waits for",
        )
    return round_


def find_pending(round_: CountedRound) -> list[str]:
    """Who has neither voted nor sealed a vote."""
    return [
        voter for voter in round_.roster if voter not in round_.seals and voter not in round_.votes
    ]


class _Turn:
    """What waits for one member, as far as it can count now."""

    def __init__(
        self, decision: DecisionFiles, judgement: Judgement, round_: CountedRound, member: str
    ) -> None:
        self._decision = decision
        self._judgement = judgement
        self._round = round_
        self._member = member

    def of_voter(self) -> Phase | None:
        if self._takes("vote"):
            return "vote" if self._member in find_pending(self._round) else None
        affirming = self._judgement.evaluation.status in AFFIRMING
        return "affirmation" if affirming and self._takes("affirm") else None

    def of_outsider(self) -> Phase | None:
        """A ruling first, where it is asked for; then a second look by who has a fresh one."""
        officers = self._round.ballot.record.officers_with
        fresh = not find_parts(self._judgement.rounds, self._member)
        looks = fresh and self._takes("rederive")
        if self._member in officers("decider") and (
            self._takes("rule") or (self._takes("synthesize") and not looks)
        ):
            return "ruling"
        if looks:
            return "rederivation"
        acts = any(map(self._takes, _OF_AUTHORITIES))
        return "authority" if acts and self._member in officers("authority") else None

    def _takes(self, verb: Verb) -> bool:
        return find_refusal(verb, self._decision, self._judgement) is None


def _nothing_to_do(
    decision: DecisionFiles, judgement: Judgement, round_: CountedRound, member: str
) -> UsageError:
    if member in round_.roster:
        require_voting(judgement)
        if judgement.evaluation.status == "open":
            return UsageError(
                f"{member} has voted, and the other votes are not open yet",
                f"`accord show {decision.id}` says who is missing",
            )
    status = judgement.evaluation.status
    told = "" if member in round_.roster else f"is not on the roster of round {round_.number}, and "
    refusal = find_refusal("vote", decision, judgement)
    return UsageError(
        f"{member} {told}has nothing to do now: {decision.id} is {status}",
        refusal.way_out if refusal else f"the voters are {', '.join(round_.roster)}",
    )
