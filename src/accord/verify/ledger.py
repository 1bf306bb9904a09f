"""The ledger that a tree gives, and the one that is in it (section 11)."""

from __future__ import annotations

from accord.errors import Refused, UsageError
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.ledger import LedgerEvent
from accord.model.paths import LEDGER, POLICY
from accord.render.ledger import render_ledger
from accord.rules.ledger import check_ledger, list_events
from accord.store.load import check_mode, list_decisions, load_policy
from accord.store.tree import Tree, read_plain
from accord.verify.decision import Decisions, Judged, Sources
from accord.verify.tree import tree_sources


def list_tree_events(tree: Tree) -> tuple[LedgerEvent, ...]:
    """The events of every decision of a tree, in the order of their ids.

    They follow from the tree alone, so that they are the same for everybody who has it: its own
    policy says who may sign, and every file stands as if it had been there before. Whether it
    may all stand there is what `verify` says.
    Raises UsageError when the tree has no policy, Refused when that cannot be read.
    """
    decisions = Decisions(tree, _tree_sources(tree))
    return tuple(
        event for name in list_decisions(tree) for event in _list_decision(decisions.judge(name))
    )


def check_tree_ledger(tree: Tree) -> tuple[Finding, ...]:
    """Whether the ledger of a tree is the one that the tree gives."""
    entry = tree.find(LEDGER)
    faults = check_mode(entry) if entry is not None else ()
    return faults or check_ledger(read_plain(tree, LEDGER), render_ledger(list_tree_events(tree)))


def _tree_sources(tree: Tree) -> Sources:
    loaded = load_policy(tree)
    if loaded.findings:
        raise Refused(f"{POLICY} cannot be read", loaded.findings, "`accord verify` says more")
    if loaded.policy is None:
        raise UsageError(f"there is no {POLICY} here", "`accord init` writes one that works")
    return tree_sources(loaded.policy, tree).trusting()


def _list_decision(judged: Judged) -> tuple[LedgerEvent, ...]:
    return list_events(judged.files, judged.judgement, _find_record(judged))


def _find_record(judged: Judged) -> str | None:
    """The digest of record.yaml, if it is there and the right one; an import is taken as it is."""
    record = judged.files.record
    if record is None:
        return None
    imported = judged.judgement.evaluation.status == "imported"
    due = digest_bytes(judged.record) if judged.record is not None else None
    return record.digest if imported or record.digest == due else None
