"""Valid files of a decision, each with defaults that hold: a test overrides the one thing it means.

Every file binds to the digests of those that it names, as the real ones do; nobody signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from accord.model.affirmation import COMMITMENT, Affirmation
from accord.model.ballot import PROTOCOL, Ballot, Participant, Previous, Rules
from accord.model.base import Record
from accord.model.evidence import Input, ManifestEntry, UsedEvidence
from accord.model.ids import digest_bytes, digest_json, digest_map
from accord.model.paths import path_of
from accord.model.policy import DecisionClass, Independence, Seats
from accord.model.proposal import CheckPlan, Proposal
from accord.model.resolution import (
    Adopted,
    Amendment,
    Close,
    Counted,
    ObjectionAnswer,
    Resolution,
)
from accord.model.snapshot import Authenticated, DecisionFiles, RoundFiles
from accord.model.vote import Assessment, Concern, Rated, Seal, Vote
from accord.rules.evidence import digest_manifest
from accord.rules.roster import fill_rules
from accord.signing.authenticate import assume

R = TypeVar("R", bound=Record)

ID = "2026-11-30-use-partial-index"
VOTERS = ("challenger", "implementer", "reviewer")
SEVEN = ("challenger", *(f"voter_{n}" for n in range(1, 7)))
PROPOSER, AUTHORITY, DECIDER, OUTSIDER = "proposer", "orchestrator", "dana", "outsider"
T0, T1, T2, T3 = (f"2026-11-30T{hour}:00:00Z" for hour in (10, 11, 12, 13))
NONCE = "ab" * 32
PROJECT = "3f" * 16
RATED = Rated(rating="adequate")
ASSESSED = Assessment(
    testability=RATED, workflow_integration=RATED, incremental_verifiability=RATED
)


def digest_of(name: str) -> str:
    """The digest that stands for the bytes of an artifact."""
    return digest_bytes(name.encode())


SCHEMA = ManifestEntry(
    id="schema",
    kind="primary",
    artifact="db/schema.sql",
    revision="4f" * 20,
    digest=digest_of("schema"),
    load_bearing=True,
)
LOG = ManifestEntry(
    id="log",
    kind="primary",
    artifact=f"decisions/{ID}/evidence/log.txt",
    digest=digest_of("log"),
)
SUMMARY = ManifestEntry(id="summary", kind="claim", text="The schema is fine.", summarizes="schema")
MANIFEST = (SCHEMA, LOG, SUMMARY)
READ = (UsedEvidence(id="schema"), UsedEvidence(id="log"))
PLAN = CheckPlan(
    name="plan",
    argv=("make", "plan"),
    inputs=(Input(artifact="db/schema.sql", digest=digest_of("schema")),),
)
MAJOR: dict[str, Any] = {
    "vote": "disagree",
    "severity": "major",
    "categories": ("YAGNI",),
    "alternative": "Keep the full index; it costs disk.",
}
MINOR: dict[str, Any] = {**MAJOR, "severity": "minor", "alternative": "Drop it after a month."}
AGREE: dict[str, Any] = {"vote": "agree"}
ABSTAIN: dict[str, Any] = {"vote": "abstain", "rationale": "I could not read the log."}
RETRACT: dict[str, Any] = {
    "stance": "retract",
    "severity": "major",
    "categories": ("MISALIGNED",),
    "commitment": None,
}


def change(record: R, **fields: Any) -> R:
    """The record with some fields replaced."""
    return msgspec.structs.replace(record, **fields)


def changed(file: Authenticated[R], **fields: Any) -> Authenticated[R]:
    """The file with another content, and so another digest, in the same place."""
    record = change(file.record, **fields)
    return replace(file, record=record, digest=digest_json(msgspec.to_builtins(record)))


def file_of(
    kind: str, record: R, signer: str, *, round_number: int = 0, name: str = "", number: int = 0
) -> Authenticated[R]:
    """A record in the place where its kind belongs."""
    path = path_of(kind, ID, round_number=round_number, name=name, number=number)
    return assume(record, path, digest_json(msgspec.to_builtins(record)), signer)


def seats(voters: Iterable[str]) -> dict[str, Participant]:
    """Agents, of whom whoever is called challenger opposes."""
    return {
        voter: Participant(
            kind="agent", roles=("challenger",) if voter == "challenger" else ("voter",)
        )
        for voter in voters
    }


OFFICERS = {
    DECIDER: Participant(kind="human", roles=("decider",)),
    AUTHORITY: Participant(kind="agent", roles=("authority",)),
}


def make_class(**fields: Any) -> DecisionClass:
    """A class of unanimity, open ballots and two rounds."""
    defaults: dict[str, Any] = {
        "voters": Seats(min=2, max=4, eligible=(*VOTERS, "newcomer")),
        "ballots": "open",
        "waivers": ("trivially_reversible", "path_independent"),
    }
    return DecisionClass(**(defaults | fields))


def make_rules(**fields: Any) -> Rules:
    """The rules that a ballot copies of that class."""
    return fill_rules(make_class(**fields), ("X_LICENSING",))


SEALED = make_rules(ballots="sealed")
QUORUM = make_rules(
    rule="bft_quorum",
    voters=Seats(min=7, max=7, eligible=SEVEN),
    independence=Independence(f=2, overlap_warning="off"),
)
# Unanimity that counts independent votes: there, shared claims hold up what was verified.
COUNTED = make_rules(independence=Independence(f=1))


def make_proposal(**fields: Any) -> Proposal:
    """A proposal that rests on one schema, with a log and a claim beside it."""
    defaults: dict[str, Any] = {
        "decision": ID,
        "round": 1,
        "title": "Use a partial index",
        "class_": "architecture",
        "proposer": PROPOSER,
        "context": "Open orders are 2 % of the table.",
        "text": "Index open orders only.",
        "evidence": MANIFEST,
        "checks": (PLAN,),
    }
    return Proposal(**(defaults | fields))


def proposal_file(**fields: Any) -> Authenticated[Proposal]:
    record = make_proposal(**fields)
    return file_of("proposal", record, record.proposer, round_number=record.round)


def ballot_file(proposal: Authenticated[Proposal], **fields: Any) -> Authenticated[Ballot]:
    """The ballot that freezes a proposal. `rules` brings its roster with it: the eligible."""
    rules: Rules = fields.get("rules", make_rules())
    roster = VOTERS if rules.rule == "unanimity" else rules.voters.eligible
    record = proposal.record
    defaults: dict[str, Any] = {
        "project": PROJECT,
        "protocol": PROTOCOL,
        "decision": record.decision,
        "round": record.round,
        "opened_by": AUTHORITY,
        "opened_at": T0,
        "proposal": proposal.digest,
        "class_": record.class_,
        "rules": rules,
        "voters": seats(roster),
        "officers": OFFICERS,
        "evidence_set": digest_manifest(record.evidence),
        "waiver": record.waiver,
    }
    ballot = Ballot(**(defaults | fields))
    return file_of("round", ballot, ballot.opened_by, round_number=record.round)


def open_round(proposal: Mapping[str, Any] | None = None, **ballot: Any) -> RoundFiles:
    """A round that an authority has opened, without a vote."""
    frozen = proposal_file(**(proposal or {}))
    return RoundFiles(
        number=frozen.record.round, proposal=frozen, ballot=ballot_file(frozen, **ballot)
    )


def ballot_of(files: RoundFiles) -> Authenticated[Ballot]:
    assert files.ballot is not None
    return files.ballot


def proposal_of(files: RoundFiles) -> Authenticated[Proposal]:
    assert files.proposal is not None
    return files.proposal


def transcript_of(files: RoundFiles) -> str:
    return digest_map({vote.signer: vote.digest for vote in files.votes})


def text_of(files: RoundFiles) -> str:
    """The digest of the final text: that of the amendment, or of the proposal."""
    return files.amendment.digest if files.amendment else proposal_of(files).digest


def bound(files: RoundFiles, *, by: str = "", when: str = "") -> dict[str, Any]:
    bound: dict[str, Any] = {
        "decision": ID,
        "round": files.number,
        "ballot": ballot_of(files).digest,
    }
    return bound | ({"by": by, "at": when} if by else {})


def vote_file(files: RoundFiles, voter: str, **fields: Any) -> Authenticated[Vote]:
    """A complete agreement."""
    defaults: dict[str, Any] = {
        "voter": voter,
        "vote": "agree",
        "rationale": f"The plan of {voter} shows an index scan.",
        "concerns": (Concern(text="One more index to know of."),),
        "assessment": ASSESSED,
        "evidence": READ,
        "nonce": NONCE,
        "cast_at": T1,
    }
    vote = Vote(**(bound(files) | defaults | fields))
    return file_of("vote", vote, voter, round_number=files.number, name=voter)


def seal_file(files: RoundFiles, vote: Authenticated[Vote], **fields: Any) -> Authenticated[Seal]:
    defaults: dict[str, Any] = {"voter": vote.signer, "vote": vote.digest, "at": T0}
    seal = Seal(**(bound(files) | defaults | fields))
    return file_of("seal", seal, vote.signer, round_number=files.number, name=vote.signer)


def affirmation_file(
    files: RoundFiles, voter: str, *, number: int = 1, **fields: Any
) -> Authenticated[Affirmation]:
    """An affirmation of the transcript and text as they stand in the round."""
    defaults: dict[str, Any] = {
        "voter": voter,
        "transcript": transcript_of(files),
        "text_digest": text_of(files),
        "stance": "affirm",
        "reason": "It stands.",
        "commitment": COMMITMENT,
        "affirmed_at": T2,
    }
    record = Affirmation(**(bound(files) | defaults | fields))
    return file_of(
        "affirmation", record, voter, round_number=files.number, name=voter, number=number
    )


def amendment_file(files: RoundFiles, **fields: Any) -> Authenticated[Amendment]:
    """An amendment that takes in every minor objection of the round."""
    defaults: dict[str, Any] = {
        "transcript": transcript_of(files),
        "amendments": tuple(
            Adopted(voter=vote.signer, vote=vote.digest, alternative=vote.record.alternative or "?")
            for vote in files.votes
            if vote.record.vote == "disagree"
        ),
        "text": "Index open orders only, and drop the full index after a month.",
    }
    record = Amendment(**(bound(files, by=AUTHORITY, when=T2) | defaults | fields))
    return file_of("amendment", record, record.by, round_number=files.number)


def close_file(files: RoundFiles, **fields: Any) -> Authenticated[Close]:
    """A close that lists everything which is in the round."""
    voted = {vote.signer: vote.digest for vote in files.votes}
    defaults: dict[str, Any] = {
        "reason": "Nobody is left to wait for.",
        "counted": Counted(
            votes=voted,
            seals={seal.signer: seal.digest for seal in files.seals},
            affirmations={
                file.path.split("/")[-1].removesuffix(".yaml"): file.digest
                for file in files.affirmations
            },
        ),
        "missing": tuple(sorted(ballot_of(files).record.voters.keys() - voted.keys())),
    }
    record = Close(**(bound(files, by=AUTHORITY, when=T2) | defaults | fields))
    return file_of("close", record, record.by, round_number=files.number)


def answer(voter: str, category: str | None = "YAGNI", **fields: Any) -> ObjectionAnswer:
    defaults: dict[str, Any] = {"disposition": "addressed", "note": "It is smaller now."}
    return ObjectionAnswer(voter=voter, category=category, **(defaults | fields))


def resolution_file(
    files: RoundFiles, *answers: ObjectionAnswer, **fields: Any
) -> Authenticated[Resolution]:
    defaults: dict[str, Any] = {"transcript": transcript_of(files), "answers": answers}
    record = Resolution(**(bound(files, by=AUTHORITY, when=T3) | defaults | fields))
    return file_of("resolution", record, record.by, round_number=files.number)


def cast(files: RoundFiles, **votes: Mapping[str, Any]) -> RoundFiles:
    """The round with votes, sealed first where the ballot asks for seals."""
    new = tuple(vote_file(files, voter, **fields) for voter, fields in votes.items())
    files = replace(files, votes=tuple(sorted((*files.votes, *new), key=lambda vote: vote.path)))
    if ballot_of(files).record.rules.ballots == "sealed":
        seals = tuple(seal_file(files, vote) for vote in new)
        files = replace(files, seals=(*files.seals, *seals))
    return files


def cast_all(files: RoundFiles, **fields: Any) -> RoundFiles:
    """The round with the same vote of everybody on the roster."""
    return cast(files, **dict.fromkeys(sorted(ballot_of(files).record.voters), fields))


def affirm(files: RoundFiles, **affirmations: Mapping[str, Any]) -> RoundFiles:
    """The round with these affirmations of what stands in it."""
    new = tuple(affirmation_file(files, voter, **fields) for voter, fields in affirmations.items())
    return replace(files, affirmations=(*files.affirmations, *new))


def affirm_all(files: RoundFiles, **fields: Any) -> RoundFiles:
    return affirm(files, **dict.fromkeys(sorted(ballot_of(files).record.voters), fields))


def amend(files: RoundFiles, **fields: Any) -> RoundFiles:
    return replace(files, amendment=amendment_file(files, **fields))


def close(files: RoundFiles, **fields: Any) -> RoundFiles:
    return replace(files, close=close_file(files, **fields))


def resolve(files: RoundFiles, *answers: ObjectionAnswer, **fields: Any) -> RoundFiles:
    return replace(files, resolution=resolution_file(files, *answers, **fields))


def previous_of(files: RoundFiles, **fields: Any) -> Previous:
    """The round before, as the next ballot finds it."""
    defaults: dict[str, Any] = {
        "ballot": ballot_of(files).digest,
        "votes": {vote.signer: vote.digest for vote in files.votes},
        "affirmations": {
            file.path.split("/")[-1].removesuffix(".yaml"): file.digest
            for file in files.affirmations
        },
        "close": files.close.digest if files.close else None,
        "resolution": files.resolution.digest if files.resolution else None,
    }
    return Previous(**(defaults | fields))


def follow(
    files: RoundFiles, proposal: Mapping[str, Any] | None = None, **ballot: Any
) -> RoundFiles:
    """The round after a failed one, with another text."""
    number = files.number + 1
    fields = {"round": number, "text": f"Index open orders only, try {number}."}
    return open_round(
        fields | dict(proposal or {}),
        **({"previous": previous_of(files), "rules": ballot_of(files).record.rules} | ballot),
    )


def decide(*rounds: RoundFiles, **others: Any) -> DecisionFiles:
    """A decision of these rounds, and what else its directory holds."""
    return DecisionFiles(id=ID, rounds=rounds, **others)


def agreed(**ballot: Any) -> RoundFiles:
    """A round in which everybody read the same, agreed, and affirmed."""
    return affirm_all(cast_all(open_round(**ballot)))


def refused(**ballot: Any) -> RoundFiles:
    """A round in which the challenger objects (major), answered by the authority."""
    voters: dict[str, Mapping[str, Any]] = {**dict.fromkeys(VOTERS, AGREE), "challenger": MAJOR}
    return resolve(cast(open_round(**ballot), **voters), answer("challenger"))
