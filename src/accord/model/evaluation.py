"""What the rules say of a decision: outcome, gates, verdict, status (sections 4 to 7).

*Outcome* is what the tally says, *verdict* what the robustness gates say, *status* where the
decision stands.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import field

from accord.model.base import Result
from accord.model.ids import digest_json
from accord.model.policy import Accounting, RuleName
from accord.model.vote import Severity

Outcome = Literal[
    "open",
    "decision_triggered",
    "inconclusive",
    "approved_with_amendments",
    "unanimous",
    "quorum",
]
Verdict = Literal[
    "NOT_UNANIMOUS",
    "NO_QUORUM",
    "EVIDENCE_ASYMMETRY",
    "COINCIDENTAL_UNANIMITY",
    "CORRELATED_QUORUM",
    "NOT_MEASURED",
    "UNANIMITY_VERIFIED",
    "QUORUM_VERIFIED",
    "UNANIMITY_UNVERIFIED",
]
Status = Literal[
    "draft",
    "open",
    "amending",
    "unconverged",
    "conditional",
    "provisional",
    "contested",
    "escalated",
    "accepted",
    "approved_with_amendments",
    "rejected",
    "withdrawn",
    "imported",
]
Basis = Literal["vote", "amendments", "ruling", "deterministic_check", "withdrawal", "imported"]
DirectiveWord = Literal["PROCEED", "HALT", "FAIL", "WAIT", "-"]
GateName = Literal["agreement", "evidence_consensus", "reasoning_convergence", "independence"]
GateResult = Literal["passed", "failed", "pending", "not_required", "waived", "not_measured"]
VoterStance = Literal["agree", "disagree", "disagree_resolved", "abstain", "retracted", "missing"]

ENDED: frozenset[str] = frozenset(
    {"accepted", "approved_with_amendments", "rejected", "withdrawn", "imported"}
)
IN_FORCE: frozenset[str] = frozenset({"accepted", "approved_with_amendments"})
DIRECTIVES: dict[Status, DirectiveWord] = {
    "draft": "WAIT",
    "open": "WAIT",
    "amending": "WAIT",
    "unconverged": "WAIT",
    "conditional": "WAIT",
    "provisional": "HALT",
    "escalated": "HALT",
    "contested": "FAIL",
    "rejected": "FAIL",
    "withdrawn": "FAIL",
    "accepted": "PROCEED",
    "approved_with_amendments": "PROCEED",
    "imported": "-",
}


class Directive(Result, frozen=True, kw_only=True):
    """What to do, in one word and one sentence with the numbers.

    The word is `-` where nothing follows: what was imported was not decided here.
    """

    word: DirectiveWord
    sentence: str


class Lack(Result, frozen=True, kw_only=True):
    """What one member (or, for independence, one artifact) lacks at a gate."""

    who: str
    what: tuple[str, ...] = ()


class Gate(Result, frozen=True, kw_only=True):
    """One robustness gate. A gate that the class does not require is never `passed`.

    `pending` says that something is still awaited on it. `verdict` is what it fails as; a gate
    that is `not_measured` without one holds nothing up, and is never called verified.
    """

    gate: GateName
    result: GateResult
    verdict: Verdict | None = None
    detail: str
    lacks: tuple[Lack, ...] = ()

    @property
    def met(self) -> bool:
        """Whether the gate lets the decision through."""
        unmeasured = self.result == "not_measured" and self.verdict is None
        return unmeasured or self.result in ("passed", "not_required", "waived")


class ArtifactCount(Result, frozen=True, kw_only=True):
    """The independent winners of one load-bearing artifact, under the three accountings.

    `strict` are the winners that used the artifact itself, `collapsed` the groups that count
    once each, `disjoint` a largest set of winners with pairwise disjoint paths. `vias` are the
    ways of use that keep these paths apart, as their voters declare them; empty for one path.
    """

    artifact: str
    strict: tuple[str, ...]
    collapsed: tuple[tuple[str, ...], ...]
    disjoint: tuple[str, ...]
    vias: tuple[str, ...] = ()

    def size(self, accounting: Accounting) -> int:
        """How many votes on this artifact an accounting counts as independent."""
        return {
            "strict": len(self.strict),
            "collapsed": len(self.collapsed),
            "disjoint": len(self.disjoint),
        }[accounting]


class IndependenceCount(Result, frozen=True, kw_only=True):
    """Effective independent votes: the minimum over the load-bearing artifacts (section 6).

    `overlap_warning` is the mean overlap from which the class warns, `off` where it never does.
    """

    strict: int
    collapsed: int
    disjoint: int
    required: int
    accounting: Accounting
    overlap_warning: str | None = None
    artifacts: tuple[ArtifactCount, ...]

    @property
    def effective(self) -> int:
        """The count that the class's accounting names."""
        return {
            "strict": self.strict,
            "collapsed": self.collapsed,
            "disjoint": self.disjoint,
        }[self.accounting]


class VoterResult(Result, frozen=True, kw_only=True):
    """Where one voter of a round stands."""

    voter: str
    stance: VoterStance
    severity: Severity | None = None
    categories: tuple[str, ...] = ()
    vote: str | None = None
    affirmation: str | None = None


class RoundResult(Result, frozen=True, kw_only=True):
    """The result of one round, in the order of rounds."""

    number: int
    ballot: str
    outcome: Outcome
    closed: bool
    voters: tuple[VoterResult, ...]


class Evaluation(Result, frozen=True, kw_only=True):
    """Everything that follows from the files of one decision. It depends on content only.

    `ruled_over` is the doubt that a ruling accepted the text in spite of: a verdict, or the code
    of a warning.
    """

    decision: str
    title: str
    class_: str = field(name="class")
    rule: RuleName | None
    round: int
    status: Status
    outcome: Outcome | None
    verdict: Verdict | None
    basis: Basis | None
    ruled_over: str | None = None
    directive: Directive
    gates: tuple[Gate, ...]
    independence: IndependenceCount | None
    warnings: tuple[str, ...]
    rounds: tuple[RoundResult, ...]
    ballot: str | None
    transcript: str | None
    text_digest: str | None
    case: str | None = None
    manifest_digest: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing that is voted can change the status any more."""
        return self.status in ENDED


class Waiting(Result, frozen=True, kw_only=True):
    """Who must do what, with the command that does it."""

    member: str
    action: str
    command: str


def digest_evaluation(evaluation: Evaluation) -> str:
    """`manifest_digest`: over all that an evaluation says, and not over how it words it.

    Sentences (the directive's, the gates' `detail` and `lacks`, the warnings) may be worded
    better one day; what was decided keeps its digest.
    """
    plain = msgspec.to_builtins(evaluation)
    for prose in ("manifest_digest", "warnings"):
        del plain[prose]
    plain["directive"] = evaluation.directive.word
    plain["gates"] = [
        {"gate": gate.gate, "result": gate.result, "verdict": gate.verdict}
        for gate in evaluation.gates
    ]
    return digest_json(plain)
