"""What comes after the votes, and the policy that they are judged by: valid, to be overridden."""

from __future__ import annotations

from typing import Any

from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.policy import Key, Member, Policy
from accord.model.redaction import Redaction, name_redaction
from accord.model.snapshot import Authenticated, RoundFiles
from tests.support.files import (
    AUTHORITY,
    DECIDER,
    ID,
    LOG,
    OFFICERS,
    OUTSIDER,
    PLAN,
    PROJECT,
    PROPOSER,
    READ,
    T3,
    VOTERS,
    bound,
    digest_of,
    file_of,
    make_class,
    seats,
    text_of,
    transcript_of,
)


def check_file(files: RoundFiles, *, number: int = 1, **fields: Any) -> Authenticated[Check]:
    """A passing run of the check that the proposal declares, by somebody who took no part."""
    defaults: dict[str, Any] = {
        "text_digest": text_of(files),
        "name": PLAN.name,
        "argv": PLAN.argv,
        "inputs": PLAN.inputs,
        "exit_code": 0,
        "output": digest_of("output"),
        "passed": True,
    }
    record = Check(**(bound(files, by=OUTSIDER, when=T3) | defaults | fields))
    return file_of("check", record, record.by, name=record.name, number=number)


def rederivation_file(files: RoundFiles, **fields: Any) -> Authenticated[Rederivation]:
    """A second look that confirms, by somebody who took no part."""
    defaults: dict[str, Any] = {
        "text_digest": text_of(files),
        "confirms": True,
        "rationale": "I come to the same result.",
        "evidence": READ,
    }
    record = Rederivation(**(bound(files, by=OUTSIDER, when=T3) | defaults | fields))
    return file_of("rederivation", record, record.by, name=record.by)


def synthesis_file(files: RoundFiles, **fields: Any) -> Authenticated[Synthesis]:
    defaults: dict[str, Any] = {"transcript": transcript_of(files), "text": "They differ on cost."}
    record = Synthesis(**(bound(files, by=AUTHORITY, when=T3) | defaults | fields))
    return file_of("synthesis", record, record.by)


def ruling_file(
    files: RoundFiles, synthesis: Authenticated[Synthesis], /, **fields: Any
) -> Authenticated[Ruling]:
    defaults: dict[str, Any] = {
        "transcript": transcript_of(files),
        "synthesis": synthesis.digest,
        "text_digest": text_of(files),
        "ruling": "accept",
        "reason": "The gain is real.",
    }
    record = Ruling(**(bound(files, by=DECIDER, when=T3) | defaults | fields))
    return file_of("ruling", record, record.by)


def withdrawal_file(files: RoundFiles | None, **fields: Any) -> Authenticated[Withdrawal]:
    """A withdrawal by the proposer; without a round it is that of a draft."""
    given = (
        bound(files, by=PROPOSER, when=T3)
        if files
        else {"decision": ID, "round": 1, "by": PROPOSER, "at": T3}
    )
    record = Withdrawal(**(given | {"reason": "We found another way."} | fields))
    return file_of("withdrawal", record, record.by)


def redaction_file(number: int = 1, **fields: Any) -> Authenticated[Redaction]:
    """The log, which is evidence below evidence/, taken out by the decider."""
    defaults: dict[str, Any] = {
        "decision": ID,
        "path": LOG.artifact,
        "digest": LOG.digest,
        "reason": "It holds a token.",
        "by": DECIDER,
        "at": T3,
    }
    record = Redaction(**(defaults | fields))
    name = name_redaction(digest_of("log"))
    return file_of("redaction", record, record.by, name=name, number=number)


def make_member(name: str, **fields: Any) -> Member:
    defaults: dict[str, Any] = {
        "kind": "agent",
        "roles": ("voter",),
        "keys": (Key(ssh=f"ssh-ed25519 AAAA{name} {name}@host"),),
    }
    return Member(**(defaults | fields))


def make_policy(**fields: Any) -> Policy:
    """A policy that holds together: three voters, an authority and a decider."""
    members = {voter: make_member(voter, roles=seat.roles) for voter, seat in seats(VOTERS).items()}
    members |= {
        name: make_member(name, kind=seat.kind, roles=seat.roles) for name, seat in OFFICERS.items()
    }
    members |= {name: make_member(name) for name in (PROPOSER, OUTSIDER, "newcomer")}
    defaults: dict[str, Any] = {
        "project": PROJECT,
        "serial": 1,
        "members": members,
        "classes": {
            "architecture": make_class(),
            "governance": make_class(ballots="sealed", waivers=()),
        },
        "categories": ("X_LICENSING",),
    }
    return Policy(**(defaults | fields))
