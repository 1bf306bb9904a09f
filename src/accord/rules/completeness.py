"""What makes an answer a vote (section 3.5), and an affirmation one (section 3.6).

The tool refuses to seal or sign what is incomplete; an incomplete file in the tree is not a
vote yet, and its voter may replace it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from accord.model.affirmation import COMMITMENT, Affirmation
from accord.model.ballot import Ballot
from accord.model.finding import Finding
from accord.model.policy import VIAS
from accord.model.proposal import Proposal
from accord.model.snapshot import Authenticated
from accord.model.vote import CATEGORIES, Answer, Vote
from accord.rules.citations import check_citations
from accord.rules.roster import find_waiver_fault
from accord.rules.shown import check_shown

MENDS = {
    "vote-incomplete": "Fill in what is missing; the packet says what each field is for.",
    "blocking-concern-under-agree": (
        "A blocking concern is a disagreement: vote disagree with severity minor and the change"
        " that would satisfy you, or mark the concern as not blocking."
    ),
    "challenger-silent": "Name at least one concern; it need not be blocking.",
    "unknown-category": "Use one of the categories of the packet.",
}
Fault = tuple[str, str, str]  # code, field, sentence


def check_vote(
    vote: Vote, signed: Authenticated[Ballot], proposal: Authenticated[Proposal], path: str
) -> tuple[Finding, ...]:
    """All that keeps an answer from being a vote on this ballot; empty means complete."""
    ballot = signed.record
    faults = [
        *_check_anybody(vote, ballot),
        *_ANSWERS[vote.vote](vote),
        *_check_assessment(vote, ballot),
        *_check_challenger(vote, ballot),
    ]
    return (
        *_tell(faults, path),
        *check_citations(vote.evidence, path),
        *check_shown(vote, signed, proposal, path),
    )


def _tell(faults: Iterable[Fault], path: str) -> Iterator[Finding]:
    for code, field, sentence in faults:
        yield Finding(code=code, path=path, field=field, message=sentence, hint=MENDS[code])


def check_affirmation(
    affirmation: Affirmation, ballot: Ballot, proposal: Proposal, path: str
) -> tuple[Finding, ...]:
    """What keeps an affirmation from counting: it says why, as a vote does.

    A retraction objects, so it names a category and is major; an affirmation does not object,
    and commits to what it affirms, unless a waiver says that it need not converge.
    """
    faults: list[Fault] = []
    if not affirmation.reason.strip():
        faults.append(("vote-incomplete", "reason", "the reason is empty: say why it stands"))
    if affirmation.stance == "retract":
        if not affirmation.categories:
            faults.append(("vote-incomplete", "categories", "a retraction names a category"))
        if affirmation.severity is None:
            faults.append(("vote-incomplete", "severity", "a retraction is of severity major"))
    else:
        faults += [
            (
                "vote-incomplete",
                field,
                f"it affirms and has {field}: either it stands or it does not",
            )
            for field in ("categories", "severity")
            if getattr(affirmation, field)
        ]
        waived = ballot.waiver is not None and not find_waiver_fault(ballot, proposal)
        if affirmation.commitment is None and not waived:
            faults.append(
                (
                    "vote-incomplete",
                    "commitment",
                    f"who affirms commits to it: commitment: {COMMITMENT}",
                )
            )
    faults += _check_categories(affirmation.categories, ballot)
    return (*_tell(faults, path), *check_citations(affirmation.evidence, path))


def _check_anybody(vote: Vote, ballot: Ballot) -> Iterator[Fault]:
    if not (vote.rationale or "").strip():
        what = "an abstention says why" if vote.vote == "abstain" else "a vote says why"
        yield "vote-incomplete", "rationale", f"the rationale is empty: {what}"
    if ballot.rules.ballots == "sealed" and vote.nonce is None:
        yield "vote-incomplete", "nonce", "a sealed vote carries a nonce of 64 hex digits"
    yield from _check_categories(vote.categories, ballot)
    vias = {*VIAS, *ballot.rules.vias}
    for position, entry in enumerate(vote.evidence):
        if entry.via not in vias:
            yield (
                "vote-incomplete",
                f"evidence[{position}].via",
                f"via {entry.via!r} is no way of use here; one of {', '.join(sorted(vias))}",
            )


def _check_categories(categories: tuple[str, ...], ballot: Ballot) -> Iterator[Fault]:
    known = {*CATEGORIES, *ballot.rules.categories}
    for position, category in enumerate(categories):
        if category not in known:
            yield (
                "unknown-category",
                f"categories[{position}]",
                f"{category} is no category here; known are {', '.join(sorted(known))}",
            )


def _check_agree(vote: Vote) -> Iterator[Fault]:
    for position, concern in enumerate(vote.concerns):
        if concern.blocking:
            yield (
                "blocking-concern-under-agree",
                f"concerns[{position}]",
                f"{vote.voter} agrees, and calls a concern blocking",
            )


def _check_disagree(vote: Vote) -> Iterator[Fault]:
    if vote.severity is None:
        yield "vote-incomplete", "severity", "a disagreement is minor or major"
    if not vote.categories:
        yield "vote-incomplete", "categories", "a disagreement names at least one category"
    if not (vote.alternative or "").strip():
        yield (
            "vote-incomplete",
            "alternative",
            "a disagreement offers an alternative: concrete, with its trade-offs; for a minor"
            " one the words that the text should have instead",
        )


def _check_abstain(_vote: Vote) -> Iterator[Fault]:
    yield from ()


_ANSWERS: dict[Answer, Callable[[Vote], Iterator[Fault]]] = {
    "agree": _check_agree,
    "disagree": _check_disagree,
    "abstain": _check_abstain,
}


def _check_assessment(vote: Vote, ballot: Ballot) -> Iterator[Fault]:
    if vote.vote == "abstain" or not ballot.rules.require.assessment:
        return
    for question in ("testability", "workflow_integration", "incremental_verifiability"):
        if getattr(vote.assessment, question, None) is None:
            yield "vote-incomplete", f"assessment.{question}", f"{question} is not rated"


def _check_challenger(vote: Vote, ballot: Ballot) -> Iterator[Fault]:
    seat = ballot.voters.get(vote.voter)
    silent = not any(concern.text.strip() for concern in vote.concerns)
    if seat is not None and "challenger" in seat.roles and silent:
        yield (
            "challenger-silent",
            "concerns",
            f"{vote.voter} is the challenger and names no concern",
        )
