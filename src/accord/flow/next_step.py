"""`next`: the one thing that waits for me (section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from accord.flow.session import Session
from accord.model.evaluation import Waiting
from accord.model.paths import is_decision, path_of
from accord.rules.counting import CountedRound
from accord.rules.rederivations import find_parts
from accord.rules.waiting import ANY_AUTHORITY, OUTSIDER, find_waiting
from accord.signing.base import Signer
from accord.store.load import list_decisions


@dataclass(frozen=True, slots=True)
class Step:
    """Something that waits for one of my members, and the title of its decision.

    `others` is how many more things wait for members whose keys are here.
    """

    decision: str
    title: str
    member: str
    waiting: Waiting
    others: int = 0


def list_undecided(session: Session) -> tuple[str, ...]:
    """The decisions that may wait for something: all but those whose record HEAD has already."""
    return tuple(
        decision
        for decision in list_decisions(session.tree)
        if is_decision(decision)
        and (
            (record := session.base.find(path_of("record", decision))) is None
            or session.tree.find(path_of("record", decision)) != record
        )
    )


def find_next(session: Session, signers: Mapping[str, Signer]) -> Step | None:
    """The first thing that waits for a member whose key is at hand, oldest decision first."""
    steps = list(_list_steps(session, signers))
    return replace(steps[0], others=len(steps) - 1) if steps else None


def _list_steps(session: Session, signers: Mapping[str, Signer]) -> Iterator[Step]:
    for decision in list_undecided(session):
        judged = session.judge(decision)
        evaluation = judged.judgement.evaluation
        for waiting in find_waiting(judged.files, judged.judgement):
            member = _find_member(session, waiting, signers, judged.judgement.rounds)
            if member is not None:
                yield Step(decision, evaluation.title, member, waiting)


def _find_member(
    session: Session,
    waiting: Waiting,
    signers: Mapping[str, Signer],
    rounds: tuple[CountedRound, ...],
) -> str | None:
    """The member at hand that is meant: by name, as an authority, or as one who took no part."""
    named = waiting.member.split(" or ")
    for name in sorted(signers):
        meant = {
            ANY_AUTHORITY: "authority" in session.policy.members[name].roles,
            OUTSIDER: not find_parts(rounds, name),
        }
        if name in named or meant.get(waiting.member, False):
            return name
    return None
