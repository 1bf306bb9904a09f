"""What the page of a decision tells, and where decisions point to each other (section 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from accord.model.adr import (
    Adr,
    IndexEntry,
    Link,
    PageCheck,
    PageRound,
    Reference,
    Relation,
    Said,
    SecondLook,
    Standing,
)
from accord.model.evaluation import ENDED, RoundResult
from accord.model.proposal import Proposal
from accord.model.snapshot import DecisionFiles
from accord.model.succession import Succession
from accord.rules.counting import CountedRound
from accord.rules.dissent import find_dissent
from accord.rules.evaluate import Judgement
from accord.rules.record import build_record

_RELATIONS: tuple[Relation, ...] = ("supersedes", "reopens", "continues")


def has_page(judgement: Judgement) -> bool:
    """Whether a page follows from the decision: it has ended, and was taken here.

    What was imported has a page already, the one that it was taken over from.
    """
    return judgement.evaluation.status in ENDED - {"imported"}


def refer(decision: DecisionFiles, judgement: Judgement) -> Reference:
    """How pages point to a decision; paths are those from one page to the other."""
    record = decision.record.record if decision.record else None
    if has_page(judgement):
        return Reference(decision=decision.id, page=f"{decision.id}.md")
    if judgement.evaluation.status == "imported" and record is not None and record.source:
        return Reference(decision=decision.id, page=f"../../{record.source.path}")
    return Reference(decision=decision.id)


def find_named(decision: DecisionFiles, judgement: Judgement) -> tuple[str, ...]:
    """The older decisions whose pages the page of this one links to: those that had ended.

    What it continues may end later, and the page would change with it: it is named only.
    """
    links = _find_links(_latest(decision, judgement))
    return tuple(older for relation, older in links if relation != "continues")


def build_adr(
    decision: DecisionFiles,
    judgement: Judgement,
    references: Mapping[str, Reference],
) -> Adr:
    """The page of a decision that has ended.

    `references` say how to point to other decisions; who is not in it has no page. Raises
    `ValueError` when nothing follows from the decision yet.
    """
    evaluation = judgement.evaluation
    proposal = _latest(decision, judgement)
    if proposal is None or not has_page(judgement):
        raise ValueError(f"{decision.id} has no page: {evaluation.status}")
    rounds = judgement.rounds
    amendment = rounds[-1].amendment.record if rounds and rounds[-1].amendment else None
    deciding = _find_decision_makers(decision, judgement)
    consulted = _find_consulted(decision, judgement, proposal) - deciding
    officers = rounds[-1].ballot.record.officers.keys() if rounds else frozenset[str]()
    text = amendment or proposal
    return Adr(
        record=build_record(decision, judgement),
        over=evaluation.ruled_over,
        sentence=evaluation.directive.sentence,
        decision_makers=tuple(sorted(deciding)),
        consulted=tuple(sorted(consulted)),
        informed=tuple(sorted(officers - deciding - consulted)),
        proposer=proposal.proposer,
        context=proposal.context,
        text=text.text,
        options=proposal.options,
        consequences=proposal.consequences,
        waiver=rounds[-1].ballot.record.waiver if rounds else None,
        affects=proposal.affects,
        enacts=tuple(file.path for file in text.enacts),
        reason=_find_reason(decision, judgement),
        synthesis=_find_synthesis(decision, judgement),
        gates=evaluation.gates,
        warnings=evaluation.warnings,
        rounds=tuple(map(_show_round, rounds, evaluation.rounds)),
        dissent=find_dissent(judgement),
        amendments=tuple(
            Said(who=adopted.voter, text=adopted.alternative)
            for adopted in (amendment.amendments if amendment else ())
        ),
        concerns=tuple(_find_concerns(rounds[-1])) if rounds else (),
        checks=_find_checks(decision, judgement),
        second_looks=_find_second_looks(decision, judgement),
        links=tuple(
            Link(relation=relation, to=references.get(older, Reference(decision=older)))
            for relation, older in _find_links(proposal)
        ),
    )


def build_entry(
    decision: DecisionFiles,
    judgement: Judgement,
    references: Mapping[str, Reference],
    succession: Succession | None = None,
) -> IndexEntry | None:
    """The line of the index about a decision, None while it has not ended."""
    imported = decision.record.record if decision.record else None
    if has_page(judgement):
        record = build_record(decision, judgement)
    elif judgement.evaluation.status == "imported" and imported is not None:
        record = imported
    else:
        return None
    return IndexEntry(
        title=record.title,
        decided_at=record.decided_at,
        page=refer(decision, judgement),
        standing=_stand(judgement, references, succession),
    )


def _latest(decision: DecisionFiles, judgement: Judgement) -> Proposal | None:
    """The proposal that was decided on; of a withdrawn draft the draft."""
    if judgement.rounds:
        return judgement.rounds[-1].proposal.record
    draft = decision.rounds[0].draft if decision.rounds else None
    return draft.record if draft else None


def _stand(
    judgement: Judgement, references: Mapping[str, Reference], succession: Succession | None
) -> Standing:
    evaluation = judgement.evaluation
    if succession is None:
        return Standing(status=evaluation.status, over=evaluation.ruled_over)
    newer = references.get(succession.by, Reference(decision=succession.by))
    return Standing(
        status=evaluation.status, over=evaluation.ruled_over, view=succession.view, by=newer
    )


def _find_links(proposal: Proposal | None) -> Iterator[tuple[Relation, str]]:
    for relation in _RELATIONS:
        older = getattr(proposal, relation, None)
        if older is not None:
            yield relation, older


def _find_decision_makers(decision: DecisionFiles, judgement: Judgement) -> set[str]:
    """Who had the say: the voters of the last round, who ruled, who withdrew."""
    makers = set(judgement.rounds[-1].roster) if judgement.rounds else set()
    ended_by = {"ruling": decision.ruling, "withdrawal": decision.withdrawal}
    file = ended_by.get(judgement.evaluation.basis or "")
    return makers | ({file.signer} if file is not None else set())


def _find_consulted(decision: DecisionFiles, judgement: Judgement, proposal: Proposal) -> set[str]:
    """Who was heard: the proposer, earlier voters, who opened, who checked or looked again."""
    consulted = {proposal.proposer}
    for round_ in judgement.rounds:
        consulted |= {*round_.roster, round_.ballot.signer}
    files = (*decision.checks, *decision.rederivations)
    return consulted | {file.signer for file in files if file.path in judgement.counted}


def _find_reason(decision: DecisionFiles, judgement: Judgement) -> Said | None:
    basis = judgement.evaluation.basis
    if basis == "ruling" and decision.ruling is not None:
        return Said(who=decision.ruling.signer, text=decision.ruling.record.reason)
    if basis == "withdrawal" and decision.withdrawal is not None:
        return Said(who=decision.withdrawal.signer, text=decision.withdrawal.record.reason)
    return None


def _find_synthesis(decision: DecisionFiles, judgement: Judgement) -> Said | None:
    file = decision.synthesis
    if file is None or file.path not in judgement.counted:
        return None
    return Said(who=file.signer, text=file.record.text)


def _show_round(round_: CountedRound, result: RoundResult) -> PageRound:
    return PageRound(
        number=result.number,
        outcome=result.outcome,
        voters=result.voters,
        closed=round_.close.record.reason if round_.close else None,
    )


def _find_concerns(round_: CountedRound) -> Iterator[Said]:
    """What those who assent are worried about all the same."""
    for voter in sorted(round_.assenting):
        for concern in round_.votes[voter].record.concerns:
            yield Said(who=voter, text=concern.text)


def _find_checks(decision: DecisionFiles, judgement: Judgement) -> tuple[PageCheck, ...]:
    return tuple(
        PageCheck(
            name=file.record.name,
            who=file.signer,
            command=file.record.argv,
            passed=file.record.passed,
        )
        for file in decision.checks
        if file.path in judgement.counted
    )


def _find_second_looks(decision: DecisionFiles, judgement: Judgement) -> tuple[SecondLook, ...]:
    return tuple(
        SecondLook(who=file.signer, confirms=file.record.confirms, rationale=file.record.rationale)
        for file in decision.rederivations
        if file.path in judgement.counted
    )
