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
    if judged.record is not None and session.tree.find(path_of("record", decision)) is None:
        published = write_record(session, decision, saving)
        lines += [f"wrote {path}" for path in published.paths]
        lines += _tell_commit(published)
    return tuple(lines)


def write_record(session: Session, decision: str, saving: Saving) -> Published:
    """Write the record that the files give, in place of what stands there, with its pages."""
    with alone(session, f"record {decision}") as here:
        record = here.judge(decision).record
        files = {} if record is None else {path_of("record", decision): record}
        return publish(here, Change(decision, f"{decision}: record", files), saving)


def _tell_commit(published: Published) -> list[str]:
    return [f"committed {published.commit[:12]}"] if published.commit else []
