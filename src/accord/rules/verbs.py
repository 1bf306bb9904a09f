"""What can count now: which verb a decision takes where it stands (sections 4, 7 and 9).

A file that counts for nothing is not signed. Who may sign, and whether the file is complete, is
asked elsewhere; here only whether its time is now. A table in the tests goes through every status
and every verb.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from accord.model.evaluation import IN_FORCE
from accord.model.snapshot import DecisionFiles
from accord.rules.evaluate import Judgement
from accord.rules.rounds import has_round_left
from accord.rules.waiting import find_waiting

Verb = Literal[
    "open",
    "vote",
    "affirm",
    "retract",
    "amend",
    "resolve",
    "revise",
    "close",
    "check",
    "rederive",
    "synthesize",
    "rule",
    "withdraw",
    "reopen",
]
_TOLD = 2  # of those that a decision waits for


class Refusal(NamedTuple):
    """Why what a verb writes would count for nothing, and what can be done instead."""

    cause: str
    way_out: str


def find_refusal(verb: Verb, decision: DecisionFiles, judgement: Judgement) -> Refusal | None:
    """Why a verb is refused now; None when what it writes can count."""
    evaluation = judgement.evaluation
    cause = None
    if evaluation.ended and verb not in _AFTER_THE_END:
        cause = f"{decision.id} has ended: it is {evaluation.status}"
    elif not judgement.rounds and verb not in _BEFORE_A_ROUND:
        cause = f"no round of {decision.id} is open yet: it is {evaluation.status}"
    else:
        cause = _CAUSES[verb](decision.id, judgement)
    return Refusal(cause, _find_way_out(decision, judgement)) if cause else None


def _find_way_out(decision: DecisionFiles, judgement: Judgement) -> str:
    """What it waits for, with the commands; what is left after the end."""
    status = judgement.evaluation.status
    if status in (*IN_FORCE, "rejected"):
        return f"what was decided is decided anew: accord reopen {decision.id} NAME"
    if judgement.evaluation.ended:
        return f"a new decision takes it up: accord propose NAME --continues {decision.id}"
    waiting = find_waiting(decision, judgement)[:_TOLD]
    steps = (f"{wait.member}: {wait.action} ({wait.command})" for wait in waiting)
    return f"it waits for {'; or '.join(steps)}"


def _refuse_opening(name: str, judgement: Judgement) -> str | None:
    if not judgement.rounds or judgement.evaluation.status == "contested":
        return None
    number = judgement.rounds[-1].number
    return f"no round follows round {number} of {name}: it is {judgement.evaluation.status}"


def _refuse_vote(name: str, judgement: Judgement) -> str | None:
    status = judgement.evaluation.status
    return None if status == "open" else f"{name} takes no votes: it is {status}"


def _refuse_affirmation(name: str, judgement: Judgement) -> str | None:
    round_, status = judgement.rounds[-1], judgement.evaluation.status
    if round_.is_over:
        return (
            f"round {round_.number} was closed, and an affirmation that comes now is late;"
            " only a retraction still counts (--retract)"
        )
    if status == "contested" and not round_.retracted:  # who took a vote back may think again
        return (
            f"round {round_.number} of {name} has failed, and an affirmation changes nothing;"
            " only a retraction still counts (--retract)"
        )
    if status == "amending" and round_.amendment is None:
        return f"{name} waits for its amendment, and then for affirmations of the new text"
    return _refuse_retraction(name, judgement)


def _refuse_retraction(name: str, judgement: Judgement) -> str | None:
    if judgement.evaluation.outcome == "open":
        return f"{name} has nothing to affirm: it is open, and votes are missing"
    return None


def _refuse_amendment(name: str, judgement: Judgement) -> str | None:
    status = judgement.evaluation.status
    if status == "amending" and judgement.rounds[-1].amendment is None:
        return None
    return f"{name} has no minor objection to take in: it is {status}"


def _refuse_answers(name: str, judgement: Judgement) -> str | None:
    resolution = judgement.rounds[-1].files.resolution
    if resolution is not None and resolution.path in judgement.counted:
        return f"the objections are answered already, by {resolution.signer}"
    return _refuse_revision(name, judgement)


def _refuse_revision(name: str, judgement: Judgement) -> str | None:
    status = judgement.evaluation.status
    if status == "contested" and has_round_left(judgement.rounds):
        return None
    return f"{name} has no failed round that another could follow: it is {status}"


def _refuse_close(name: str, judgement: Judgement) -> str | None:
    round_, status = judgement.rounds[-1], judgement.evaluation.status
    if round_.close is not None:
        return f"round {round_.number} was closed already, by {round_.close.signer}"
    failed = status == "contested" and not round_.retracted
    if failed or status in ("escalated", "provisional"):
        return (
            f"round {round_.number} of {name} is over, and a close changes nothing: it is {status}"
        )
    if status == "conditional" and judgement.ways.ready == "ready":
        return "everybody acknowledged the asymmetry, and a close changes nothing"
    return None


def _refuse_check(name: str, judgement: Judgement) -> str | None:
    status, verdict = judgement.evaluation.status, judgement.evaluation.verdict
    if status == "escalated" and verdict != "CORRELATED_QUORUM":
        return f"no check resolves this: {name} is escalated by {verdict or 'a round that failed'}"
    return _refuse_look(name, judgement) if status in ("amending", "contested") else None


def _refuse_rederivation(name: str, judgement: Judgement) -> str | None:
    """A second look counts once votes have agreed; what has ended is looked at again, and told."""
    status = judgement.evaluation.status
    if status in ("open", "escalated", "rejected", "withdrawn", "imported"):
        return f"a second look would count for nothing: {name} is {status}"
    return _refuse_look(name, judgement)


def _refuse_look(name: str, judgement: Judgement) -> str | None:
    """What is about a text that will be another one counts for nothing."""
    status = judgement.evaluation.status
    if status == "contested":
        return f"what is found now counts for nothing: {name} is contested, and its text is over"
    if status == "amending" and judgement.rounds[-1].amendment is None:
        return f"{name} waits for its amendment: what is found now is of a text that will change"
    return None


def _refuse_synthesis(name: str, judgement: Judgement) -> str | None:
    synthesis = judgement.ways.synthesis
    if synthesis is not None:
        return f"{name} has its synthesis already, by {synthesis.signer}"
    return _refuse_dispute(name, judgement)


def _refuse_ruling(name: str, judgement: Judgement) -> str | None:
    refused = _refuse_dispute(name, judgement)
    if refused is None and judgement.ways.synthesis is None:
        return f"{name} has no synthesis to rule on"
    return refused


def _refuse_dispute(name: str, judgement: Judgement) -> str | None:
    if judgement.ways.ready != "ready":
        return f"voting on {name} has not failed: it is {judgement.evaluation.status}"
    if not any(round_.votes for round_ in judgement.rounds):
        return f"nobody voted on {name}, so there is nothing to rule on"
    return None


def _refuse_reopening(name: str, judgement: Judgement) -> str | None:
    status = judgement.evaluation.status
    if status in (*IN_FORCE, "rejected"):
        return None
    return f"only what was accepted or rejected is decided anew: {name} is {status}"


def _refuse_nothing(_name: str, _judgement: Judgement) -> str | None:
    return None


_AFTER_THE_END: frozenset[Verb] = frozenset({"rederive", "reopen"})
_BEFORE_A_ROUND: frozenset[Verb] = frozenset({"open", "withdraw", "reopen"})
_CAUSES: Mapping[Verb, Callable[[str, Judgement], str | None]] = {
    "open": _refuse_opening,
    "vote": _refuse_vote,
    "affirm": _refuse_affirmation,
    "retract": _refuse_retraction,
    "amend": _refuse_amendment,
    "resolve": _refuse_answers,
    "revise": _refuse_revision,
    "close": _refuse_close,
    "check": _refuse_check,
    "rederive": _refuse_rederivation,
    "synthesize": _refuse_synthesis,
    "rule": _refuse_ruling,
    "withdraw": _refuse_nothing,
    "reopen": _refuse_reopening,
}
