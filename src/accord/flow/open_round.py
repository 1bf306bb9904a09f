"""`open`: an authority freezes the proposal, and puts it to the vote (sections 3.4 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from accord.errors import Refused, UsageError
from accord.flow.drafts import UNWRITTEN
from accord.flow.identity import find_all
from accord.flow.publish import (
    Change,
    Once,
    Published,
    Saving,
    alone,
    publish,
    sign_bytes,
    sign_record,
)
from accord.flow.session import Session
from accord.model.ballot import PROTOCOL, Ballot, LeftOut, Previous
from accord.model.finding import find_errors
from accord.model.ids import digest_bytes
from accord.model.paths import path_of
from accord.model.policy import Policy
from accord.model.proposal import Proposal
from accord.rules.artifacts import check_artifacts
from accord.rules.counting import CountedRound, affirmation_digests
from accord.rules.evidence import digest_manifest
from accord.rules.predecessors import inherit_dissenters, inherit_voters
from accord.rules.roster import fill_rules, find_officers, seat_of
from accord.rules.rounds import find_dissenters, find_silenced
from accord.signing.base import Signer
from accord.store.load import load_decision
from accord.store.parse import parse_file
from accord.store.state import Slot
from accord.store.tree import read_plain
from accord.store.writer import dump
from accord.verify.report import place_findings


@dataclass(frozen=True, slots=True)
class Draft:
    """The proposal as it is typed in the working directory, and its bytes."""

    proposal: Proposal
    path: str
    data: bytes


def load_draft(session: Session, decision: str, number: int) -> Draft:
    """The draft of a round.

    Raises UsageError when there is none or it belongs elsewhere, Refused when it is broken.
    """
    path = path_of("proposal", decision, round_number=number)
    file = session.root / path
    if file.is_symlink() or not file.is_file():
        raise UsageError(
            f"there is no {path} to open",
            f"`accord revise {decision}` drafts the next round"
            if number > 1
            else "`accord propose` drafts one",
        )
    data = file.read_bytes()
    record, findings = parse_file(data, path, "proposal")
    if not isinstance(record, Proposal):
        raise Refused("the proposal cannot be read", findings, "Mend the draft, then open again.")
    _refuse_misplaced(record, path, {"decision": decision, "round": number})
    return Draft(record, path, data)


def _refuse_misplaced(proposal: Proposal, path: str, place: Mapping[str, object]) -> None:
    for field, value in place.items():
        if getattr(proposal, field) != value:
            raise UsageError(
                f"{path} says {field}: {getattr(proposal, field)}, not {value}",
                "a draft is signed by its proposer, for the decision and round that it stands in",
            )


def next_number(rounds: Sequence[CountedRound]) -> int:
    """The number of the round that comes next."""
    return len(rounds) + 1


def open_round(
    session: Session,
    decision: str,
    opener: Signer,
    voters: Sequence[str],
    saving: Saving,
) -> Published:
    """Open the next round on the draft in the working directory.

    `voters` empty means: all who are eligible, as many as the class allows. The draft is signed
    again by its proposer if it was edited and the key is at hand. Raises UsageError or Refused.
    """
    with alone(session, f"open {decision}") as here:
        return publish(here, _open(here, decision, opener, voters), saving)


def _open(session: Session, decision: str, opener: Signer, voters: Sequence[str]) -> Change:
    rounds = session.require("open", decision).rounds
    number = next_number(rounds)
    draft = load_draft(session, decision, number)
    _refuse_unwritten(draft)
    _refuse_bad_evidence(session, draft)
    policy = session.policy
    if draft.proposal.class_ not in policy.classes:
        raise UsageError(
            f"there is no class {draft.proposal.class_} in the policy",
            f"the classes are {', '.join(sorted(policy.classes))}",
        )
    handed = session.hand_to(decision, draft.proposal)
    own = find_dissenters(rounds) | find_silenced(rounds)
    dissenters = own | inherit_dissenters(draft.proposal, handed)
    asked = dissenters | inherit_voters(draft.proposal, handed)
    roster = _choose_roster(policy, draft.proposal, opener.member, rounds, voters, asked)
    ballot = Ballot(
        project=policy.project,
        protocol=PROTOCOL,
        decision=decision,
        round=number,
        opened_by=opener.member,
        opened_at=session.clock(),
        proposal=digest_bytes(draft.data),
        class_=draft.proposal.class_,
        rules=fill_rules(policy.classes[draft.proposal.class_], policy.categories),
        voters={voter: seat_of(policy.members[voter]) for voter in sorted(roster)},
        officers=find_officers(policy),
        evidence_set=digest_manifest(draft.proposal.evidence),
        waiver=draft.proposal.waiver,
        left_out=_find_left_out(policy, draft.proposal, dissenters, roster),
        previous=_find_previous(rounds),
    )
    path = path_of("round", decision, round_number=number)
    data = dump(ballot, "round")
    files = _sign_draft(session, draft, opener) | sign_record(ballot, "round", path, opener)
    once = Once("round", Slot(decision, number), digest_bytes(data))
    return Change(decision, f"{decision}: open round {number}", files, (once,))


def _refuse_unwritten(draft: Draft) -> None:
    for field in ("context", "text"):
        if getattr(draft.proposal, field).strip() == UNWRITTEN:
            raise UsageError(
                f"the {field} of the proposal is not written yet",
                f"write it in {draft.path}, then open the round",
            )


def _refuse_bad_evidence(session: Session, draft: Draft) -> None:
    own = load_decision(session.tree, draft.proposal.decision).evidence
    sources = session.sources(session.tree)
    findings, _ = check_artifacts(draft.proposal, draft.path, own, sources.means.find_artifact)
    errors = find_errors(findings)
    if errors:
        raise Refused(
            "the evidence is not what the proposal lists",
            place_findings(session.tree, errors),
            "Mend the manifest, or put the files below evidence/ and stage them (git add).",
        )


def _sign_draft(session: Session, draft: Draft, opener: Signer) -> dict[str, bytes]:
    """The draft as it stands, signed by its proposer where the key is at hand.

    Else what the proposer has staged has to do; the rules say whether its signature is good.
    """
    signers = {**find_all(session), opener.member: opener}
    proposer = signers.get(draft.proposal.proposer)
    if proposer is not None:
        signed = sign_bytes(draft.data, draft.path, proposer)
        return {path: data for path, data in signed.items() if not _is_staged(session, path, data)}
    if _is_staged(session, draft.path, draft.data):
        return {}
    raise UsageError(
        f"the draft was edited after {draft.proposal.proposer} signed it",
        f"{draft.proposal.proposer} signs it again: accord propose {draft.proposal.decision}",
    )


def _is_staged(session: Session, path: str, data: bytes) -> bool:
    return read_plain(session.tree, path) == data


def _choose_roster(
    policy: Policy,
    proposal: Proposal,
    opener: str,
    rounds: Sequence[CountedRound],
    voters: Sequence[str],
    asked: Set[str],
) -> tuple[str, ...]:
    """The voters: those named; else who has to be asked, challengers, then who is eligible."""
    for voter in voters:
        if voter not in policy.members:
            raise UsageError(
                f"{voter} is no member of this project",
                f"the members are {', '.join(sorted(policy.members))}",
            )
    if voters:
        return tuple(voters)
    seats = policy.classes[proposal.class_].voters
    able = [name for name in seats.eligible if name not in (proposal.proposer, opener)]
    before = {voter for round_ in rounds[-1:] for voter in round_.roster}

    def rank(name: str) -> tuple[bool, bool, bool]:
        challenger = "challenger" in policy.members[name].roles
        return name not in asked, not challenger, name not in before

    return tuple(sorted(able, key=rank)[: seats.max])


def _find_left_out(
    policy: Policy, proposal: Proposal, dissenters: Set[str], roster: Sequence[str]
) -> tuple[LeftOut, ...]:
    eligible = policy.classes[proposal.class_].voters.eligible
    gone = sorted(dissenters - set(roster) - set(eligible))
    return tuple(LeftOut(voter=voter, reason="no longer eligible in this class") for voter in gone)


def _find_previous(rounds: Sequence[CountedRound]) -> Previous | None:
    if not rounds:
        return None
    last = rounds[-1]
    return Previous(
        ballot=last.ballot.digest,
        votes={vote.record.voter: vote.digest for vote in (*last.votes.values(), *last.late)},
        affirmations=affirmation_digests(last),
        close=last.close.digest if last.close else None,
        resolution=last.files.resolution.digest if last.files.resolution else None,
    )
