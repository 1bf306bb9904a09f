"""What would have been: a decision judged again under another assumption (section 10).

What counted in the decision counts here too; only the assumption is changed. A ruling and a
withdrawal are left out: the question is what votes and checks alone would have given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from accord.errors import UsageError
from accord.model.ballot import Rules
from accord.model.evaluation import Evaluation
from accord.model.policy import OVERLAP_DEFAULT, Accounting, Independence
from accord.model.snapshot import DecisionFiles, Settled
from accord.rules.consensus import read_evidence
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement, evaluate_counted
from accord.rules.evidence import identify
from accord.rules.rederivations import find_listed
from accord.rules.tally import Cast, tally


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is taken to have been otherwise; what is None or empty was as it was.

    `without` are ids of claims of the manifest, and voters; `rules` those of another policy.
    """

    without: Sequence[str] = ()
    accounting: Accounting | None = None
    f: int | None = None
    rules: Rules | None = None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What votes and checks would have given, and what was assumed for it, in sentences."""

    evaluation: Evaluation
    assumed: tuple[str, ...]


def replay(decision: DecisionFiles, judgement: Judgement, assumption: Assumption) -> WhatIf:
    """Judge the rounds of a decision again under an assumption.

    Raises UsageError when no ballot counts, and for a name that is neither a claim of the
    manifest nor a voter.
    """
    if not judgement.rounds:
        raise UsageError(
            f"{decision.id} was never put to the vote, so there is nothing to replay",
            f"`accord show {decision.id}` says where it stands",
        )
    rounds = tuple(_under_rules(round_, assumption) for round_ in judgement.rounds)
    assumed = _describe_rules(rounds[-1], judgement.rounds[-1])
    for name in assumption.without:
        rounds, sentence = _without(rounds, name)
        assumed.append(sentence)
    if not any(round_.roster for round_ in rounds[-1:]):
        raise UsageError("no voter is left", "leave somebody out, not everybody")
    settled = Settled(looks=find_listed(decision))
    return WhatIf(evaluate_counted(decision, rounds, settled=settled), tuple(assumed))


def _under_rules(round_: CountedRound, assumption: Assumption) -> CountedRound:
    rules = assumption.rules or round_.ballot.record.rules
    if assumption.accounting is not None or assumption.f is not None:
        old = rules.independence
        f = assumption.f if assumption.f is not None else old.f if old else 1
        rules = msgspec.structs.replace(
            rules,
            independence=Independence(
                f=f,
                accounting=assumption.accounting or (old.accounting if old else "strict"),
                overlap_warning=old.overlap_warning if old else _default_overlap(rules),
            ),
        )
    ballot = msgspec.structs.replace(round_.ballot.record, rules=rules)
    return _tally_again(replace(round_, ballot=replace(round_.ballot, record=ballot)))


def _default_overlap(rules: Rules) -> str | None:
    return OVERLAP_DEFAULT if rules.rule == "bft_quorum" else None


def _describe_rules(now: CountedRound, before: CountedRound) -> list[str]:
    """How the rules differ, field by field."""
    old, new = before.ballot.record.rules, now.ballot.record.rules
    return [
        f"{field} is {_tell(getattr(new, field))}, and was {_tell(getattr(old, field))}"
        for field in ("rule", "require", "independence", "max_rounds", "waivers")
        if getattr(new, field) != getattr(old, field)
    ]


def _tell(value: object) -> str:
    match value:
        case msgspec.Struct():
            fields = msgspec.structs.asdict(value).items()
            return ", ".join(f"{name} {_tell(one)}" for name, one in fields if one is not None)
        case tuple():
            return ", ".join(map(str, value)) or "none"
        case None:
            return "not asked for"
    return str(value).lower()


def _without(rounds: tuple[CountedRound, ...], name: str) -> tuple[tuple[CountedRound, ...], str]:
    latest = rounds[-1]
    voters = {voter for round_ in rounds for voter in round_.ballot.record.voters}
    claims = {entry.id for entry in latest.proposal.record.evidence if entry.kind == "claim"}
    if name in voters and name in claims:
        raise UsageError(
            f"{name} is a voter and a claim", "a name that means both cannot be left out"
        )
    if name in voters:
        return tuple(_without_voter(round_, name) for round_ in rounds), f"{name} was not asked"
    if name in claims:
        fallen = _find_leaning(latest, name)
        told = f": {', '.join(sorted(fallen))} abstain" if fallen else ""
        return (
            (*rounds[:-1], _without_claim(latest, name, fallen)),
            f"the claim {name} was never made, and who stood on it alone has no ground{told}",
        )
    raise UsageError(
        f"{name} is neither a voter nor a claim of this decision",
        f"the voters are {', '.join(sorted(voters))};"
        f" the claims are {', '.join(sorted(claims)) or 'none'}",
    )


def _without_voter(round_: CountedRound, voter: str) -> CountedRound:
    ballot = round_.ballot.record
    seats = {name: seat for name, seat in ballot.voters.items() if name != voter}
    ballot = msgspec.structs.replace(ballot, voters=seats)
    left = replace(
        round_,
        ballot=replace(round_.ballot, record=ballot),
        seals={name: file for name, file in round_.seals.items() if name != voter},
        votes={name: file for name, file in round_.votes.items() if name != voter},
        affirmed={name: file for name, file in round_.affirmed.items() if name != voter},
        retracted={name: file for name, file in round_.retracted.items() if name != voter},
        late=tuple(file for file in round_.late if file.signer != voter),
        cast={name: cast for name, cast in round_.cast.items() if name != voter},
    )
    return _tally_again(left)


def _find_leaning(round_: CountedRound, claim: str) -> frozenset[str]:
    """Who agreed on the strength of a claim alone: with it, no primary evidence at all."""
    evidence = read_evidence(round_)
    key = evidence.manifest.key_of(evidence.manifest.entries[claim])
    voted = evidence.voted
    return frozenset(
        voter
        for voter, uses in voted.items()
        if round_.cast[voter] == "agree"
        and key in {use.artifact for use in uses}
        and not any(use.kind == "primary" for use in uses)
    )


def _without_claim(round_: CountedRound, claim: str, fallen: frozenset[str]) -> CountedRound:
    manifest = read_evidence(round_).manifest
    key = manifest.key_of(manifest.entries[claim])
    votes = {}
    for voter, file in round_.votes.items():
        evidence = tuple(
            used for used in file.record.evidence if identify(manifest, used).key != key
        )
        context = file.record.context
        if context is not None:
            claims = tuple(one for one in context.claims if one != claim)
            context = msgspec.structs.replace(context, claims=claims)
        record = msgspec.structs.replace(file.record, evidence=evidence, context=context)
        votes[voter] = replace(file, record=record)
    cast: dict[str, Cast] = {
        voter: "abstain" if voter in fallen else cast for voter, cast in round_.cast.items()
    }
    return _tally_again(replace(round_, votes=votes, cast=cast))


def _tally_again(round_: CountedRound) -> CountedRound:
    """The outcome anew. An amendment falls away when nobody is left whose objection it was."""
    minor = any(cast == "minor" for cast in round_.cast.values())
    amendment = round_.amendment if minor else None
    return replace(
        round_, amendment=amendment, outcome=tally(round_.ballot.record.rules, round_.cast)
    )
