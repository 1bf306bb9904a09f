"""`replay`: what was decided beside what would have been."""

from __future__ import annotations

from collections.abc import Sequence

from accord.model.evaluation import Evaluation
from accord.render.json import evaluation_to_plain
from accord.render.page import Page, Piece, Span
from accord.render.words import DIRECTIVE_STYLES, GATES, RESULTS, STANCES, STATUSES

_NOTHING = "-"


def render_replay(decided: Evaluation, what_if: Evaluation, assumed: Sequence[str]) -> Page:
    """Both side by side; what differs is marked. It says plainly that nothing was decided here."""
    page = Page()
    page.table([(Span("WHAT IF", "warn"), "Nothing here is decided, and nothing is changed.")])
    page.gap()
    page.prose(Span(decided.title, "title"))
    page.line(decided.decision)
    page.heading("Assumed")
    for sentence in assumed or ("nothing: votes and checks alone, without ruling or withdrawal",):
        page.prose("- ", sentence, indent=2, hanging=4)
    page.gap()
    page.table([_row(*row) for row in _compare(decided, what_if)], indent=2)
    page.heading("What was decided")
    _write_directive(page, decided)
    page.heading("What would have been")
    _write_directive(page, what_if)
    return page


def _row(name: str, before: str, after: str) -> tuple[Piece, ...]:
    mark = Span("≠", "bad") if before != after and name else Span("")
    return name, before, mark, Span(after, "bad" if before != after and name else "")


def _compare(decided: Evaluation, what_if: Evaluation) -> list[tuple[str, str, str]]:
    both = (decided, what_if)
    rows = [
        ("", "decided", "what if"),
        ("outcome", *(one.outcome or _NOTHING for one in both)),
        ("verdict", *(one.verdict or _NOTHING for one in both)),
        ("status", *(STATUSES[one.status] for one in both)),
    ]
    rows += [
        (GATES[name], *(_gate(one, name) for one in both))
        for name in ("agreement", "evidence_consensus", "reasoning_convergence", "independence")
    ]
    counts = ("strict", "collapsed", "disjoint", "required")
    rows += [
        (count, *(str(getattr(one.independence, count, _NOTHING)) for one in both))
        for count in counts
        if any(one.independence is not None for one in both)
    ]
    voters = sorted({voter for one in both for voter in _stances(one)})
    rows += [(voter, *(_stances(one).get(voter, _NOTHING) for one in both)) for voter in voters]
    return [row for row in rows if row[1] or row[2]]  # type: ignore[misc]


def _gate(evaluation: Evaluation, name: str) -> str:
    return next(
        (RESULTS[gate.result][0] for gate in evaluation.gates if gate.gate == name), _NOTHING
    )


def _stances(evaluation: Evaluation) -> dict[str, str]:
    last = evaluation.rounds[-1].voters if evaluation.rounds else ()
    return {voter.voter: STANCES[voter.stance] for voter in last}


def _write_directive(page: Page, evaluation: Evaluation) -> None:
    word = evaluation.directive.word
    page.table([(Span(word, DIRECTIVE_STYLES[word]), evaluation.directive.sentence)], indent=2)


def replay_to_plain(
    decided: Evaluation, what_if: Evaluation, assumed: Sequence[str]
) -> dict[str, object]:
    """Both for programs."""
    return {
        "what_if": True,
        "assumed": list(assumed),
        "decided": evaluation_to_plain(decided),
        "would_have_been": evaluation_to_plain(what_if),
    }
