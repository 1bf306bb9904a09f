"""Whether pages tell what their records say: pages are what people read (section 9).

Accord writes a page to `docs/decisions/<decision-id>.md` alone. Whatever else stands in that
folder is nobody's business here, and so is a file of such a name that somebody wrote by hand
before there was a decision of that name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.page_format import FORMAT, Kind, find_format
from accord.model.paths import ADR_INDEX, find_location, find_paged, page_of

# What stands at a path: its bytes, None for nothing, or something that is no plain file.
There = bytes | Literal["no plain file"] | None
# Where the decision stands that a page is named after. `begun` has not ended.
Standing = Literal["ended", "begun", "imported", "absent"]


class Page(NamedTuple):
    """A page before and after a step; `due` are the bytes that it may have, the first is written.

    `first` says that the step brings the first policy: nothing was decided before it.
    """

    decision: str
    standing: Standing
    before: There
    after: There
    due: Collection[bytes] = ()
    first: bool = False


def find_touched(paths: Iterable[str]) -> tuple[str, ...]:
    """The decisions whose page or record is among some paths, sorted."""
    return tuple(sorted({name for name in map(_find_decision, paths) if name}))


def _find_decision(path: str) -> str | None:
    if path.endswith("/record.yaml"):
        place = find_location(path)
        return place.decision if place is not None and place.kind == "record" else None
    return find_paged(path)


def check_page(page: Page) -> tuple[Finding, ...]:
    """What is wrong with a page that a step touches, or whose record it does."""
    if page.standing == "ended":
        if page.after in page.due:
            return ()
        return (_stale(page_of(page.decision), page.after),)
    if page.after is None or not _is_invented(page):
        return ()
    return (
        Finding(
            code="page-without-record",
            path=page_of(page.decision),
            message=_NO_RECORD[page.standing].format(page.decision),
            hint=_WAYS_OUT[page.standing],
        ),
    )


def _is_invented(page: Page) -> bool:
    """Whether it stands for a decision that there is not; what people wrote by hand does not."""
    if is_accords(page.before) or is_accords(page.after):
        return True
    return page.before is None and page.standing != "imported" and not page.first


def is_accords(there: There) -> bool:
    """Whether accord wrote what stands there."""
    return isinstance(there, bytes) and find_format(there, "page") is not None


_NO_RECORD: dict[Standing, str] = {
    "absent": "it has the name of the page of a decision, and there is no decision {}",
    "begun": "it is the page of {}, which has not ended",
    "imported": "it passes for a page that accord wrote, and {} was imported",
}
_WAYS_OUT: dict[Standing, str] = {
    "absent": "Remove it. What is written by hand gets a name that does not begin with a date and"
    " can be no decision id, such as 0001-title.md.",
    "begun": "Remove it; accord writes it with the record, when the decision has ended.",
    "imported": "Restore the page that was imported, or remove this one.",
}


def refuse_template(path: str, digest: str | None) -> Finding:
    """A template that no decision enacts; `digest` is that of its bytes, None where it is gone.

    Who writes the template writes what people read of every decision.
    """
    if digest is None:
        return Finding(
            code="policy-change-unapproved",
            path=path,
            message="a template of pages was removed",
            hint="Restore it. To go back to accord's own, enact a template of one line, such as {%"
            ' extends "adr-madr.md.j2" %}, in class governance.',
        )
    return Finding(
        code="policy-change-unapproved",
        path=path,
        message="no accepted governance decision enacts this template",
        hint="Restore it as it was, or remove it if it is new; then propose it in class governance"
        f" with enacts: {path} and its digest, {digest}.",
    )


def check_pages(
    there: Mapping[str, bytes], due: Mapping[str, Collection[bytes]]
) -> tuple[Finding, ...]:
    """Whether exactly those pages stand there that follow, and as they follow.

    `there` and `due` map paths to bytes, and to those that may be; `there` holds pages of
    decisions and the index alone.
    """
    found = []
    for path in sorted(there.keys() | due.keys()):
        if path not in due:
            hint = "Remove it; accord writes it with the record, when the decision has ended."
            message = "it is the page of a decision that has not ended"
            found.append(Finding(code="page-without-record", path=path, message=message, hint=hint))
        elif there.get(path) not in due[path]:
            found.append(_stale(path, there.get(path)))
    return tuple(found)


def _stale(path: str, there: There) -> Finding:
    if path == ADR_INDEX:
        # It is of all decisions, so every merge makes it old until somebody writes it anew.
        said, write = _say_stale(there, "index"), "accord adr --index --write"
        return Finding(code="ledger-stale", path=path, message=said, hint=write)
    write = f"accord adr {find_paged(path)} --write"
    in_the_way = there is not None and not is_accords(there)
    hint = f"Move away what is there, then: {write}" if in_the_way else write
    return Finding(code="adr-stale", path=path, message=_say_stale(there, "page"), hint=hint)


def _say_stale(there: There, kind: Kind) -> str:
    if there is None:
        return f"the {kind} is missing"
    if there == "no plain file":
        return "a link, a submodule or an executable stands where the page belongs"
    named = find_format(there, kind)
    if named is None:
        return (
            f"the {kind} that follows from the decisions belongs here, and accord did not write"
            " what is there"
        )
    if named != FORMAT:
        return f"it is of format {named}, and this accord knows {FORMAT}: another one wrote it"
    return f"it is not the {kind} that follows from the decisions"
