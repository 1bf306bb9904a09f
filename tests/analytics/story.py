"""Eight decisions of one project, small enough to count by hand, and what to count in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from accord.model.snapshot import RoundFiles, Stored
from accord.rules.evaluate import Judgement, evaluate
from tests.support import aftermath as a
from tests.support import files as b

TWO = ("SECURITY_RISK", "YAGNI")
FOUR = (*b.VOTERS, "newcomer")
LATER = "2026-12-01T08:00:00Z"


def judge(*rounds: RoundFiles, named: str = b.ID, **others: Any) -> Judgement:
    """A judgement of these rounds, as if the decision were called `named`."""
    judgement = evaluate(b.decide(*rounds, **others))
    assert len(judgement.rounds) == sum(files.ballot is not None for files in rounds)
    evaluation = msgspec.structs.replace(judgement.evaluation, decision=named)
    return replace(judgement, evaluation=evaluation)


def voted(proposal: Mapping[str, Any] | None = None, /, **votes: Mapping[str, Any]) -> RoundFiles:
    """A first round in which everybody agrees but who votes otherwise."""
    return b.cast(b.open_round(proposal), **(dict.fromkeys(b.VOTERS, b.AGREE) | votes))


def next_round(
    files: RoundFiles, text: str = "Half of it.", /, **votes: Mapping[str, Any]
) -> RoundFiles:
    """A round after another, likewise."""
    following = b.follow(files, {"text": text})
    return b.cast(following, **(dict.fromkeys(b.VOTERS, b.AGREE) | votes))


def objects(*categories: str) -> dict[str, Any]:
    """A vote that rejects for these categories."""
    return b.MAJOR | {"categories": categories}


def rebutted(files: RoundFiles, voter: str, *categories: str | None) -> RoundFiles:
    """The round with an answer that turns these objections of one voter down."""
    answers = files.resolution.record.answers if files.resolution else ()
    more = tuple(b.answer(voter, category, disposition="rebutted") for category in categories)
    return b.resolve(files, *answers, *more)


def addressed(files: RoundFiles, voter: str, *categories: str | None) -> RoundFiles:
    """The round with an answer that says what was done about these objections."""
    answers = files.resolution.record.answers if files.resolution else ()
    return b.resolve(files, *answers, *(b.answer(voter, category) for category in categories))


def tell() -> dict[str, Judgement]:
    """The story. Voters agree where nothing else is said."""
    agreed = b.affirm_all(b.cast_all(b.open_round(voters=b.seats(FOUR))))
    once = addressed(voted(challenger=objects("YAGNI")), "challenger", "YAGNI")
    twice = b.affirm_all(next_round(once))
    amended = b.affirm_all(b.amend(voted(challenger=b.MINOR)))
    torn = rebutted(voted(challenger=objects(*TWO), reviewer=b.ABSTAIN), "challenger", *TWO)
    torn = rebutted(torn, "reviewer", None)
    still_torn = next_round(torn, challenger=objects("SECURITY_RISK"))
    running = b.cast(
        b.open_round({"class_": "migration", "proposer": "planner"}),
        challenger=objects("MISALIGNED") | {"cast_at": LATER},
        implementer=objects("YAGNI") | {"cast_at": LATER},
    )
    draft = b.proposal_file()
    alone = b.cast(
        b.open_round(rules=b.make_rules(max_rounds=1)),
        **(dict.fromkeys(b.VOTERS, b.AGREE) | {"challenger": objects("YAGNI")}),
    )
    synthesis = a.synthesis_file(alone)
    return {
        "all agree, four of them": judge(agreed),
        "an objection is met in a second round": judge(once, twice),
        "a minor objection is taken in": judge(amended),
        "an objection stands through two rounds": judge(
            torn, still_torn, withdrawal=a.withdrawal_file(still_torn)
        ),
        "two objections in a round that runs": judge(running, named="2026-12-01-migrate"),
        "a draft": judge(
            RoundFiles(number=1, draft=Stored(draft.record, draft.path, draft.digest))
        ),
        "an objection is overruled": judge(
            alone, synthesis=synthesis, ruling=a.ruling_file(alone, synthesis)
        ),
        "a vote is taken back": judge(b.affirm(voted(), reviewer=b.RETRACT)),
    }


STORY = tell()
JUDGEMENTS = tuple(STORY.values())
