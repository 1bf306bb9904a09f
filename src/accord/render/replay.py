"""`replay`: what was decided beside what would have been."""

from __future__ import annotations

from collections.abc import Sequence

from accord.model.evaluation import Evaluation
from accord.render.json import evaluation_to_plain
from accord.render.page import Page, Piece, Span
from accord.render.words import DIRECTIVE_STYLES, GATES, OUTCOMES, RESULTS, STANCES, STATUSES

_NOTHING = "-"
_COUNTS = ("strict", "collapsed", "disjoint", "required")


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
    """Each fact that one of them has, as it is in both."""
    rows = [("", "decided", "what if")]
    for read in (_list_facts, _list_stances):
        before, after = read(decided), read(what_if)
        names = dict.fromkeys((*before, *after))
        rows += [(name, before.get(name, _NOTHING), after.get(name, _NOTHING)) for name in names]
    return rows


def _list_facts(evaluation: Evaluation) -> dict[str, str]:
    results = {gate.gate: RESULTS[gate.result][0] for gate in evaluation.gates}
    count = evaluation.independence
    facts = {
        "outcome": OUTCOMES[evaluation.outcome] if evaluation.outcome else _NOTHING,
        "verdict": evaluation.verdict or _NOTHING,
        "status": STATUSES[evaluation.status],
        **{label: results.get(gate, _NOTHING) for gate, label in GATES.items()},
    }
    if count is not None:
        facts |= {name: str(getattr(count, name)) for name in _COUNTS}
    return facts


def _list_stances(evaluation: Evaluation) -> dict[str, str]:
    last = evaluation.rounds[-1].voters if evaluation.rounds else ()
    return {one.voter: STANCES[one.stance] for one in sorted(last, key=lambda one: one.voter)}


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
