"""Whether a decision still authorises anything: a change of guarded code, or of the policy."""

from __future__ import annotations

from accord.model.evaluation import IN_FORCE
from accord.model.finding import find_errors
from accord.rules.successors import find_successions, read_successor
from accord.verify.decision import Decisions, Judged


def find_fault(decisions: Decisions, name: str, judged: Judged) -> str | None:
    """Why a decision authorises nothing, as the end of a sentence about it; None when it does.

    It is accepted and neither superseded nor reversed, no key that signed it has been revoked
    since, and nothing about it is an error.
    """
    status = judged.judgement.evaluation.status
    if status not in IN_FORCE:
        return f"is {status}"
    if any(finding.code == "key-revoked-since" for finding in judged.findings):
        return "was signed with a key that was revoked since then"
    if errors := find_errors(judged.findings):
        return f"has an error ({errors[0].code})"
    naming = decisions.sources.means.mentions.list_naming(decisions.tree, name)
    newer = (decisions.judge(one) for one in naming)
    successors = (read_successor(one.judgement) for one in newer)
    view = find_successions(one for one in successors if one is not None).get(name)
    if view is not None and view.view in ("superseded", "reversed"):
        return f"is {view.view} by {view.by}"
    return None
