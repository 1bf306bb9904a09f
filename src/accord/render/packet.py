"""What a voter is given: everything it needs for its next step, and nothing else (section 10).

Text of others stands in fenced blocks only; the voter's task comes last.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from shlex import join, quote

from accord.model.evidence import ManifestEntry, UsedEvidence, is_uri
from accord.model.proposal import Proposal
from accord.model.resolution import ObjectionAnswer
from accord.model.vote import Vote
from accord.render.templates import fence, render_template

Named = tuple[str, str]  # a caption, and somebody's text


@dataclass(frozen=True, slots=True)
class Item:
    """One artifact or claim, and how to open it. `redacted`: nobody can open it any more."""

    id: str
    artifact: str
    revision: str = ""
    digest: str = ""
    side: str = ""
    blob: str = ""
    load_bearing: bool = False
    text: str = ""
    read: bool = False
    claims: tuple[Item, ...] = ()
    redacted: bool = False

    @property
    def name(self) -> str:
        """What people call it: its id in the manifest, else its path."""
        return self.id or self.artifact

    @property
    def opening(self) -> str:
        """The command that prints its bytes; "" for what is not in the repository."""
        if self.redacted or is_uri(self.artifact):
            return ""
        if self.blob:
            return f"git cat-file blob {self.blob}"
        place = f"{self.revision}:{self.artifact}"
        return f"git cat-file blob {quote(place)}"

    @property
    def entry(self) -> str:
        """How a vote or affirmation lists it, as YAML on one line."""
        if self.id:
            return self.id
        parts = {"artifact": self.artifact, "revision": self.revision, "digest": self.digest}
        told = [f"{name}: {json.dumps(value)}" for name, value in parts.items() if value]
        return "{" + ", ".join(told) + "}"


@dataclass(frozen=True, slots=True)
class Objection:
    """What one voter of an earlier round objected, and the answers to it.

    `decision` is set where it was said in an older decision, which this one takes up.
    """

    voter: str
    round: int
    answer: str
    texts: tuple[Named, ...]
    answers: tuple[ObjectionAnswer, ...]
    decision: str = ""


@dataclass(frozen=True, slots=True)
class VotePacket:
    """What a voter sees until all votes are open. No vote of this round is in it."""

    decision: str
    round: int
    voter: str
    ballot: str
    proposer: str
    class_name: str
    rule: str
    reversibility: str
    roster: str
    title: str
    context: str
    text: str
    details: tuple[Named, ...]
    enacted: str
    objections: tuple[Objection, ...]
    changes: str
    evidence: tuple[Item, ...]
    other_claims: tuple[Item, ...]
    assessment: bool
    challenger: bool
    agent: bool
    vias: str
    categories: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class OpenVote:
    """One vote, when all are open."""

    voter: str
    answer: str
    texts: tuple[Named, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AffirmationPacket:
    """What a voter sees when all votes are open."""

    decision: str
    round: int
    voter: str
    ballot: str
    transcript: str
    text_digest: str
    title: str
    text: str
    amended_by: str
    changes: str
    enacted: str
    votes: tuple[OpenVote, ...]
    evidence: tuple[Item, ...]
    listed: tuple[Item, ...]
    categories: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class RederivationPacket:
    """What a member sees that looks again: no vote, and no claim.

    `situation` says why another look is asked for.
    """

    decision: str
    round: int
    member: str
    situation: str
    ballot: str
    text_digest: str
    title: str
    context: str
    text: str
    details: tuple[Named, ...]
    enacted: str
    evidence: tuple[Item, ...]
    vias: str
    agent: bool


@dataclass(frozen=True, slots=True)
class RulingPacket:
    """What a decider sees before ruling; `author` is "" while there is no synthesis.

    `situation` says why voting alone decides nothing, `authorities` who writes the synthesis.
    """

    decision: str
    round: int
    member: str
    situation: str
    authorities: str
    author: str
    synthesis: str
    title: str
    context: str
    text: str
    votes: tuple[OpenVote, ...]
    silent: str
    directive: str
    enacted: str
    evidence: tuple[Item, ...]


def render_vote_packet(packet: VotePacket) -> str:
    """The packet as Markdown."""
    return render_template("packet-vote.md.j2", p=packet)


def render_vote_form(packet: VotePacket, digest: str, claims: tuple[str, ...]) -> str:
    """An empty vote file, no evidence filled in; `claims` are those that the packet shows."""
    return render_template("vote.yaml.j2", p=packet, digest=digest, claims=claims)


def render_affirmation_packet(packet: AffirmationPacket) -> str:
    """The packet as Markdown."""
    return render_template("packet-affirmation.md.j2", p=packet)


def render_affirmation_form(packet: AffirmationPacket) -> str:
    """An affirmation to fill in."""
    return render_template("affirmation.yaml.j2", p=packet)


def render_rederivation_packet(packet: RederivationPacket) -> str:
    """The packet as Markdown."""
    return render_template("packet-rederivation.md.j2", p=packet)


def render_rederivation_form(packet: RederivationPacket) -> str:
    """A second look to fill in."""
    return render_template("rederivation.yaml.j2", p=packet)


def render_ruling_packet(packet: RulingPacket) -> str:
    """The packet as Markdown. A decider fills nothing in: `accord rule` asks."""
    return render_template("packet-ruling.md.j2", p=packet)


def print_packet(text: str, name: str, form: str) -> str:
    """A packet and its file, if it has one, on one page: it ends where the file begins."""
    if not form:
        return text
    return f"{text}\n## {name}\n\n{fence(form, 'yaml')}\n"


def item_of(entry: ManifestEntry | UsedEvidence, redacted: Collection[str] = ()) -> Item:
    """A manifest entry, or what a voter found itself, as an item of a packet.

    `redacted` are the paths of evidence whose bytes were taken out.
    """
    return Item(
        id=entry.id or "",
        artifact=entry.artifact or "",
        revision=entry.revision or "",
        digest=entry.digest or "",
        side=getattr(entry, "side", None) or "",
        blob=getattr(entry, "blob", None) or "",
        load_bearing=entry.load_bearing or False,
        text=getattr(entry, "text", None) or "",
        redacted=entry.artifact in redacted,
    )


def describe_proposal(proposal: Proposal) -> tuple[Named, ...]:
    """What else a proposal says, each part under its caption."""
    parts = (
        ("The change that it is about", "\n".join(_describe_change(proposal))),
        ("Options that were considered", "\n".join(_describe_options(proposal))),
        ("Consequences", "\n".join(_describe_consequences(proposal))),
        ("Checks that it declares", "\n".join(_describe_checks(proposal))),
        ("What it would bind", "\n".join(_describe_bonds(proposal))),
    )
    return tuple((caption, text) for caption, text in parts if text)


def describe_vote(vote: Vote) -> tuple[Named, ...]:
    """The texts of a vote, each under its caption."""
    reasoning = vote.reasoning.text if vote.reasoning else None
    concerns = [
        f"- {'(blocking) ' if concern.blocking else ''}{concern.text}" for concern in vote.concerns
    ]
    parts = (
        ("Rationale", vote.rationale),
        ("Reasoning", reasoning if reasoning != vote.rationale else None),
        ("Concerns", "\n".join(concerns)),
        ("Alternative", vote.alternative),
        ("Assessment", "\n".join(_describe_assessment(vote))),
    )
    return tuple((caption, text) for caption, text in parts if text)


def describe_answer(vote: Vote) -> str:
    """`disagree, major: YAGNI, SCOPE_CREEP`."""
    answer = f"{vote.vote}, {vote.severity}" if vote.severity else vote.vote
    return f"{answer}: {', '.join(vote.categories)}" if vote.categories else answer


def describe_use(entry: UsedEvidence) -> str:
    """How a vote used one artifact, on one line."""
    name = entry.id or entry.artifact or entry.digest or ""
    lines = f", lines {entry.lines}" if entry.lines else ""
    marks = ", marked as a claim" if entry.kind == "claim" else ""
    return f"{name} ({entry.via}{lines}{marks})"


def diff_text(before: str, after: str) -> str:
    """What changed in a text, line by line; "" when nothing did."""
    return "\n".join(
        unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=9)
    )


def _describe_change(proposal: Proposal) -> Iterator[str]:
    """Both sides of a change, each with the command that checks it out beside this repository."""
    if proposal.change is not None:
        for side, commit in (("base", proposal.change.base), ("head", proposal.change.head)):
            folder = quote(f"../{proposal.decision}-{side}")
            yield f"{side}: git worktree add --detach {folder} {commit}"


def _describe_options(proposal: Proposal) -> Iterator[str]:
    for option in proposal.options:
        yield option.name
        yield from (f"  + {text}" for text in option.pros)
        yield from (f"  - {text}" for text in option.cons)


def _describe_consequences(proposal: Proposal) -> Iterator[str]:
    yield from (f"+ {text}" for text in proposal.consequences.good)
    yield from (f"- {text}" for text in proposal.consequences.bad)


def _describe_checks(proposal: Proposal) -> Iterator[str]:
    for check in proposal.checks:
        yield f"{check.name}: {join(check.argv)} (exit {check.expected_exit} is expected)"


def _describe_bonds(proposal: Proposal) -> Iterator[str]:
    yield from (f"it would govern {glob}" for glob in proposal.affects)
    yield from (f"it would enact {file.path}, {file.digest}" for file in proposal.enacts)
    if proposal.waiver is not None:
        why = f": {proposal.waiver.justification}" if proposal.waiver.justification else ""
        yield f"it asks to waive convergence as {proposal.waiver.kind}{why}"
    for word, older in (
        ("supersedes", proposal.supersedes),
        ("reopens", proposal.reopens),
        ("continues", proposal.continues),
    ):
        if older:
            yield f"it {word} {older}"


def _describe_assessment(vote: Vote) -> Iterator[str]:
    if vote.assessment is None:
        return
    for name in ("testability", "workflow_integration", "incremental_verifiability"):
        rated = getattr(vote.assessment, name)
        if rated is not None:
            note = f" ({rated.note})" if rated.note else ""
            yield f"{name.replace('_', ' ')}: {rated.rating}{note}"
