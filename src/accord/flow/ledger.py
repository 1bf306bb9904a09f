"""`ledger --write`: the ledger of what is staged, kept in its place (section 11)."""

from __future__ import annotations

from typing import NamedTuple

from accord.errors import Refused, UsageError
from accord.flow.publish import (
    Saving,
    alone,
    refuse_losing,
    require_committed_policy,
    write_and_stage,
)
from accord.flow.session import Session
from accord.model.paths import LEDGER, ROOT
from accord.render.ledger import render_ledger
from accord.store.load import check_mode
from accord.verify.ledger import list_tree_events, read_ledger


class KeptLedger(NamedTuple):
    """What was done: the path written, None when it was right already, and the commit."""

    path: str | None
    commit: str | None


def keep_ledger(session: Session, saving: Saving) -> KeptLedger:
    """Write the ledger that the staged tree gives, and stage or commit it; it needs no signer.

    Raises UsageError when it would be committed without the decisions that it lists, or when an
    edited one that is not staged would be lost; Refused when no plain file stands in its place.
    """
    with alone(session, "ledger") as here:
        entry = here.tree.find(LEDGER)
        faults = check_mode(entry) if entry is not None else ()
        if faults:
            raise Refused("nothing was written", faults)
        commits = saving.commit or saving.push
        if commits:
            require_committed_policy(here)
            _refuse_uncommitted(here)
        ledger = render_ledger(list_tree_events(here.tree))
        written = None
        if not _is_there(here, ledger):
            refuse_losing(here, {LEDGER: ledger})
            write_and_stage(here, {LEDGER: ledger})
            written = LEDGER
        if not commits or (read_ledger(here.base) or b"") == ledger:
            return KeptLedger(written, None)
        return KeptLedger(written, here.repository.commit_paths("ledger", [LEDGER]))


def _refuse_uncommitted(session: Session) -> None:
    """A commit of the ledger alone must not list what is only staged."""
    changed = session.repository.changed_paths(session.base, session.tree, ROOT)
    others = [path for path in changed if path != LEDGER]
    if others:
        raise UsageError(
            f"{others[0]} is staged and not committed, and the ledger would list it",
            "commit that first (`git commit`), then run the command again",
        )


def _is_there(session: Session, ledger: bytes) -> bool:
    if session.tree.find(LEDGER) is None:
        return ledger == b""
    file = session.root / LEDGER
    return read_ledger(session.tree) == ledger and file.is_file() and file.read_bytes() == ledger
