"""The ballot: its rules, its voters and its officers (sections 3.2 and 3.4).

A ballot is judged twice. By itself, for ever: roster, waiver, evidence. And once, in the
step in which it enters, against the policy that was in force: `ballot-not-from-policy`.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from accord.model.ballot import Ballot, Participant, Required, Rules
from accord.model.finding import Finding
from accord.model.policy import (
    GOVERNANCE,
    OVERLAP_DEFAULT,
    DecisionClass,
    Independence,
    Member,
    Policy,
    Role,
)
from accord.model.proposal import Proposal
from accord.model.snapshot import Authenticated
from accord.rules.binding import check_officer, check_place
from accord.rules.evidence import digest_manifest
from accord.rules.policy import is_retired

# These take away what the ballot asks for; the ballot itself stands.
TOLERATED: frozenset[str] = frozenset({"waiver-not-allowed", "no-load-bearing-artifact"})
OFFICES: frozenset[Role] = frozenset({"authority", "decider"})


def fill_rules(cls: DecisionClass, categories: tuple[str, ...]) -> Rules:
    """A class as a ballot copies it, with the project's categories and all defaults."""
    gates = cls.rule == "unanimity"  # a quorum has neither consensus nor convergence, ever
    require = cls.require
    return Rules(
        description=cls.description,
        rule=cls.rule,
        voters=cls.voters,
        ballots=cls.ballots,
        max_rounds=cls.max_rounds,
        require=Required(
            evidence_consensus=gates and require.evidence_consensus is not False,
            reasoning_convergence=gates and require.reasoning_convergence is not False,
            assessment=require.assessment is not False,
        ),
        waivers=cls.waivers,
        vias=cls.vias,
        anchored=cls.anchored,
        independence=_fill_independence(cls),
        merge=cls.merge,
        categories=categories,
    )


def _fill_independence(cls: DecisionClass) -> Independence | None:
    """A quorum warns of overlap unless the class says that it shall not."""
    asked = cls.independence
    if asked is None or cls.rule != "bft_quorum" or asked.overlap_warning is not None:
        return asked
    return msgspec.structs.replace(asked, overlap_warning=OVERLAP_DEFAULT)


def seat_of(member: Member) -> Participant:
    """What a ballot copies of a member."""
    return Participant(kind=member.kind, roles=member.roles)


def find_officers(policy: Policy) -> dict[str, Participant]:
    """The authorities and deciders of a policy, as a ballot copies them."""
    return {
        name: seat_of(member)
        for name, member in sorted(policy.members.items())
        if OFFICES.intersection(member.roles) and not is_retired(member)
    }


