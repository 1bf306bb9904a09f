"""The page of a decision as data: all that an ADR tells, before it is a text (section 11).

Texts stand here as their authors wrote them. Whoever shows one escapes it.
"""

from __future__ import annotations

from typing import Literal

from accord.model.base import Result
from accord.model.evaluation import Gate, Outcome, Status, VoterResult, VoterStance
from accord.model.proposal import Consequences, Option, Waiver
from accord.model.record import DecisionRecord
from accord.model.succession import View
from accord.model.vote import Severity

Relation = Literal["supersedes", "reopens", "continues"]


class Reference(Result, frozen=True, kw_only=True):
    """A decision that a page names, and the file of its page; None where it has none."""

    decision: str
    page: str | None = None


class Standing(Result, frozen=True, kw_only=True):
    """The status, and what a newer decision makes of it.

    `over` is the doubt that a ruling accepted it in spite of.
    """

    status: Status
    over: str | None = None
    view: View | None = None
    by: Reference | None = None


class Link(Result, frozen=True, kw_only=True):
    """An older decision that this one names, and how."""

    relation: Relation
    to: Reference


class PageRound(Result, frozen=True, kw_only=True):
    """One round: how it came out, where each voter stood, and why it was closed, if it was."""

    number: int
    outcome: Outcome
    voters: tuple[VoterResult, ...]
    closed: str | None = None


class Reply(Result, frozen=True, kw_only=True):
    """How one objection was answered: by the authority's word, or by taking it in."""

    category: str | None = None
    disposition: Literal["addressed", "rebutted", "taken_in"]
    note: str | None = None


class Dissent(Result, frozen=True, kw_only=True):
    """What one voter of one round held against the text, in its own words."""

    voter: str
    round: int
    stance: VoterStance | Literal["late"]
    severity: Severity | None = None
    categories: tuple[str, ...] = ()
    rationale: str | None = None
    alternative: str | None = None
    replies: tuple[Reply, ...] = ()


class Said(Result, frozen=True, kw_only=True):
    """Somebody's words."""

    who: str
    text: str


class PageCheck(Result, frozen=True, kw_only=True):
    """A deterministic check that counts, and its last result."""

    name: str
    who: str
    command: tuple[str, ...]
    passed: bool


class SecondLook(Result, frozen=True, kw_only=True):
    """An independent second look that counts."""

    who: str
    confirms: bool
    rationale: str


class Adr(Result, frozen=True, kw_only=True):
    """The page of one decision that has ended. The `record` is what record.yaml holds.

    `over` is the doubt that a ruling accepted it in spite of.
    What newer decisions make of it stands in the index alone, so that no page changes by them.

    `text` is the final one; `amendments` are the objections that were taken into it. `reason` is
    that of a ruling or a withdrawal.
    """

    record: DecisionRecord
    over: str | None = None
    sentence: str
    decision_makers: tuple[str, ...]
    consulted: tuple[str, ...]
    informed: tuple[str, ...]
    proposer: str
    context: str
    text: str
    options: tuple[Option, ...] = ()
    consequences: Consequences = Consequences()
    waiver: Waiver | None = None
    affects: tuple[str, ...] = ()
    enacts: tuple[str, ...] = ()
    reason: Said | None = None
    synthesis: Said | None = None
    gates: tuple[Gate, ...] = ()
    warnings: tuple[str, ...] = ()
    rounds: tuple[PageRound, ...] = ()
    dissent: tuple[Dissent, ...] = ()
    amendments: tuple[Said, ...] = ()
    concerns: tuple[Said, ...] = ()
    checks: tuple[PageCheck, ...] = ()
    second_looks: tuple[SecondLook, ...] = ()
    links: tuple[Link, ...] = ()


class IndexEntry(Result, frozen=True, kw_only=True):
    """One line of the index of all decisions that have ended."""

    title: str
    decided_at: str
    page: Reference
    standing: Standing
