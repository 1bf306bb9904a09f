"""Rounds: sequential, within the limit, of one class, answering what was objected (section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from accord.model.ballot import Previous
from accord.model.evaluation import Status
from accord.model.finding import Finding
from accord.model.paths import path_of
from accord.model.proposal import Enacted, Proposal
from accord.model.resolution import Counted, Resolution
from accord.model.snapshot import Authenticated, RoundFiles
from accord.rules.binding import check_bindings, check_officer, check_place
from accord.rules.counting import CountedRound, affirmation_digests
from accord.rules.evidence import digest_manifest


class Answered(NamedTuple):
    """The resolution of a round if it counts, and what is wrong with it."""

    resolution: Authenticated[Resolution] | None
    findings: tuple[Finding, ...]


def as_found(
    round_: CountedRound, previous: Previous | None
) -> tuple[RoundFiles, tuple[Finding, ...]]:
    """A round as the next ballot found it: what came later changes nothing any more.

    What the close lists was there, whatever the next ballot says; a close that does not count
    lists nothing.
    """
    files = round_.files
    if previous is None:
        return files, ()
    listed = round_.close.record.counted if round_.close else Counted()
    there = {*previous.votes.values(), *listed.votes.values()}
    votes = [vote for vote in files.votes if vote.digest in there]
    there = {*previous.affirmations.values(), *listed.affirmations.values()}
    affirmations = [file for file in files.affirmations if file.digest in there]
    kept = {file.path for file in (*votes, *affirmations)}
    late = {file.path for file in (*files.votes, *files.affirmations)} - kept
    found = RoundFiles(
        number=files.number,
        draft=files.draft,
        proposal=files.proposal,
        ballot=files.ballot,
        seals=files.seals,
        votes=tuple(votes),
        amendment=files.amendment,
        affirmations=tuple(affirmations),
        close=files.close,
        resolution=files.resolution,
    )
    return found, tuple(
        Finding(
            code="late-vote",
            path=path,
            message="it came after the next round was opened, and is kept but not counted",
            hint="Vote in the round that is open now.",
        )
        for path in sorted(late)
    )


def check_resolution(round_: CountedRound) -> Answered:
    """Whether the resolution of a round binds to it. What it leaves unanswered comes later."""
    resolution = round_.files.resolution
    if resolution is None:
        return Answered(None, ())
    findings = (
        *check_place(resolution),
        *check_officer(resolution, round_.ballot.record, "authority", "resolution"),
        *check_bindings(
            resolution,
            {"ballot": round_.ballot.digest, "transcript": round_.transcript},
            "stale-file",
        ),
    )
    return Answered(None if findings else resolution, findings)


def effective_number(earlier: Iterable[CountedRound], ballot: CountedRound | None) -> int:
    """The number of the next or given round, without those that a policy change ended.

    A round that was closed with no vote opened, and whose successor has other rules, voters
    or officers, was closed because the policy changed.
    """
    rounds = [*earlier, *([ballot] if ballot else [])]
    return 1 + sum(not _is_void(round_, after) for round_, after in pairwise(rounds))


def _is_void(round_: CountedRound, after: CountedRound) -> bool:
    """Whether a round was closed, with no vote opened, because the policy changed."""
    if round_.close is None or round_.votes or round_.late:
        return False
    one, other = round_.ballot.record, after.ballot.record
    shared = one.voters.keys() & other.voters.keys()
    return (
        one.rules != other.rules
        or one.officers != other.officers
        or any(one.voters[voter] != other.voters[voter] for voter in shared)
    )


def has_round_left(rounds: tuple[CountedRound, ...]) -> bool:
    """Whether the class allows a round after these."""
    return effective_number(rounds[:-1], rounds[-1]) < rounds[-1].ballot.record.rules.max_rounds


def check_next_round(
    earlier: tuple[CountedRound, ...], status: Status, round_: CountedRound
) -> tuple[Finding, ...]:
    """What forbids a round after `earlier`, whose decision then stood at `status`."""
    last = earlier[-1]
    return (
        *_check_allowed(earlier, status, round_),
        *_check_previous(last, round_),
        *_check_same(earlier[0], round_),
        *_check_dissenters(earlier, round_),
        *_check_answers(last, round_),
    )


def _fault(round_: CountedRound, code: str, field: str, sentence: str, hint: str) -> Finding:
    return Finding(code=code, path=round_.ballot.path, field=field, message=sentence, hint=hint)


def _check_allowed(
    earlier: tuple[CountedRound, ...], status: Status, round_: CountedRound
) -> Iterator[Finding]:
    limit = round_.ballot.record.rules.max_rounds
    number = effective_number(earlier, round_)
    if number > limit:
        yield _fault(
            round_,
            "round-limit-exceeded",
            "round",
            f"this is balloting {number}, and the class allows {limit}",
            "Voting has failed: write a synthesis and ask the decider to rule, or withdraw.",
        )
    elif status != "contested" and not _is_void(earlier[-1], round_):
        yield _fault(
            round_,
            "round-not-allowed",
            "round",
            f"round {earlier[-1].number} stood at {status}; a next round follows only on contested",
            "Remove this round and finish the one before it.",
        )


def _check_previous(last: CountedRound, round_: CountedRound) -> Iterator[Finding]:
    previous = round_.ballot.record.previous
    if previous is None:
        yield _fault(
            round_,
            "round-not-allowed",
            "previous",
            "a later round names the round before it in `previous`",
            "Open the round with accord open.",
        )
        return
    found = Previous(
        ballot=last.ballot.digest,
        votes={vote.record.voter: vote.digest for vote in (*last.votes.values(), *last.late)},
        affirmations=affirmation_digests(last),
        close=last.close.digest if last.close else None,
        resolution=last.files.resolution.digest if last.files.resolution else None,
    )
    for field in ("ballot", "votes", "affirmations", "close", "resolution"):
        if getattr(previous, field) != getattr(found, field):
            yield _fault(
                round_,
                "round-not-allowed",
                f"previous.{field}",
                f"`previous.{field}` is not what stands in round {last.number}",
                "What the voters of this round found has been changed; restore it.",
            )


def _check_same(first: CountedRound, round_: CountedRound) -> Iterator[Finding]:
    if round_.ballot.record.class_ != first.ballot.record.class_:
        yield _fault(
            round_,
            "class-changed",
            "class",
            f"round 1 was of class {first.ballot.record.class_}",
            "A decision keeps its class; propose it anew for another.",
        )
    if round_.proposal.record.proposer != first.proposal.record.proposer:
        yield _fault(
            round_,
            "round-not-allowed",
            "proposal",
            f"round 1 was proposed by {first.proposal.record.proposer}",
            "A decision keeps its proposer; otherwise a dissenter could be made proposer.",
        )


def find_dissenters(rounds: Iterable[CountedRound]) -> frozenset[str]:
    """Who dissented in any of these rounds."""
    return frozenset().union(*(round_.dissenters for round_ in rounds))


def find_silenced(rounds: Iterable[CountedRound]) -> frozenset[str]:
    """Who dissented in any of these rounds, and no ballot says so."""
    return frozenset().union(*(round_.silenced for round_ in rounds))


def _check_dissenters(earlier: tuple[CountedRound, ...], round_: CountedRound) -> Iterator[Finding]:
    return check_roster_holds(find_dissenters(earlier), round_, "dissenter-dropped", "dissented")


def check_roster_holds(
    members: Iterable[str], round_: CountedRound, code: str, what: str
) -> Iterator[Finding]:
    """Whether each of `members` is on the roster, or left out as no longer eligible."""
    ballot = round_.ballot.record
    left_out = {entry.voter for entry in ballot.left_out}
    for member in sorted(set(members) - ballot.voters.keys()):
        eligible = member in ballot.rules.voters.eligible
        if not eligible and member in left_out:
            continue
        yield _fault(
            round_,
            code,
            "voters",
            f"{member} {what} before and is not on the roster"
            + ("" if eligible else ", and left_out does not say why"),
            f"Open the round with {member} as a voter."
            if eligible
            else f"Open the round with accord open, which lists {member} under left_out.",
        )


def _check_answers(last: CountedRound, round_: CountedRound) -> Iterator[Finding]:
    resolution = check_resolution(last).resolution
    answers = resolution.record.answers if resolution else ()
    answered = {(answer.voter, answer.category) for answer in answers}
    path = path_of("resolution", last.ballot.record.decision, round_number=last.number)
    for voter, category in sorted(last.objections - answered, key=lambda o: (o[0], o[1] or "")):
        yield Finding(
            code="objection-unanswered",
            path=resolution.path if resolution else path,
            field="answers" if resolution else "",
            message=f"{voter}'s {category or 'abstention'} of round {last.number} is not answered",
            hint=f"Answer it: accord resolve {last.ballot.record.decision}",
        )
    if resolution and _same_substance(last, round_):
        for position, answer in enumerate(answers):
            if answer.disposition == "addressed":
                yield Finding(
                    code="not-addressed",
                    path=resolution.path,
                    field=f"answers[{position}].disposition",
                    message=(
                        f"{answer.voter}'s {answer.category or 'abstention'} is called addressed,"
                        " and text, evidence and enacts are unchanged"
                    ),
                    hint="Change the proposal, or say why the objection is rebutted.",
                )


def _same_substance(last: CountedRound, round_: CountedRound) -> bool:
    return _substance(last.proposal.record) == _substance(round_.proposal.record)


def _substance(proposal: Proposal) -> tuple[str, str, frozenset[Enacted]]:
    """What makes a proposal another one. The order of lists is not of it."""
    return proposal.text, digest_manifest(proposal.evidence), frozenset(proposal.enacts)
