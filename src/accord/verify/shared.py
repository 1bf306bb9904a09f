"""What belongs to all decisions, as a protected branch has it: the ledger and the index (11).

Whether they hold all that has ended is asked of names alone, so it costs next to nothing beside
the reading of two files; `ledger --check` and `adr --index --check` compare every byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from accord.model.finding import Finding
from accord.model.page_format import find_format
from accord.model.paths import ADR_INDEX, LEDGER, ROOT, is_decision
from accord.rules.shared import check_listed
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.store.tree import Tree, read_plain
from accord.verify.report import Report


def warn_of_stale(repository: Repository, report: Report, head: str, branch: str | None) -> Report:
    """The report of what has landed, with what ledger and index lack, if the branch is protected.

    A pull request does not touch them, so of one that is not merged yet this is not asked.
    """
    tree = repository.commit(head)
    policy = load_policy(tree).policy
    if policy is None or branch not in policy.protected:
        return report
    return replace(report, findings=(*report.findings, *check_refreshed(tree)))


def check_refreshed(tree: Tree) -> Iterator[Finding]:
    """What the ledger and the index of a protected branch lack. An index by hand is left alone."""
    records = tree.match((ROOT,), None, frozenset({"record.yaml"}))
    names = (entry.path.split("/")[1] for entry in records)
    ended = [name for name in names if is_decision(name)]
    yield from check_listed(LEDGER, read_plain(tree, LEDGER), ended)
    index = read_plain(tree, ADR_INDEX)
    if tree.find(ADR_INDEX) is None or find_format(index, "index") is not None:
        yield from check_listed(ADR_INDEX, index, ended)
