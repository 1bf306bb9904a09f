"""Steps of a history that were refused, and that a governance decision has settled since.

What landed past the gate stays in the history for ever. A governance decision may say that it has
been looked at (`settles`, by commit): then its errors are told as notes. It changes nothing else:
what counted before that step counts on, and a policy that nobody enacted is not in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from accord.model.finding import Finding, find_errors
from accord.model.policy import GOVERNANCE
from accord.store.git import Repository
from accord.store.mentions import Mention
from accord.verify.authority import find_fault
from accord.verify.decision import Decisions
from accord.verify.in_force import Upon
from accord.verify.sources import means_of
from accord.verify.step import Taken
from accord.verify.tree import tree_sources


def settle(repository: Repository, tip: Upon, taken: Mapping[str, Taken]) -> dict[str, Taken]:
    """The steps of a history by commit, those with errors settled or with what would settle them.

    `tip` is what the last step left standing; a decision there settles while it is in force.
    """
    stained = {
        oid: errors for oid, one in taken.items() if (errors := find_errors(one.report.findings))
    }
    settled = _find_settled(repository, tip, stained) if stained else {}
    return {
        oid: _tell(oid, one, settled.get(oid)) if oid in stained else one
        for oid, one in taken.items()
    }


def _find_settled(
    repository: Repository, tip: Upon, stained: Mapping[str, tuple[Finding, ...]]
) -> dict[str, str]:
    """By commit, the governance decision that settles it; none that has an error of its own."""
    policy = tip.in_force.policy
    if policy is None:
        return {}
    means = means_of(repository)
    decisions = Decisions(tip.tree, tree_sources(policy, tip.tree, means).trusting())
    wanted = {Mention("settles", oid): oid for oid in stained}
    # A finding can be about `decisions` itself, which is in no decision.
    places = (found.path.split("/") for errors in stained.values() for found in errors)
    faulty = {name for place in places for name in place[1:2]}
    settled = {}
    for mention, names in means.mentions.find(tip.tree, wanted.keys()).items():
        for name in sorted(names - faulty):
            judged = decisions.judge(name)
            of_governance = judged.judgement.evaluation.class_ == GOVERNANCE
            if of_governance and find_fault(decisions, name, judged) is None:
                settled[wanted[mention]] = name
    return settled


def _tell(oid: str, taken: Taken, decision: str | None) -> Taken:
    report = taken.report
    errors = find_errors(report.findings)
    if decision is None:
        note = (
            f"the step {oid[:12]} has errors and stays in the history; once what it did is undone"
            f" or accepted, a governance decision settles it: `settles: [{oid}]` in its proposal"
        )
        return replace(taken, report=replace(report, notes=(*report.notes, note)))
    notes = (
        f"the step {oid[:12]}, settled by {decision}: {one.path}: {one.code}: {one.message}"
        for one in errors
    )
    left = tuple(one for one in report.findings if one not in errors)
    return replace(taken, report=replace(report, findings=left, notes=(*report.notes, *notes)))
