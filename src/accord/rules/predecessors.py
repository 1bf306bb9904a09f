"""What an older decision hands down to one that continues, reopens or supersedes it (section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from accord.model.evaluation import IN_FORCE, Evaluation
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.proposal import Proposal
from accord.model.snapshot import Predecessor
from accord.rules.claims import is_statement
from accord.rules.counting import CountedRound
from accord.rules.evidence import key_of
from accord.rules.rounds import check_roster_holds, find_dissenters, find_silenced

FAILED: frozenset[str] = frozenset({"rejected", "withdrawn", "escalated"})


def digest_text(text: str) -> str:
    """The digest by which a text that was put to the vote is known again."""
    return digest_bytes(text.encode())


def check_predecessors(
    round_: CountedRound, predecessors: Mapping[str, Predecessor]
) -> tuple[Finding, ...]:
    """What the older decisions forbid a ballot that enters.

    Asked once: what becomes of them later undoes nothing that was opened by their leave.
    """
    return (
        *_check_proposed_before(round_, predecessors),
        *_check_continued(round_, predecessors),
        *_check_reversal(round_, predecessors),
    )


def find_chain(
    names: Iterable[str | None], predecessors: Mapping[str, Predecessor]
) -> tuple[Predecessor, ...]:
    """Older decisions, and what they continue, and so on: each once, the named ones first."""
    found: dict[str, Predecessor] = {}
    pending = [name for name in names if name is not None]
    while pending:
        older = predecessors.get(pending.pop(0))
        if older is not None and older.id not in found:
            found[older.id] = older
            pending += sorted(older.continues)
    return tuple(found.values())


def find_family(
    continued: str | None, predecessors: Mapping[str, Predecessor]
) -> tuple[Predecessor, ...]:
    """All that is named by naming one: its chain, and what else failed that continues any of it."""
    chain = find_chain((continued,), predecessors)
    ids = {older.id for older in chain}
    branches = [
        older
        for _, older in sorted(predecessors.items())
        if older.status in FAILED and older.id not in ids
    ]
    return (
        *chain,
        *(
            older
            for older in branches
            if ids.intersection(one.id for one in find_chain((older.id,), predecessors))
        ),
    )


def inherit_dissenters(
    proposal: Proposal, predecessors: Mapping[str, Predecessor]
) -> frozenset[str]:
    """Whom a ballot that enters has to ask again, because they dissented before; late ones too."""
    family = find_family(proposal.continues, predecessors)
    return frozenset().union(*(older.dissenters for older in family))


def inherit_voters(proposal: Proposal, predecessors: Mapping[str, Predecessor]) -> frozenset[str]:
    """Who decided what a ballot that enters would decide anew, and is asked again."""
    redone = (predecessors.get(name or "") for name in (proposal.reopens, proposal.supersedes))
    return frozenset().union(*(older.voters for older in redone if older is not None))


def _fault(round_: CountedRound, code: str, field: str, sentence: str, hint: str) -> Finding:
    return Finding(code=code, path=round_.proposal.path, field=field, message=sentence, hint=hint)


def _check_proposed_before(
    round_: CountedRound, predecessors: Mapping[str, Predecessor]
) -> Iterator[Finding]:
    proposal = round_.proposal.record
    redone = find_chain((proposal.reopens, proposal.supersedes), predecessors)
    named = {older.id for older in (*redone, *find_family(proposal.continues, predecessors))}
    text = digest_text(proposal.text)
    for older in sorted(predecessors.values(), key=lambda older: older.id):
        if older.status in FAILED and text in older.texts and older.id not in named:
            yield _fault(
                round_,
                "proposed-before",
                "text",
                f"this text was put to the vote in {older.id}, which is {older.status}",
                f"Name it: continues: {older.id}. Its dissenters then are on the roster.",
            )


def _check_continued(
    round_: CountedRound, predecessors: Mapping[str, Predecessor]
) -> Iterator[Finding]:
    proposal = round_.proposal.record
    if proposal.continues is None:
        return
    older = predecessors.get(proposal.continues)
    if older is None or older.status not in FAILED:
        yield _fault(
            round_,
            "proposed-before",
            "continues",
            f"{proposal.continues} is not a decision that was refused, withdrawn or escalated",
            "Name the decision whose failed text this one takes up, or leave `continues` out.",
        )
        return
    dissenters = inherit_dissenters(proposal, predecessors)
    yield from check_roster_holds(dissenters, round_, "dissenter-dropped", "dissented")
    for one in find_family(proposal.continues, predecessors):
        # Another name or place for the same bytes is the same evidence.
        same = (
            round_.ballot.record.evidence_set == one.evidence_set
            or {key_of(entry) for entry in proposal.evidence} == one.evidence
        )
        if one.verdict == "CORRELATED_QUORUM" and same:
            yield _fault(
                round_,
                "only-voters-added",
                "evidence",
                f"{one.id} failed because its votes stood on one source, and this is the same one",
                "Bring other primary evidence, or a deterministic check; more voters do not help.",
            )


def _check_reversal(
    round_: CountedRound, predecessors: Mapping[str, Predecessor]
) -> Iterator[Finding]:
    proposal = round_.proposal.record
    for field in ("reopens", "supersedes"):
        target = getattr(proposal, field)
        if target is None:
            continue
        older = predecessors.get(target)
        if older is None or older.status not in IN_FORCE | {"rejected"}:
            yield _fault(
                round_,
                "reopens-invalid",
                field,
                f"{target} is not a decision of this repository that has been decided",
                "Only what was accepted or rejected can be decided anew.",
            )
            continue
        yield from _check_against(round_, field, older)


def _check_against(round_: CountedRound, field: str, older: Predecessor) -> Iterator[Finding]:
    proposal = round_.proposal.record
    evidence = {
        entry.digest
        for entry in proposal.evidence
        if entry.kind == "primary" and entry.digest and not is_statement(entry.artifact)
    }
    faults = {
        f"{older.id} was of class {older.class_}": (
            proposal.class_ != older.class_,
            "Decide it anew by the rules it was decided by.",
        ),
        f"it brings no evidence that {older.id} lacked": (
            not evidence - older.evidence,
            "Add the primary evidence that has come up since.",
        ),
        f"{older.id} is being decided anew already, by {', '.join(sorted(older.redecided_by))}": (
            bool(older.redecided_by),
            "One at a time: finish or withdraw that one first.",
        ),
    }
    for sentence, (broken, hint) in faults.items():
        if broken:
            yield _fault(round_, "reopens-invalid", field, sentence, hint)
    # Only who is still eligible has to be asked again; `left_out` is about dissenters.
    ballot = round_.ballot.record
    still = older.voters.intersection(ballot.rules.voters.eligible)
    able = still - {proposal.proposer, ballot.opened_by}
    yield from check_roster_holds(able, round_, "reopens-invalid", f"voted on {older.id}")


def find_bar(round_: CountedRound, predecessors: Mapping[str, Predecessor]) -> str:
    """Why votes cannot decide: what ended by a ruling is undone only by a ruling."""
    proposal = round_.proposal.record
    for target in (proposal.reopens, proposal.supersedes):
        older = predecessors.get(target or "")
        if older is not None and older.basis == "ruling":
            return f"{older.id} ended by a ruling, and only a ruling undoes it"
    return ""


def find_inherited(round_: CountedRound, predecessors: Mapping[str, Predecessor]) -> frozenset[str]:
    """Who voted against what this one continues, all along. Late votes change nothing here."""
    chain = find_chain((round_.proposal.record.continues,), predecessors)
    return frozenset().union(*(older.opposed for older in chain))


def _find_opposed(round_: CountedRound) -> frozenset[str]:
    """Whose counted vote is no agreement: no answer that comes later changes that."""
    votes = round_.votes.items()
    return round_.incomplete | {voter for voter, vote in votes if vote.record.vote != "agree"}


def hand_down(
    decision: str,
    evaluation: Evaluation,
    rounds: tuple[CountedRound, ...],
) -> Predecessor:
    """What a decision hands down to those that name it; what decides it anew is not asked."""
    last = rounds[-1] if rounds else None
    texts = {round_.proposal.record.text for round_ in rounds}
    texts |= {round_.amendment.record.text for round_ in rounds if round_.amendment}
    return Predecessor(
        id=decision,
        class_=evaluation.class_,
        status=evaluation.status,
        basis=evaluation.basis,
        verdict=evaluation.verdict,
        texts=frozenset(digest_text(text) for text in texts),
        evidence_set=last.ballot.record.evidence_set if last else None,
        evidence=frozenset(
            key_of(entry) for round_ in rounds for entry in round_.proposal.record.evidence
        ),
        dissenters=find_dissenters(rounds) | find_silenced(rounds),
        opposed=frozenset().union(*(_find_opposed(round_) for round_ in rounds)),
        voters=frozenset(last.roster if last else ()),
        continues=frozenset(
            round_.proposal.record.continues
            for round_ in rounds
            if round_.proposal.record.continues is not None
        ),
    )
