"""What the decisions of a repository teach, in whole numbers (docs/statistics.md).

Every share is a count and what it is a count of, never a quotient. People and rounds are
counted, not files.
"""

from __future__ import annotations

from typing import Literal

from msgspec import field

from accord.model.base import Result

TOO_FEW_BELOW = 5
"""A share of fewer than this says too little to conclude anything from."""

End = Literal[
    "passed_in_a_later_round",
    "passed_by_amendment",
    "accepted_by_ruling",
    "rejected",
    "withdrawn",
    "undecided",
]
How = Literal["amendment", "agreement", "answer"]


class Share(Result, frozen=True, kw_only=True):
    """`count` of `of`, of what `key` names."""

    key: str
    count: int
    of: int


class ClassShare(Result, frozen=True, kw_only=True):
    """A share of the decisions, or rounds, of one class; "" is the class of no proposal."""

    class_: str = field(name="class")
    key: str
    count: int
    of: int


class Scope(Result, frozen=True, kw_only=True):
    """Which decisions are counted: of one class, of the days from `since` to `until`.

    Days are `YYYY-MM-DD`, and both belong to it. The day of a decision is that of its id.
    """

    class_: str | None = field(name="class", default=None)
    since: str | None = None
    until: str | None = None


class Rejections(Result, frozen=True, kw_only=True):
    """Who said no, of all that answered: one voter of one round is one, whatever it signed.

    `objections` counts each category of each rejection; a rejection may name several.
    """

    count: int
    of: int
    objections: int
    by_category: tuple[Share, ...]
    by_class: tuple[Share, ...]
    by_voter: tuple[Share, ...]
    by_proposer: tuple[Share, ...]
    by_month: tuple[Share, ...]


class Refinement(Result, frozen=True, kw_only=True):
    """Decisions that passed after their first round had failed; `ends` says what became of all."""

    count: int
    of: int
    ends: tuple[Share, ...]


class Hits(Result, frozen=True, kw_only=True):
    """A challenger's objections that were taken in, of those in decisions that have ended.

    `how` are the parts of `count`, the strongest reason alone. `pending` are the objections in
    decisions that have not ended.
    """

    voter: str
    count: int
    of: int
    how: dict[How, int]
    pending: int


class Answers(Result, frozen=True, kw_only=True):
    """A voter, and in how many rounds it answered."""

    voter: str
    rounds: int


class Pair(Result, frozen=True, kw_only=True):
    """Two voters, in the order of their names, and the rounds in which both answered."""

    voters: tuple[str, str]
    rounds: int


class Resolved(Result, frozen=True, kw_only=True):
    """What the next round brought to the objections of one category.

    `count` of `of` were resolved, `raised_again` stood again, `unheard` are those whose voter
    said neither yes nor no.
    """

    category: str
    count: int
    of: int
    raised_again: int
    unheard: int


class Statistics(Result, frozen=True, kw_only=True):
    """All of it. `votes` counts answers: one voter in one round."""

    scope: Scope
    too_few_below: int
    decisions: int
    rounds: int
    votes: int
    voters: int
    pairs: int
    rejections: Rejections
    rounds_per_decision: tuple[Share, ...]
    outcomes_by_class: tuple[ClassShare, ...]
    statuses_by_class: tuple[ClassShare, ...]
    refinement: Refinement
    challengers: tuple[Hits, ...]
    never_dissenting: tuple[Answers, ...]
    always_agreeing: tuple[Pair, ...]
    resolved_by_refinement: tuple[Resolved, ...]
