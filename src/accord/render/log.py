"""`log`: what happened to one decision, in the order of the times that its files claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from accord.model.evidence import UsedEvidence
from accord.model.ids import moment
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles
from accord.model.vote import Vote
from accord.render.page import Page, Span
from accord.render.report import count

CLAIMED = (
    "Times are UTC, and what the files claim; only the order of commits proves what came first."
)


class Event(NamedTuple):
    """One signed file: when it says it was made, by whom, and what it did.

    `logged` is when a public log has its signature, None where no log has it.
    """

    at: str
    who: str
    what: str
    round: int
    path: str
    digest: str
    counts: bool = True
    logged: str | None = None


def list_events(files: DecisionFiles, counted: Collection[str]) -> tuple[Event, ...]:
    """All events in order of time; at the same second in the order of a round.

    `counted` are the paths of the files that count; the others are told, and marked.
    """
    events = [event for round_ in files.rounds for event in _of_round(round_)]
    events += _of_decision(files)
    marked = [event._replace(counts=event.path in counted) for event in events]
    return tuple(sorted(marked, key=lambda event: moment(event.at)))


def render_log(decision: str, title: str, events: Sequence[Event]) -> Page:
    """The chronology, one event a line."""
    page = Page()
    page.prose(Span(title, "title"))
    page.line(decision)
    page.gap()
    if not events:
        page.prose("Nothing was signed yet.")
        return page
    width = max(len(event.who) for event in events)
    for day, of_day in groupby(events, key=lambda event: event.at[:10]):
        page.heading(day)
        rows = [(event.at[11:19], event.who.ljust(width), _tell(event)) for event in of_day]
        page.table([(Span(at, "dim"), Span(who, "wait"), what) for at, who, what in rows], indent=2)
    page.gap()
    page.prose(Span(CLAIMED, "dim"))
    return page


def _tell(event: Event) -> str:
    told = f"{event.what}; logged {event.logged}" if event.logged else event.what
    return told if event.counts else f"{told} (not counted)"


def _of_round(files: RoundFiles) -> Iterator[Event]:
    number = files.number
    if files.ballot is not None:
        ballot = files.ballot.record
        what = f"opened round {number} to {', '.join(sorted(ballot.voters))}"
        yield _event(files.ballot, ballot.opened_at, number, what)
    for seal in files.seals:
        yield _event(seal, seal.record.at, number, "sealed a vote")
    sealed = {seal.signer: seal.record.at for seal in files.seals}
    for vote in files.votes:
        # When it was written is its voter's claim; shown it was after the last seal.
        at = max([vote.record.cast_at, *sealed.values()], key=moment)
        opened = " (opened)" if vote.signer in sealed else ""
        yield _event(vote, at, number, _voted(vote.record) + opened)
    if files.amendment is not None:
        taken = ", ".join(adopted.voter for adopted in files.amendment.record.amendments)
        what = f"amended the text with the objections of {taken}"
        yield _event(files.amendment, files.amendment.record.at, number, what)
    for affirmation in files.affirmations:
        said = affirmation.record
        what = "affirmed" if said.stance == "affirm" else "took it back"
        yield _event(
            affirmation,
            said.affirmed_at,
            number,
            what + _in_brackets(said.categories, said.evidence),
        )
    if files.close is not None:
        close = files.close.record
        yield _event(files.close, close.at, number, f"closed round {number}: {close.reason}")
    if files.resolution is not None:
        answers = count(len(files.resolution.record.answers), "objection")
        yield _event(files.resolution, files.resolution.record.at, number, f"answered {answers}")


def _of_decision(files: DecisionFiles) -> Iterator[Event]:
    for check in files.checks:
        result = "passed" if check.record.passed else "failed"
        what = f"ran the check {check.record.name}, which {result}"
        yield _event(check, check.record.at, check.record.round, what)
    for second in files.rederivations:
        what = "confirmed" if second.record.confirms else "contradicted"
        yield _event(second, second.record.at, second.record.round, f"{what} it by a second look")
    if files.synthesis is not None:
        written = files.synthesis.record
        yield _event(files.synthesis, written.at, written.round, "wrote the synthesis")
    if files.ruling is not None:
        ruling = files.ruling.record
        what = f"ruled to {ruling.ruling} it: {ruling.reason}"
        yield _event(files.ruling, ruling.at, ruling.round, what)
    if files.withdrawal is not None:
        taken = files.withdrawal.record
        yield _event(files.withdrawal, taken.at, taken.round, f"withdrew it: {taken.reason}")

    for taken_out in files.redactions:
        redaction = taken_out.record
        what = f"redacted {redaction.path}: {redaction.reason}"
        yield _event(taken_out, redaction.at, 0, what)


def _event(file: Authenticated[object], at: str, number: int, what: str) -> Event:
    return Event(
        at,
        file.signer,
        what.split("\n")[0],
        number,
        file.path,
        file.digest,
        logged=file.signed_at,
    )


def _voted(vote: Vote) -> str:
    answer = f"voted {vote.vote}" + (f", {vote.severity}" if vote.severity else "")
    return answer + _in_brackets(vote.categories, ())


def _in_brackets(categories: Sequence[str], evidence: Sequence[UsedEvidence]) -> str:
    parts = list(categories)
    if evidence:
        parts.append(f"read {count(len(evidence), 'more artifact')}")
    return f" ({', '.join(parts)})" if parts else ""
