"""What a synthesis is written from: who holds what, and what it stands on (section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from accord.render.packet import describe_answer, describe_use
from accord.rules.counting import CountedRound


def outline_dispute(round_: CountedRound) -> str:
    """An outline for the authority, who writes it into a text of its own."""
    return "\n".join(_write(round_)) + "\n"


def _write(round_: CountedRound) -> Iterator[str]:
    yield f"What was put to the vote: {round_.proposal.record.title}"
    sides = {
        "For the text": round_.assenting,
        "Against it, or undecided": set(round_.votes) - round_.assenting,
    }
    for heading, voters in sides.items():
        yield ""
        yield f"{heading}:"
        for voter in sorted(voters):
            yield from _write_voter(round_, voter)
        if not voters:
            yield "- nobody"
    silent = [voter for voter in round_.roster if voter not in round_.votes]
    if silent:
        yield ""
        yield f"Without a vote: {', '.join(silent)}"
    yield ""
    yield "What they differ on:"
    yield "…"
    yield ""
    yield "What the decider is asked:"
    yield "…"


def _write_voter(round_: CountedRound, voter: str) -> Iterator[str]:
    vote = round_.votes[voter].record
    retraction = round_.retracted.get(voter)
    yield f"- {voter} ({'retracted' if retraction else describe_answer(vote)}):"
    told = retraction.record.reason if retraction else vote.rationale or ""
    yield from (f"  {line}".rstrip() for line in told.splitlines())
    if vote.evidence:
        yield f"  It stands on {', '.join(describe_use(entry) for entry in vote.evidence)}."
