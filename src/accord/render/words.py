"""The words of the rules in plain English, one table a kind of word."""

from __future__ import annotations

from accord.model.evaluation import (
    Basis,
    DirectiveWord,
    GateName,
    GateResult,
    Outcome,
    Status,
    VoterStance,
)
from accord.model.succession import View
from accord.render.page import Style

DIRECTIVE_STYLES: dict[DirectiveWord, Style] = {
    "PROCEED": "good",
    "WAIT": "wait",
    "HALT": "warn",
    "FAIL": "bad",
    "-": "dim",
}
STATUSES: dict[Status, str] = {
    "draft": "a draft",
    "open": "open",
    "amending": "amending",
    "unconverged": "unconverged",
    "conditional": "conditional",
    "provisional": "provisional",
    "contested": "contested",
    "escalated": "escalated",
    "accepted": "accepted",
    "approved_with_amendments": "approved with amendments",
    "rejected": "rejected",
    "withdrawn": "withdrawn",
    "imported": "imported",
}
SUCCESSIONS: dict[View, str] = {
    "under_redecision": "under redecision",
    "upheld": "upheld",
    "reversed": "reversed",
    "superseded": "superseded",
}
OUTCOMES: dict[Outcome, str] = {
    "open": "votes are still missing",
    "decision_triggered": "objections stand",
    "inconclusive": "not everybody said yes or no",
    "approved_with_amendments": "all agree, some with a minor objection",
    "unanimous": "all agree",
    "quorum": "a quorum agrees",
}
STANCES: dict[VoterStance, str] = {
    "agree": "agrees",
    "disagree": "disagrees",
    "disagree_resolved": "objection taken in",
    "abstain": "abstains",
    "retracted": "took it back",
    "missing": "not voted",
}
STANCE_STYLES: dict[VoterStance, Style] = {
    "agree": "good",
    "disagree": "bad",
    "disagree_resolved": "good",
    "abstain": "warn",
    "retracted": "bad",
    "missing": "wait",
}
GATES: dict[GateName, str] = {
    "agreement": "agreement",
    "evidence_consensus": "evidence consensus",
    "reasoning_convergence": "reasoning convergence",
    "independence": "independence",
}
RESULTS: dict[GateResult, tuple[str, Style]] = {
    "passed": ("passed", "good"),
    "failed": ("failed", "bad"),
    "pending": ("pending", "wait"),
    "not_required": ("not required", "dim"),
    "waived": ("waived", "warn"),
    "not_measured": ("not measured", "warn"),
}
BASES: dict[Basis, str] = {
    "vote": "by vote",
    "amendments": "by vote, with amendments",
    "ruling": "by ruling",
    "deterministic_check": "by a deterministic check",
    "withdrawal": "by withdrawal",
    "imported": "taken over from an older page",
}


def tell_status(status: Status, over: str | None) -> str:
    """The status; what a ruling accepted in spite of a doubt keeps the word for it."""
    return f"accepted by ruling over {over}" if over else STATUSES[status]


def join(words: tuple[str, ...] | list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
