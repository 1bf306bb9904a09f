"""`ledger --write`: the ledger of what is staged, kept in its place (section 11)."""

from __future__ import annotations

from typing import NamedTuple

from accord.errors import Refused
from accord.flow.publish import (
    Saving,
    alone,
    refuse_losing,
    refuse_uncommitted,
    require_committed_policy,
    write_and_stage,
)
from accord.flow.session import Session
from accord.model.paths import LEDGER
from accord.render.ledger import render_ledger
from accord.store.load import check_mode
from accord.store.tree import read_plain
from accord.verify.ledger import list_tree_events


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
            refuse_uncommitted(here, "the ledger would list it")
        ledger = render_ledger(list_tree_events(here.tree))
        written = None
        if not _is_there(here, ledger):
            refuse_losing(here, {LEDGER: ledger})
            write_and_stage(here, {LEDGER: ledger})
            written = LEDGER
        if not commits or (read_plain(here.base, LEDGER) or b"") == ledger:
            return KeptLedger(written, None)
        return KeptLedger(written, here.repository.commit_paths("ledger", [LEDGER]))


def _is_there(session: Session, ledger: bytes) -> bool:
    if session.tree.find(LEDGER) is None:
        return ledger == b""
    file = session.root / LEDGER
    here = file.read_bytes() if file.is_file() else None
    return read_plain(session.tree, LEDGER) == ledger == here
