"""What to do, in one word and one sentence with the numbers (section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accord.model.evaluation import (
    DIRECTIVES,
    Basis,
    Directive,
    Gate,
    GateName,
    IndependenceCount,
    Status,
    Verdict,
)
from accord.rules.checks import CountedChecks
from accord.rules.consensus import RoundEvidence
from accord.rules.counting import CountedRound
from accord.rules.rederivations import CountedRederivations

_MENDED_BY_AFFIRMING: frozenset[Status] = frozenset({"conditional", "unconverged"})
_UNSHOWN: dict[GateName, str] = {
    "evidence_consensus": "that all have read the same evidence",
    "reasoning_convergence": "that all stand by it after reading all reasons",
}


@dataclass(frozen=True, slots=True)
class Account:
    """What a sentence may speak of."""

    round_: CountedRound
    verdict: Verdict | None
    gates: tuple[Gate, ...]
    independence: IndependenceCount | None
    evidence: RoundEvidence
    checks: CountedChecks
    rederivations: CountedRederivations
    warnings: tuple[str, ...]
    barred: str
    basis: Basis | None
    ruled_over: str | None

    @property
    def deciders(self) -> str:
        """Who can rule, in words."""
        names = self.round_.ballot.record.officers_with("decider")
        return f"ask {' or '.join(names)} to rule" if names else "withdraw it (nobody can rule)"

    @property
    def score(self) -> str:
        """How many of the roster assent."""
        return f"{len(self.round_.assenting)} of {len(self.round_.roster)} voters agree"

    def lacking(self, gate: str) -> str:
        """Who lacks something at a gate."""
        return ", ".join(
            lack.who for found in self.gates if found.gate == gate for lack in found.lacks
        )

    @property
    def unread(self) -> str:
        """Who has not read all evidence, up to the verb."""
        who = self.lacking("evidence_consensus")
        return f"{who} {'have' if ', ' in who else 'has'} not"


def direct(status: Status, account: Account) -> Directive:
    """The directive of a decision with at least one ballot."""
    word = "HALT" if _is_stuck(status, account) else DIRECTIVES[status]
    return Directive(word=word, sentence=_SENTENCES[status](account))


def _is_stuck(status: Status, account: Account) -> bool:
    """Whether affirmations would mend it, and none can come any more."""
    return status in _MENDED_BY_AFFIRMING and not account.round_.awaits_affirmations


def direct_draft(status: Status) -> Directive:
    """The directive of a decision that was never opened: a draft, or a withdrawn one."""
    sentences = {
        "draft": "The proposal is a draft; an authority opens it.",
        "withdrawn": "It was withdrawn before any round was opened.",
        "imported": "It was taken over from an older page; nobody voted on it here.",
    }
    return Directive(word=DIRECTIVES[status], sentence=sentences[status])


def _say_open(account: Account) -> str:
    waiting = [voter for voter, cast in account.round_.cast.items() if cast == "pending"]
    sealed = len([voter for voter in waiting if voter in account.round_.seals])
    voted = len(account.round_.roster) - len(waiting)
    total = len(account.round_.roster)
    if sealed:
        return f"{sealed + voted} of {total} sealed, {voted} of {total} opened."
    return f"{voted} of {total} voters have voted."


def _say_failed(account: Account) -> str:
    round_ = account.round_
    against = [f"{voter} ({_cast_words(round_, voter)})" for voter in sorted(round_.against)]
    missing = [
        f"{voter} (sealed, not opened)" if voter in round_.unopened else voter
        for voter in round_.roster
        if round_.cast[voter] == "missing"
    ]
    parts = [account.score]
    if against:
        parts.append(f"against: {', '.join(against)}")
    if missing:
        parts.append(f"without a vote: {', '.join(missing)}")
    looks = account.rederivations.contradicting
    if looks:
        parts.append(f"a second look contradicts: {', '.join(look.signer for look in looks)}")
    elif account.verdict == "COINCIDENTAL_UNANIMITY":
        parts.append(f"closed before {account.lacking('reasoning_convergence')} affirmed")
    elif account.verdict == "EVIDENCE_ASYMMETRY":
        parts.append(f"{account.unread} read all evidence")
    return "; ".join(parts)


def _cast_words(round_: CountedRound, voter: str) -> str:
    cast = round_.cast[voter]
    words = {"abstain": "abstained", "retracted": "took the vote back"}
    answer = round_.retracted.get(voter) or (round_.votes[voter] if round_.objects(voter) else None)
    categories = ", ".join(answer.record.categories) if answer else ""
    return words.get(cast, cast) + (f" {categories}" if categories else "")


def _say_contested(account: Account) -> str:
    return f"{_say_failed(account)}. Answer the objections and open the next round."


def _say_escalated(account: Account) -> str:
    if account.verdict == "CORRELATED_QUORUM" and account.independence is not None:
        return _say_correlated(account, account.independence)
    if account.verdict == "NOT_MEASURED":
        return (
            f"{account.score}, and nothing is load-bearing, so independence is not measured:"
            f" {account.deciders}."
        )
    if account.barred:
        return f"{account.score}, but {account.barred}: {account.deciders}."
    return f"{_say_failed(account)}. No round is left: {account.deciders}."


def _say_correlated(account: Account, count: IndependenceCount) -> str:
    weakest = min(count.artifacts, key=lambda found: found.size(count.accounting))
    paths = "path" if count.effective == 1 else "paths"
    return (
        f"{account.score}, but they stand on {count.effective} independent {paths} to"
        f" {weakest.artifact} (needed: {count.required}){_say_leaning(account)}."
        f" More voters do not help: {_say_remedy(account)}, or {account.deciders}."
    )


def _say_remedy(account: Account) -> str:
    failing = account.checks.failing
    if failing:
        return f"the check {', '.join(failing)} fails; mend it"
    return "run a deterministic check over it"


def _say_leaning(account: Account) -> str:
    leaning: dict[str, set[str]] = {}
    for voter in account.round_.assenting:
        for use in account.evidence.voted.get(voter, frozenset()):
            if use.kind == "claim":
                leaning.setdefault(use.artifact, set()).add(voter)
    return "".join(
        f"; {len(voters)} {'leans' if len(voters) == 1 else 'lean'} on the claim"
        f" {account.evidence.manifest.name_of(claim)}"
        for claim, voters in sorted(leaning.items())
    )


def _say_provisional(account: Account) -> str:
    if account.checks.failing:
        failing = ", ".join(account.checks.failing)
        return f"{account.score}, but the check {failing} fails: mend it, or {account.deciders}."
    why = "; ".join(account.warnings)
    return f"{account.score}, but {why}. Let a member who took no part look again."


def _say_accepted(account: Account) -> str:
    if account.basis == "ruling":
        over = f" over {account.ruled_over}" if account.ruled_over else ""
        return f"Accepted by ruling{over}. {_say_failed(account)}."
    if account.basis == "deterministic_check":
        names = ", ".join(sorted(account.checks.resolving))
        return f"{account.score}, and the check {names} settles it, however they came to agree."
    return f"{account.verdict}: {account.score}{_say_numbers(account)}."


def _say_numbers(account: Account) -> str:
    parts = [
        gate.detail
        for gate in account.gates
        if gate.result in ("passed", "waived") and gate.gate != "agreement"
    ]
    parts += [
        f"not shown: {_UNSHOWN[gate.gate]} ({gate.detail})"
        for gate in account.gates
        if gate.gate in _UNSHOWN and gate.result in ("not_required", "not_measured")
    ]
    return "".join(f"; {part}" for part in parts)


_SENTENCES: dict[Status, Callable[[Account], str]] = {
    "open": _say_open,
    "amending": lambda account: (
        "The minor objections are in the text now; every voter must affirm it"
        f" (waiting for {account.lacking('agreement')})."
        if account.round_.amendment
        else f"Minor objections of {account.lacking('agreement')} are to be taken in as amendments."
    ),
    "unconverged": lambda account: (
        f"{account.score}; not affirmed yet by {account.lacking('reasoning_convergence')}."
    ),
    "conditional": lambda account: (
        f"{account.score}, but not on the same evidence:"
        f" {account.unread} read all that the others have."
    ),
    "contested": _say_contested,
    "escalated": _say_escalated,
    "provisional": _say_provisional,
    "accepted": _say_accepted,
    "approved_with_amendments": _say_accepted,
    "rejected": lambda account: f"Rejected by ruling. {_say_failed(account)}.",
    "withdrawn": lambda account: f"Withdrawn. {account.score}.",
}