def check_ballot(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> tuple[Finding, ...]:
    """All that is wrong with a ballot by itself. A ballot with an error does not count."""
    return (
        *check_place(ballot),
        *check_place(proposal),
        *_check_proposal(ballot, proposal),
        *check_officer(ballot, ballot.record, "authority", "ballot"),
        *_check_roster(ballot, proposal),
        *_check_waiver(ballot, proposal),
        *_check_evidence(ballot, proposal),
    )


def _fault(
    ballot: Authenticated[Ballot], code: str, field: str, sentence: str, hint: str
) -> Finding:
    return Finding(code=code, path=ballot.path, field=field, message=sentence, hint=hint)


def _check_proposal(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> Iterable[Finding]:
    if ballot.record.proposal != proposal.digest:
        yield _fault(
            ballot,
            "proposal-changed",
            "proposal",
            "the proposal is not the one that this ballot froze",
            "Restore the proposal of the ballot; a changed text needs a new round.",
        )
    if ballot.record.class_ != proposal.record.class_:
        yield _fault(
            ballot,
            "class-changed",
            "class",
            f"the ballot is of class {ballot.record.class_}, the proposal of class"
            f" {proposal.record.class_}",
            "Open the round with accord open.",
        )
    if proposal.record.settles and proposal.record.class_ != GOVERNANCE:
        yield Finding(
            code="schema-invalid",
            path=proposal.path,
            field="settles",
            message="only a governance decision settles what landed past the gate",
            hint="Leave `settles` out, or propose it in class governance.",
        )
    if ballot.record.waiver != proposal.record.waiver:
        yield _fault(
            ballot,
            "ballot-mismatch",
            "waiver",
            "the waiver of the ballot is not that of the proposal",
            "Open the round with accord open.",
        )


def _check_roster(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> Iterable[Finding]:
    record = ballot.record
    seats = record.rules.voters
    if not any("challenger" in seat.roles for seat in record.voters.values()):
        yield _fault(
            ballot,
            "challenger-missing",
            "voters",
            "no voter of this ballot is a challenger",
            "The challenger takes part in every round: open the round with one.",
        )
    if not seats.min <= len(record.voters) <= seats.max:
        wanted = str(seats.min) if seats.min == seats.max else f"{seats.min} to {seats.max}"
        yield _fault(
            ballot,
            "voter-count",
            "voters",
            f"the ballot has {len(record.voters)} voters, the class asks for {wanted}",
            "Open the round with as many voters as the class asks for.",
        )
    for voter, seat in sorted(record.voters.items()):
        if voter not in seats.eligible or not {"voter", "challenger"}.intersection(seat.roles):
            yield _fault(
                ballot,
                "voter-not-eligible",
                f"voters.{voter}",
                f"{voter} may not vote in this class",
                f"Eligible are {', '.join(seats.eligible)}.",
            )
    for code, member, what in (
        ("proposer-votes", proposal.record.proposer, "made the proposal"),
        ("opener-votes", record.opened_by, "opened the round"),
    ):
        if member in record.voters:
            yield _fault(
                ballot,
                code,
                f"voters.{member}",
                f"{member} {what} and is on the roster",
                "Who proposes or opens does not vote; open the round without this voter.",
            )


def find_waiver_fault(ballot: Ballot, proposal: Proposal) -> str:
    """Why the waiver of a ballot waives nothing; "" when it holds, or when there is none."""
    waiver = ballot.waiver
    if waiver is None:
        return ""
    if waiver.kind not in ballot.rules.waivers:
        return f"the class does not allow the waiver {waiver.kind}"
    if waiver.kind == "trivially_reversible" and proposal.reversibility != "trivial":
        return f"the proposal calls itself {proposal.reversibility} to reverse"
    if waiver.kind == "path_independent" and waiver.check not in {
        check.name for check in proposal.checks
    }:
        return "the waiver names no check of the proposal"
    return ""


def _check_waiver(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> Iterable[Finding]:
    fault = find_waiver_fault(ballot.record, proposal.record)
    if fault:
        yield _fault(
            ballot,
            "waiver-not-allowed",
            "waiver.kind",
            f"{fault}; convergence is not waived",
            "Leave the waiver out, or change what it claims, in a new round.",
        )


def _check_evidence(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> Iterable[Finding]:
    manifest = proposal.record.evidence
    if ballot.record.evidence_set != digest_manifest(manifest):
        yield _fault(
            ballot,
            "ballot-mismatch",
            "evidence_set",
            "evidence_set is not the digest of the proposal's manifest",
            "Open the round with accord open.",
        )
    weighty = any(entry.load_bearing and entry.kind == "primary" for entry in manifest)
    if ballot.record.rules.independence is not None and not weighty:
        yield _fault(
            ballot,
            "no-load-bearing-artifact",
            "rules.independence",
            "the class counts independent evidence, and nothing in the proposal is load-bearing",
            "Mark the primary artifacts on which the decision rests with load_bearing: true.",
        )


def check_against_policy(ballot: Authenticated[Ballot], policy: Policy) -> tuple[Finding, ...]:
    """Whether a ballot that enters copies the policy in force, and belongs to its project."""
    record = ballot.record
    cls = policy.classes.get(record.class_)
    expected = {
        "rules": fill_rules(cls, policy.categories) if cls else None,
        "voters": {
            voter: seat_of(policy.members[voter])
            for voter in sorted(record.voters)
            if voter in policy.members
        },
        "officers": find_officers(policy),
    }
    findings = [
        _fault(
            ballot,
            "ballot-not-from-policy",
            field,
            f"{field} of the ballot are not those of the policy that is in force",
            "Open the round with accord open; who wants other rules changes the policy first.",
        )
        for field, value in expected.items()
        if getattr(record, field) != value
    ]
    return (*findings, *check_project(ballot, policy))


def check_project(ballot: Authenticated[Ballot], policy: Policy) -> tuple[Finding, ...]:
    """Whether a ballot belongs to the project of a policy. A project id never changes."""
    if ballot.record.project == policy.project:
        return ()
    return (
        _fault(
            ballot,
            "wrong-project",
            "project",
            "the ballot was opened in another project",
            "A decision cannot be copied between projects; propose it here.",
        ),
    )
