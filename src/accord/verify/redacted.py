"""Evidence that is missing from old steps, because a redaction took it out of history later.

Who purges history after a redaction makes all commits anew without the bytes. What the last step
leaves standing says so: a redaction that counts there names what older steps lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from accord.model.finding import Finding
from accord.store.git import Repository
from accord.verify.decision import Decisions, Judged
from accord.verify.in_force import Upon
from accord.verify.sources import means_of
from accord.verify.step import Taken
from accord.verify.tree import tree_sources

_Missing = tuple[str, str]  # a proposal, and the field of it that names the evidence


def tell_redacted(
    repository: Repository, tip: Upon, taken: Mapping[str, Taken]
) -> dict[str, Taken]:
    """The steps of a history, with a note for each file that was taken out of them later."""
    missing = {
        one.path.split("/")[1]
        for step in taken.values()
        for one in step.report.findings
        if one.code == "evidence-missing"
    }
    gone = _find_gone(repository, tip, missing) if missing else {}
    return {oid: _tell(oid, step, gone) for oid, step in taken.items()}


def _find_gone(repository: Repository, tip: Upon, names: Iterable[str]) -> dict[_Missing, str]:
    policy = tip.in_force.policy
    if policy is None:
        return {}
    means = means_of(repository)
    decisions = Decisions(tip.tree, tree_sources(policy, tip.tree, means).trusting())
    return {
        place: path
        for name in sorted(names)
        for place, path in _list_gone(decisions.judge(name)).items()
    }


def _list_gone(judged: Judged) -> dict[_Missing, str]:
    return {
        (round_.draft.path, f"evidence[{position}].artifact"): entry.artifact
        for round_ in judged.files.rounds
        if round_.draft is not None
        for position, entry in enumerate(round_.draft.record.evidence)
        if entry.artifact in judged.judgement.redacted
    }


def _tell(oid: str, step: Taken, gone: Mapping[_Missing, str]) -> Taken:
    def is_gone(finding: Finding) -> bool:
        return finding.code == "evidence-missing" and (finding.path, finding.field) in gone

    report = step.report
    notes = tuple(
        f"the step {oid[:12]}: {gone[one.path, one.field]} was redacted later, and is in no commit"
        for one in report.findings
        if is_gone(one)
    )
    left = tuple(one for one in report.findings if not is_gone(one))
    return replace(step, report=replace(report, findings=left, notes=(*report.notes, *notes)))
