"""`stats`: what the decisions teach, for people (docs/statistics.md says what it does not)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from accord.model.statistics import (
    TOO_FEW_BELOW,
    ClassShare,
    End,
    Hits,
    How,
    Resolved,
    Scope,
    Share,
    Statistics,
)
from accord.render.page import Page, Span
from accord.render.report import count
from accord.render.stats_rows import Drawing, Row, write_rows
from accord.render.words import OUTCOMES, STATUSES, join

TOO_FEW = "too few to say"
NO_CLASS = "no class"
ENDS: dict[End, str] = {
    "passed_in_a_later_round": "passed in a later round",
    "passed_by_amendment": "passed by amendment",
    "accepted_by_ruling": "accepted by ruling",
    "rejected": "rejected",
    "withdrawn": "withdrawn",
    "undecided": "not decided yet",
}
HOWS: dict[How, str] = {
    "amendment": "by amendment",
    "agreement": "by agreeing to a later text",
    "answer": "by the answer alone",
}
_STATUSES: dict[str, str] = {str(status): said for status, said in STATUSES.items()}
_OUTCOMES: dict[str, str] = {str(outcome): said for outcome, said in OUTCOMES.items()}
NOTE = (
    "Numbers are no verdict on anybody: who never dissents may have had no reason to, and an"
    " objection that was not taken in may have been right."
)


def render_stats(statistics: Statistics, drawing: Drawing) -> Page:
    """The whole page. Where there is nothing to count, it says so in words."""
    page = Page()
    if statistics.decisions == 0:
        named = _name(statistics.scope)
        page.prose(f"There is nothing to count yet: there is no decision {named}.")
        return page
    _write_head(page, statistics)
    page.heading("Where decisions stand")
    _write_by_class(page, statistics.statuses_by_class, _STATUSES, drawing)
    if statistics.rounds:
        page.heading("How rounds end")
        _write_by_class(page, statistics.outcomes_by_class, _OUTCOMES, drawing)
    page.heading("Rounds a decision")
    rounds = [
        Row(share.count, share.of, count(int(share.key), "round"))
        for share in statistics.rounds_per_decision
    ]
    write_rows(page, rounds, drawing, indent=2)
    if statistics.votes == 0:
        page.gap()
        page.prose("No vote counts yet: there is nothing to say of objections and voters.")
        return page
    _write_rejections(page, statistics, drawing)
    _write_refinement(page, statistics, drawing)
    _write_challengers(page, statistics.challengers, drawing)
    _write_voters(page, statistics)
    page.gap()
    page.prose(Span(NOTE, "dim"))
    return page


def _name(scope: Scope) -> str:
    parts = [
        f"of class {scope.class_}" if scope.class_ is not None else "here",
        f"since {scope.since}" if scope.since is not None else "",
        f"until {scope.until}" if scope.until is not None else "",
    ]
    return " ".join(part for part in parts if part)


def _write_head(page: Page, statistics: Statistics) -> None:
    page.prose(
        Span(count(statistics.decisions, "decision"), "title"),
        f" {_name(statistics.scope)}: {count(statistics.rounds, 'round')} and"
        f" {count(statistics.votes, 'vote')} of {count(statistics.voters, 'voter')}, where a vote"
        " is one voter in one round.",
    )


def _write_by_class(
    page: Page, shares: Sequence[ClassShare], words: Mapping[str, str], drawing: Drawing
) -> None:
    for class_, of_class in groupby(shares, key=lambda share: share.class_):
        page.line(class_ or NO_CLASS, indent=2)
        rows = [Row(share.count, share.of, words[share.key]) for share in of_class]
        write_rows(page, rows, drawing, indent=4)


def _write_rejections(page: Page, statistics: Statistics, drawing: Drawing) -> None:
    rejections = statistics.rejections
    page.heading(f"Rejections: {rejections.count} of {count(rejections.of, 'vote')}")
    for title, rows in (
        ("by category, of all rejections", _rows(rejections.by_category)),
        ("by class, of its votes", _rows(rejections.by_class)),
        ("by voter, of its votes", _rows_of_people(rejections.by_voter)),
        ("by proposer, of the votes on its proposals", _rows_of_people(rejections.by_proposer)),
        ("by month, of its votes", _rows(rejections.by_month)),
    ):
        if rows:
            page.line(title, indent=2)
            write_rows(page, rows, drawing, indent=4)


def _rows(shares: Sequence[Share]) -> list[Row]:
    return [Row(share.count, share.of, share.key) for share in shares]


def _rows_of_people(shares: Sequence[Share]) -> list[Row]:
    """What is said of one member says so where it is too little to say anything."""
    return [Row(share.count, share.of, share.key, _too_few(share.of)) for share in shares]


def _write_refinement(page: Page, statistics: Statistics, drawing: Drawing) -> None:
    refinement = statistics.refinement
    page.heading("Refinement")
    if refinement.of == 0:
        page.prose("No first round has failed.", indent=2)
    else:
        page.prose(
            f"{refinement.count} of {count(refinement.of, 'decision')} passed after the first"
            f" round had failed{_doubt(refinement.of)}",
            indent=2,
        )
        rows = [
            Row(share.count, share.of, said)
            for share, said in zip(refinement.ends, ENDS.values(), strict=True)
            if share.count
        ]
        write_rows(page, rows, drawing, indent=4)
    if statistics.resolved_by_refinement:
        page.line("objections that the next round resolved, by category", indent=2)
        rows = [_row_of_resolved(one) for one in statistics.resolved_by_refinement]
        write_rows(page, rows, drawing, indent=4)


def _row_of_resolved(one: Resolved) -> Row:
    remarks = [
        f"{one.raised_again} raised again" if one.raised_again else "",
        f"{one.unheard} unheard" if one.unheard else "",
        _too_few(one.of),
    ]
    return Row(one.count, one.of, one.category, _list(remarks))


def _write_challengers(page: Page, challengers: Sequence[Hits], drawing: Drawing) -> None:
    page.heading("Objections of challengers that were taken in")
    if not challengers:
        page.prose("No challenger has objected.", indent=2)
    write_rows(page, [_row_of_hits(one) for one in challengers], drawing, indent=2)


def _row_of_hits(one: Hits) -> Row:
    remarks = [f"{number} {HOWS[how]}" for how, number in one.how.items() if number]
    remarks.append(f"{one.pending} in decisions that have not ended" if one.pending else "")
    return Row(one.count, one.of, one.voter, _list([*remarks, _too_few(one.of)]))


def _write_voters(page: Page, statistics: Statistics) -> None:
    silent = statistics.never_dissenting
    page.heading(f"Never dissenting: {len(silent)} of {count(statistics.voters, 'voter')}")
    page.table(
        [(count(one.rounds, "vote"), one.voter + _doubt(one.rounds)) for one in silent], indent=2
    )
    agreeing = statistics.always_agreeing
    enough = [pair for pair in agreeing if pair.rounds >= TOO_FEW_BELOW]
    page.heading(
        f"Always giving the same answer: {len(agreeing)} of {count(statistics.pairs, 'pair')}"
    )
    page.table([(count(pair.rounds, "round"), join(pair.voters)) for pair in enough], indent=2)
    if rest := len(agreeing) - len(enough):
        page.prose(
            f"{count(rest, 'pair')} of fewer than {TOO_FEW_BELOW} shared rounds: {TOO_FEW}",
            indent=2,
        )


def _list(remarks: Sequence[str]) -> str:
    return ", ".join(remark for remark in remarks if remark)


def _too_few(number: int) -> str:
    return TOO_FEW if number < TOO_FEW_BELOW else ""


def _doubt(number: int) -> str:
    return f" ({TOO_FEW})" if _too_few(number) else ""
