"""Who may take a proposal back, and when (section 7)."""

from __future__ import annotations

from accord.model.escalation import Withdrawal
from accord.model.finding import Finding
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.binding import check_bindings, check_place
from accord.rules.counting import CountedRound


def count_withdrawal(
    decision: DecisionFiles, rounds: tuple[CountedRound, ...]
) -> tuple[Authenticated[Withdrawal] | None, tuple[Finding, ...]]:
    """The withdrawal if its signer may, and what is wrong with it otherwise.

    It binds to any ballot that counts, not only to the latest: what was taken back stays so,
    whatever is opened on top of it.
    """
    withdrawal = decision.withdrawal
    if withdrawal is None:
        return None, ()
    bound = {round_.ballot.digest: round_ for round_ in rounds}.get(withdrawal.record.ballot or "")
    latest = rounds[-1] if rounds else None
    round_ = bound or latest
    able = find_able(decision, round_)
    findings = [
        *check_place(withdrawal),
        *check_bindings(
            withdrawal, {"ballot": round_.ballot.digest if round_ else None}, "stale-file"
        ),
    ]
    if withdrawal.signer not in able:
        findings.append(
            Finding(
                code="signer-lacks-role",
                path=withdrawal.path,
                message=f"{withdrawal.signer} neither made the proposal nor is an authority"
                if round_
                else f"{withdrawal.signer} did not make the proposal, and no round is open yet",
                hint=f"Only {' or '.join(sorted(able)) or 'nobody yet'} can withdraw it"
                + ("." if round_ else "; a draft that nobody wants can simply be deleted."),
            )
        )
    return (None if findings else withdrawal), tuple(findings)


def find_able(decision: DecisionFiles, round_: CountedRound | None) -> frozenset[str]:
    """Who may take back what was put to the vote in a round; without one, whose draft it is.

    A ballot says who its authorities are; before there is one only the proposer can.
    """
    if round_ is None:
        return _find_proposers(decision)
    able = round_.ballot.record.officers_with("authority")
    return frozenset({*able, round_.proposal.record.proposer})


def _find_proposers(decision: DecisionFiles) -> frozenset[str]:
    """Whose draft it is. Once a round is open an unsigned draft of the next gives no right."""
    return frozenset(
        file.record.proposer
        for files in decision.rounds[:1]
        for file in (files.draft, files.proposal)
        if file is not None
    )
