"""The ledger as it is written down: its bytes, and a page for people (section 11)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from accord.model.ids import digest_bytes
from accord.model.ledger import LedgerEvent, VoteRound
from accord.render.page import Page, Span

_SHORT = len("sha256:") + 12


def render_ledger(events: Iterable[LedgerEvent]) -> bytes:
    """One JSON object a line, in the order of decisions; inside of one as the events are given.

    The keys stand as in the record, without spaces. A character beyond ASCII would be escaped
    (`ensure_ascii`): the file is ASCII, and so the same in every encoding that people use.
    """
    in_order = sorted(events, key=lambda event: event.decision)
    return b"".join(
        line + b"\n"
        for _, of_decision in groupby(in_order, key=lambda event: event.decision)
        for line in _chain(of_decision)
    )


def _chain(events: Iterable[LedgerEvent]) -> Iterator[bytes]:
    """The lines of one decision, each with the digest of the one before, without its line feed."""
    prev: str | None = None
    for event in events:
        line = _encode(event if prev is None else msgspec.structs.replace(event, prev=prev))
        prev = digest_bytes(line)
        yield line


def _encode(event: LedgerEvent) -> bytes:
    plain = msgspec.to_builtins(event)
    return json.dumps(plain, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def render_ledger_page(events: Sequence[LedgerEvent]) -> Page:
    """The same for people: a line an event, under the decision that it belongs to."""
    page = Page()
    if not events:
        page.prose("Nothing has happened yet that counts.")
        return page
    for decision, of_decision in groupby(events, key=lambda event: event.decision):
        page.heading(decision)
        page.table([_row(event) for event in of_decision], indent=2)
    return page


def _row(event: LedgerEvent) -> tuple[Span | str, ...]:
    kind, digest = Span(event.event, "wait"), Span(event.digest[:_SHORT], "dim")
    if not isinstance(event, VoteRound):
        return kind, digest, ""
    return kind, digest, f"{event.timestamp[:16].replace('T', ' ')}, {event.result}"
