"""The page of a decision as Markdown: MADR 4, Nygard, or by the repository's own template.

What templates are given is Markdown already, safe wherever it is put: see `accord.render.markdown`
and docs/adr.md. So a template cannot forget to escape, and no clock or order of files shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from shlex import join as join_command
from typing import Literal

from accord.model.adr import Adr, Dissent, IndexEntry, PageRound, Reference, Standing
from accord.model.evaluation import VoterResult
from accord.model.page_format import Kind, show_mark
from accord.model.paths import ADR_DIRECTORY, directory_of
from accord.model.record import Receipts
from accord.render.markdown import block, line, link
from accord.render.templates import Override, code, render_override, render_template
from accord.render.words import BASES, GATES, OUTCOMES, RESULTS, STANCES, join, tell_status

Style = Literal["madr", "nygard"]

_GAPS = re.compile(r"\n{3,}")
_VIEWS = {
    "superseded": "superseded by",
    "reversed": "reversed by",
    "under_redecision": "being decided anew by",
    "upheld": "upheld against",
}
_RELATIONS = {  # relation → what it became, and what it was to be
    "supersedes": ("Supersedes", "Was to supersede"),
    "reopens": ("Reverses", "Was to reverse"),
    "continues": ("Continues", "Continues"),
}
_HOW = {"withdrawal": "", "amendments": ", by vote"}  # where the status tells the rest
_REPLIES = {
    "addressed": "Answered: addressed",
    "rebutted": "Answered: rebutted",
    "taken_in": "Answered: taken in as an amendment",
}


def render_adr(adr: Adr, template: Style | Override) -> str:
    """The page of one decision. Raises UsageError when a template of the repository is broken."""
    values = {"front": describe_front(adr), "page": describe_page(adr)}
    name = f"adr-{template}.md.j2" if isinstance(template, str) else template
    return _fill(name, values, "page")


def render_index(entries: Sequence[IndexEntry], override: Override | None) -> str:
    """The index of all decisions, the newest first."""
    return _fill(override or "adr-index.md.j2", {"index": describe_index(entries)}, "index")


def _fill(template: str | Override, values: Mapping[str, object], kind: Kind) -> str:
    """The text, and the line that names its format: whatever a template says, it comes last."""
    if isinstance(template, str):
        text = render_template(template, **values)
    else:
        text = render_override(template, values)
    body = _GAPS.sub("\n\n", text).strip("\n")
    return f"{body}\n\n{show_mark(kind)}\n"


def describe_front(adr: Adr) -> dict[str, str]:
    """The front matter: YAML values, on one line each."""
    return {
        "status": _quote(tell_status(adr.record.status, adr.over)),
        "date": adr.record.decided_at[:10],
        "decision_makers": _quote(adr.decision_makers),
        "consulted": _quote(adr.consulted),
        "informed": _quote(adr.informed),
    }


def describe_page(adr: Adr) -> dict[str, object]:
    """All that a template may show of a decision, as Markdown."""
    record = adr.record
    return {
        "decision": code(record.decision),
        "title": line(record.title),
        "class": code(record.class_),
        "proposer": code(adr.proposer),
        "decision_makers": [code(member) for member in adr.decision_makers],
        "status": _capitalise(tell_status(adr.record.status, adr.over)),
        "context": block(adr.context),
        "options": [
            {
                "name": line(option.name),
                "pros": [line(text) for text in option.pros],
                "cons": [line(text) for text in option.cons],
            }
            for option in adr.options
        ],
        "outcome": _say_outcome(adr),
        "text_is": _say_what_text_is(adr),
        "text": block(adr.text),
        "reasons": [
            {"caption": f"{caption} of {code(said.who)}:", "text": block(said.text)}
            for caption, said in (("Reason", adr.reason), ("Synthesis", adr.synthesis))
            if said is not None
        ],
        "good": [line(text) for text in adr.consequences.good],
        "bad": [line(text) for text in adr.consequences.bad],
        "confirmation": [*_say_gates(adr), *_say_receipts(record.receipts)],
        "verify": f"`accord verify` judges the signed files, `accord show {record.decision}`"
        f" explains them, and `accord record {record.decision} --check` holds the record against"
        f" them. Manifest: {code(record.manifest_digest)}.",
        "links": list(_say_links(adr)),
        "rounds": [_describe_round(round_) for round_ in adr.rounds],
        "dissent": [_describe_dissent(dissent) for dissent in adr.dissent],
        "amendments": [
            {"caption": f"In the words of {code(said.who)}:", "text": block(said.text)}
            for said in adr.amendments
        ],
        "concerns": [f"{code(said.who)}: {line(said.text)}" for said in adr.concerns],
        "conditions": list(_say_conditions(adr)),
        "source": f"Generated by accord from {code(directory_of(record.decision))}; what is edited"
        " here is written over.",
    }


def describe_index(entries: Sequence[IndexEntry]) -> dict[str, object]:
    """All that a template may show of the index, as Markdown."""
    newest = sorted(entries, key=lambda entry: entry.page.decision, reverse=True)
    return {
        "rows": [
            {
                "date": entry.decided_at[:10],
                "decision": code(entry.page.decision),
                "title": line(entry.title),
                "link": _refer(entry.page, entry.title),
                "status": _say_standing(entry.standing),
            }
            for entry in newest
        ],
        "source": f"Generated by accord; `accord adr --index --write` writes"
        f" {code(ADR_DIRECTORY + '/index.md')} anew.",
    }


def _quote(value: str | tuple[str, ...]) -> str:
    """A value of the front matter. JSON is YAML, and nobody reads `no` in quotes as false."""
    return json.dumps(value, ensure_ascii=False)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _refer(to: Reference, title: str | None = None) -> str:
    if to.page is None:
        return code(to.decision)
    return link(title or to.decision, to.page)


def _name(who: Sequence[str]) -> str:
    return join([code(member) for member in who])


def _say_standing(standing: Standing) -> str:
    """`superseded by [id](id.md)`: the status, and what a newer decision makes of it."""
    status = tell_status(standing.status, standing.over)
    if standing.view is None or standing.by is None:
        return status
    newer = f"{_VIEWS[standing.view]} {_refer(standing.by)}"
    stands = standing.view in ("under_redecision", "upheld")
    return f"{status}, {newer}" if stands else newer


def _say_outcome(adr: Adr) -> str:
    """The status, how it came to be, and the numbers, each said once."""
    status = _capitalise(tell_status(adr.record.status, adr.over))
    basis = BASES[adr.record.basis]
    numbers = adr.sentence.removeprefix(f"{status} {basis}. ").removeprefix(f"{status}. ")
    how = "" if adr.over else _HOW.get(adr.record.basis, f", {basis}")
    return f"**{status}**{how}. {line(numbers)}"


def _say_what_text_is(adr: Adr) -> str:
    accepted = adr.record.directive == "PROCEED"
    amended = ", as amended" if adr.amendments else ""
    fate = "was decided" if accepted else "was put to the vote" if adr.rounds else "was drafted"
    return f"The text that {fate}{amended}:"


def _say_gates(adr: Adr) -> Iterator[str]:
    for gate in adr.gates:
        result, _ = RESULTS[gate.result]
        yield f"{_capitalise(GATES[gate.gate])}: {result}. {_capitalise(line(gate.detail))}."


def _say_receipts(receipts: Receipts) -> Iterator[str]:
    """The four receipts in words; who wants the digests finds them in the record."""
    votes = receipts.per_agent_vote_receipt
    consensus = receipts.cross_agent_evidence_consensus_receipt
    converged = receipts.reasoning_convergence_signature
    if votes:
        schemes = join(sorted({vote.scheme for vote in votes.values()}))
        yield f"Votes signed ({schemes}) by {_name(sorted(votes))}."
    if consensus.evidence_set is not None:
        reached = _name(consensus.reached_by)
        yield f"Evidence shared by {reached}: {code(consensus.evidence_set)}."
    if converged.transcript is not None and converged.text_digest is not None:
        yield (
            f"All votes ({code(converged.transcript)}) and the text"
            f" ({code(converged.text_digest)}) affirmed by {_name(sorted(converged.affirmations))}."
        )
    if receipts.unanimity_commitment_receipt:
        who = _name(sorted(receipts.unanimity_commitment_receipt))
        yield f"Committed not to reverse it without a new decision: {who}."


def _say_links(adr: Adr) -> Iterator[str]:
    accepted = adr.record.directive == "PROCEED"
    for older in adr.links:
        became, was_to = _RELATIONS[older.relation]
        yield f"{became if accepted else was_to} {_refer(older.to)}."


def _describe_round(round_: PageRound) -> dict[str, object]:
    closed = f" Closed: {line(round_.closed)}" if round_.closed else ""
    return {
        "summary": f"Round {round_.number}: {OUTCOMES[round_.outcome]}.{closed}",
        "voters": [_say_voter(voter) for voter in round_.voters],
    }


def _say_voter(voter: VoterResult) -> str:
    affirmed = ", affirmed" if voter.affirmation and voter.stance != "retracted" else ""
    return f"{code(voter.voter)}: {STANCES[voter.stance]}{affirmed}{_say_objection(voter)}"


def _say_objection(found: VoterResult | Dissent) -> str:
    severity = f", {found.severity}" if found.severity else ""
    categories = ", ".join(code(category) for category in found.categories)
    return f"{severity} ({categories})" if categories else severity


def _describe_dissent(dissent: Dissent) -> dict[str, object]:
    stance = "voted late" if dissent.stance == "late" else STANCES[dissent.stance]
    statements = [
        {"caption": caption, "text": block(text)} for caption, text in _list_statements(dissent)
    ]
    return {
        "caption": f"**{code(dissent.voter)}, round {dissent.round}:** {stance}"
        f"{_say_objection(dissent)}.",
        "statements": statements,
    }


def _list_statements(dissent: Dissent) -> Iterator[tuple[str, str]]:
    if dissent.rationale:
        yield "Rationale:", dissent.rationale
    if dissent.alternative:
        yield "Alternative:", dissent.alternative
    for reply in dissent.replies:
        about = f" ({code(reply.category)})" if reply.category else ""
        yield f"{_REPLIES[reply.disposition]}{about}.", reply.note or ""


def _say_conditions(adr: Adr) -> Iterator[str]:
    """What the outcome rests on besides the votes, and what limits it."""
    record = adr.record
    if adr.waiver is not None:
        why = f" {line(adr.waiver.justification)}" if adr.waiver.justification else ""
        yield f"A waiver was asked for: {adr.waiver.kind.replace('_', ' ')}.{why}"
    acknowledged = record.receipts.cross_agent_evidence_consensus_receipt.asymmetry_acknowledged_by
    if acknowledged:
        yield f"Not all read the same evidence; acknowledged by {_name(acknowledged)}."
    for warning in adr.warnings:
        yield f"Warning: {line(warning)}."
    for check in adr.checks:
        result = "passed" if check.passed else "failed"
        command = code(join_command(check.command))
        yield f"The check {code(check.name)}, run by {code(check.who)}, {result}: {command}."
    for look in adr.second_looks:
        result = "confirms" if look.confirms else "contradicts"
        yield f"A second look by {code(look.who)} {result}: {line(look.rationale)}"
    if record.overruled:
        yield f"Overruled: {_name(record.overruled)}."
    if record.never_voted:
        yield f"Never voted: {_name(record.never_voted)}."
    yield from _say_reach(adr)


def _say_reach(adr: Adr) -> Iterator[str]:
    if adr.affects:
        yield f"It governs {_name(adr.affects)}."
    if adr.enacts:
        yield f"It enacts {_name(adr.enacts)}."
