"""Situations that rules are asked about, and what they answer: findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from accord.model.evidence import UsedEvidence
from accord.model.finding import Finding
from accord.model.record import DecisionRecord, SourceFile
from accord.model.snapshot import NOTHING_SETTLED, Predecessor, RoundFiles, Stored
from accord.model.vote import Context, Lineage
from accord.rules.artifacts import check_artifacts
from accord.rules.evaluate import evaluate
from accord.rules.evidence import digest_manifest
from accord.rules.policy import check_policy
from accord.rules.predecessors import digest_text
from accord.rules.record import build_record, check_record
from accord.rules.redactions import count_redactions
from accord.rules.roster import check_against_policy
from accord.rules.shown import digest_shown
from accord.rules.step import DecisionStep
from accord.rules.transition import (
    check_policy_change,
    check_step,
)
from tests.support import aftermath as a
from tests.support import files as b

Findings = tuple[Finding, ...]
Make = Callable[[], Findings]


def judge(*rounds: RoundFiles, **others: Any) -> Make:
    return lambda: evaluate(b.decide(*rounds, **others)).findings


def swap(files: RoundFiles, kind: str, **fields: Any) -> RoundFiles:
    """The round with the first file of a kind changed, as if its author had written that."""
    return _with_first(files, kind, lambda file: b.changed(file, **fields))


def signed_by(files: RoundFiles, kind: str, signer: str) -> RoundFiles:
    """The round with the first file of a kind signed by another."""
    return _with_first(files, kind, lambda file: replace(file, signer=signer))


def _with_first(files: RoundFiles, kind: str, edit: Callable[[Any], Any]) -> RoundFiles:
    found = getattr(files, kind)
    edited = (edit(found[0]), *found[1:]) if isinstance(found, tuple) else edit(found)
    fields: dict[str, Any] = {kind: edited}
    return replace(files, **fields)


def minor(**ballot: Any) -> RoundFiles:
    """One minor objection, everybody else agrees."""
    return b.cast(b.open_round(**ballot), challenger=b.MINOR, implementer={}, reviewer={})


def continued(older: Predecessor, **proposal: Any) -> Findings:
    return evaluate(b.decide(b.open_round(proposal)), {older.id: older}).findings


OLD = Predecessor(
    id="2026-01-02-older",
    class_="architecture",
    status="escalated",
    basis=None,
    verdict="CORRELATED_QUORUM",
    texts=frozenset({digest_text("Index open orders only.")}),
    evidence_set=digest_manifest(b.MANIFEST),
    evidence=frozenset({b.digest_of("schema")}),
    dissenters=frozenset({"challenger"}),
    opposed=frozenset({"challenger"}),
    voters=frozenset({"reviewer"}),
)
OTHER_EVIDENCE = replace(OLD, evidence_set=b.digest_of("other"))
DECIDED = replace(OLD, status="accepted", basis="vote", verdict="UNANIMITY_VERIFIED")

AGREED, REFUSED = b.agreed(), b.refused()
NEXT = b.follow(REFUSED)
SEALED = b.affirm_all(b.cast_all(b.open_round(rules=b.SEALED)))


def correlated(**proposal: Any) -> RoundFiles:
    """A quorum of seven, three of whom lean on the summary alone."""
    return b.affirm_all(
        b.cast(
            b.open_round(proposal, rules=b.QUORUM),
            **{
                voter: {"evidence": (UsedEvidence(id="summary"),) if position < 3 else b.READ}
                for position, voter in enumerate(b.SEVEN)
            },
        )
    )


def packed(
    claims: tuple[str, ...] = (), told: tuple[str, ...] | None = None, cites: str = "log"
) -> RoundFiles:
    """All agree upon packets that show these claims, and tell of them, or of others."""
    files = b.open_round()
    packet = digest_shown(b.ballot_of(files), b.proposal_of(files), claims)
    return b.affirm_all(
        b.cast_all(
            files,
            context=Context(packet=packet, claims=claims if told is None else told),
            evidence=(*b.READ, UsedEvidence(id=cites)),
        )
    )


CORRELATED = correlated()
SHARED_CLAIM = b.affirm_all(
    b.cast_all(
        b.open_round(rules=b.COUNTED),
        evidence=(*b.READ, UsedEvidence(id="summary")),
    )
)
ESCALATED = b.close(b.refused(rules=b.make_rules(max_rounds=1)))
SYNTHESIS = a.synthesis_file(ESCALATED)


def lineages(*sessions: str) -> RoundFiles:
    files = b.open_round()
    return b.affirm_all(
        b.cast(
            files,
            **{
                voter: {"lineage": Lineage(session=session)}
                for voter, session in zip(b.VOTERS, sessions, strict=True)
            },
        )
    )


def ruled(files: RoundFiles = ESCALATED, signer: str = b.DECIDER, **fields: Any) -> Make:
    synthesis = a.synthesis_file(files)
    ruling = replace(a.ruling_file(files, synthesis, **fields), signer=signer)
    return judge(files, synthesis=synthesis, ruling=ruling)


def policy(**fields: Any) -> Make:
    return lambda: check_policy(a.make_policy(**fields))


def entering(**ballot: Any) -> Make:
    files = b.open_round(**ballot)
    return lambda: check_against_policy(b.ballot_of(files), a.make_policy())


def paths_of(files: RoundFiles, *more: str) -> dict[str, str]:
    """The tree of a round: paths to something that stands for the id of the bytes."""
    counted = evaluate(b.decide(files)).counted
    return {path: path for path in (*counted, *more)}


def first_step(files: RoundFiles) -> Findings:
    """What may not come with the first policy, besides a ballot, which has a code of its own."""
    draft = replace(files, ballot=None) if not files.votes else files
    found = check_step(
        DecisionStep(
            decision=b.ID,
            base=None,
            head=evaluate(b.decide(draft)),
            before={},
            after=paths_of(draft),
            policy=None,
        )
    )
    return tuple(one for one in found if one.code != "ballot-not-from-policy")


def step(before: RoundFiles | None, after: RoundFiles, **changed: str | None) -> Findings:
    """What a step from one state of a round to another breaks. `changed` edits the tree after."""
    there = paths_of(after)
    for path in (path for path in list(there) if path.split("/")[-1].split(".")[0] in changed):
        new = changed[path.split("/")[-1].split(".")[0]]
        del there[path]
        there |= {path: new} if new else {}
    return check_step(
        DecisionStep(
            decision=b.ID,
            base=evaluate(b.decide(before)) if before else None,
            head=evaluate(b.decide(after)),
            before=paths_of(before) if before else {},
            after=there,
            policy=a.make_policy(classes={"architecture": b.make_class()}),
        )
    )


def ended_step(*entering_paths: str) -> Findings:
    """A step upon a recorded decision, which brings in some paths."""
    judgement = evaluate(b.decide(AGREED))
    record = f"decisions/{b.ID}/record.yaml"
    before = paths_of(AGREED, record)
    return check_step(
        DecisionStep(
            decision=b.ID,
            base=judgement,
            head=judgement,
            before=before,
            after=before | dict.fromkeys(entering_paths, "new"),
            policy=a.make_policy(),
        )
    )


def opening(*, sealed_before: RoundFiles | None, **cast: Any) -> Findings:
    """A step that opens sealed votes, upon a base with the given seals."""
    after = b.cast(b.open_round(rules=b.SEALED), **cast)
    before = paths_of(sealed_before) if sealed_before else {}
    policy = a.make_policy(classes={"architecture": b.make_class(ballots="sealed")})
    return check_step(
        DecisionStep(
            decision=b.ID,
            base=evaluate(b.decide(sealed_before)) if sealed_before else None,
            head=evaluate(b.decide(after)),
            before=before,
            after=paths_of(after),
            policy=policy,
        )
    )


def recorded(digest: str | None, expected: str | None) -> Findings:
    decision = b.decide(AGREED)
    judgement = evaluate(decision)
    if digest is not None:
        record = Stored(build_record(decision, judgement), f"decisions/{b.ID}/record.yaml", digest)
        decision = replace(decision, record=record)
    return check_record(decision, judgement, expected)


def echoing(claim: str) -> Findings:
    """A claim whose words stand in the text."""
    evidence = (b.SCHEMA, b.change(b.SUMMARY, text=claim))
    proposal = b.make_proposal(text=f"Index open orders only. {claim}", evidence=evidence)
    return check_artifacts(proposal, "proposal.yaml", {}, lambda *_: None)[0]


def artifacts(own: dict[str, str], **fields: Any) -> Findings:
    evidence = (b.change(b.LOG, **fields),)
    proposal = b.make_proposal(evidence=evidence)
    return check_artifacts(proposal, "proposal.yaml", own, lambda *_: None)[0]


def redacted(*there: str, **fields: Any) -> Findings:
    """What is said of a redaction that enters; `there` are paths of evidence that stands there."""
    files = b.decide(AGREED, redactions=(a.redaction_file(**fields),))
    own = dict.fromkeys(there, b.digest_of("log"))
    counted = count_redactions(files, evaluate(files), own, a.make_policy(), NOTHING_SETTLED)
    return counted.findings


def changing(enacted: bool = True, **fields: Any) -> Findings:
    after = a.make_policy(**({"serial": 2} | fields))
    digest = b.digest_of("policy")
    return check_policy_change(
        a.make_policy(), after, digest, frozenset({digest} if enacted else ())
    )


def anchored(before: RoundFiles | None) -> Findings:
    rules = b.make_rules(anchored=True)
    return step(before, b.cast(b.open_round(rules=rules), implementer={}))


EXTRA = b.seats(("challenger", "implementer", "reviewer", "newcomer"))
LOG_PATH = f"decisions/{b.ID}/evidence/log.txt"
HAPPY = judge(AGREED)
IMPORTED = DecisionRecord(
    protocol=1,
    decision=b.ID,
    title="Use a partial index",
    class_="architecture",
    status="imported",
    basis="imported",
    directive="-",
    decided_at=b.T3,
    source=SourceFile(path="docs/adr/1.md", digest=b.digest_of("1")),
    manifest_digest=b.digest_of("manifest"),
)
