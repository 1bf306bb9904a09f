"""What needs no judgement is done by itself: votes are opened, records are written (section 10)."""

from __future__ import annotations

from collections.abc import Mapping

from accord.flow.cast import describe_progress
from accord.flow.publish import Change, Published, Saving, alone, publish
from accord.flow.reveal import find_openable, open_votes
from accord.flow.session import Session
from accord.model.paths import path_of
from accord.signing.base import Signer


def settle(
    session: Session, decision: str, signers: Mapping[str, Signer], saving: Saving
) -> tuple[str, ...]:
    """Do what is due for a decision, and say what was done, a line each."""
    lines: list[str] = []
    judged = session.judge(decision)
    rounds = judged.judgement.rounds
    if rounds and judged.files.record is None:
        openable = find_openable(session, rounds[-1], signers)
        if openable:
            published = open_votes(session, decision, openable, saving)
            judged = published.judged
            lines.append(describe_progress(judged.judgement.rounds[-1]))
            lines += _tell_commit(published)
            session = session.renewed()
    record = path_of("record", decision)
    if judged.record is not None and session.tree.find(record) is None:
        change = Change(decision, f"{decision}: record", {record: judged.record})
        with alone(session, f"record {decision}") as here:
            published = publish(here, change, saving)
        lines += [f"wrote {path}" for path in published.paths]
        lines += _tell_commit(published)
    return tuple(lines)


def _tell_commit(published: Published) -> list[str]:
    return [f"committed {published.commit[:12]}"] if published.commit else []
