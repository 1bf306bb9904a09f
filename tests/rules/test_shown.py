"""What a vote says that its voter was shown, held against what a packet shows (section 3.5)."""

from __future__ import annotations

from typing import Any

from accord.model.evidence import UsedEvidence
from accord.model.ids import digest_bytes, digest_json
from accord.model.snapshot import RoundFiles
from accord.model.vote import Context
from accord.rules.evaluate import evaluate
from accord.rules.shown import check_shown, digest_shown, list_claims
from tests.support import files as b
from tests.support.tables import table

HEARSAY = b.change(b.SUMMARY, id="hearsay", text="The log is fine.", summarizes="log")
COPY = b.change(b.SUMMARY, id="copy", artifact="docs/summary.md", text=None, digest=b.LOG.digest)
EVIDENCE = (*b.MANIFEST, HEARSAY)
OPEN = b.open_round({"evidence": EVIDENCE})
CLAIMS = ("summary", "hearsay")


def digest(*claims: str, files: RoundFiles = OPEN) -> str:
    return digest_shown(b.ballot_of(files), b.proposal_of(files), claims)


def test_it_is_a_digest_of_what_was_shown() -> None:
    assert digest("hearsay") == digest_json(
        {
            "format": "accord/packet/1",
            "ballot": b.ballot_of(OPEN).digest,
            "proposal": b.proposal_of(OPEN).digest,
            "text": digest_bytes(b.proposal_of(OPEN).record.text.encode()),
            "artifacts": [
                {"id": "log", "artifact": b.LOG.artifact, "digest": b.LOG.digest},
                {"id": "schema", "artifact": b.SCHEMA.artifact, "digest": b.SCHEMA.digest},
            ],
            "claims": [{"id": "hearsay", "digest": digest_bytes(b"The log is fine.")}],
            "withheld": ["summary"],
        }
    )


def test_a_packet_shows_all_claims_or_none() -> None:
    assert list_claims(b.make_proposal(evidence=EVIDENCE)) == CLAIMS


@table(
    ("context", "evidence", "faults"),
    {
        "no context": (None, ("summary",), []),
        "no packet": (Context(claims=("summary",)), ("hearsay",), []),
        "claims withheld": (Context(packet=digest()), (), []),
        "claims shown": (Context(packet=digest(*CLAIMS), claims=CLAIMS), CLAIMS, []),
        "in whatever order": (Context(packet=digest(*CLAIMS), claims=CLAIMS[::-1]), (), []),
        "zeros": (
            Context(packet=f"sha256:{'0' * 64}"),
            (),
            ["packet-mismatch context.packet"],
        ),
        "the packet of another ballot": (
            Context(packet=digest(files=b.open_round())),
            (),
            ["packet-mismatch context.packet"],
        ),
        "claims that it kept to itself": (
            Context(packet=digest(*CLAIMS)),
            (),
            ["packet-mismatch context.packet"],
        ),
        "claims that it was not shown": (
            Context(packet=digest(), claims=CLAIMS),
            (),
            ["packet-mismatch context.packet"],
        ),
        "a claim that was withheld": (
            Context(packet=digest()),
            ("hearsay", "summary"),
            ["claim-not-shown evidence[1]", "claim-not-shown evidence[2]"],
        ),
        "one that was, beside one that was not": (
            Context(packet=digest("hearsay"), claims=("hearsay",)),
            ("hearsay", "summary"),
            ["claim-not-shown evidence[2]"],
        ),
    },
)
def test_votes(context: Context | None, evidence: tuple[str, ...], faults: list[str]) -> None:
    used = (UsedEvidence(id="log"), *(UsedEvidence(id=one) for one in evidence))
    vote = b.vote_file(OPEN, "implementer", context=context, evidence=used).record
    found = check_shown(vote, b.ballot_of(OPEN), b.proposal_of(OPEN), "v.yaml")
    assert [f"{one.code} {one.field}" for one in found] == faults


@table(
    ("packet", "claims", "told"),
    {
        "kept to itself": (digest(*CLAIMS), (), "showed the claims summary, hearsay"),
        "never shown": (digest(), CLAIMS, "showed no claim, and context.claims lists hearsay"),
        "of nothing": (b.digest_of("x"), (), "no packet of this ballot"),
    },
)
def test_the_cause_is_told(packet: str, claims: tuple[str, ...], told: str) -> None:
    context = Context(packet=packet, claims=claims)
    vote = b.vote_file(OPEN, "implementer", context=context).record
    (finding,) = check_shown(vote, b.ballot_of(OPEN), b.proposal_of(OPEN), "v.yaml")
    assert told in finding.message


def test_a_claim_with_the_bytes_of_an_artifact_was_shown_with_it() -> None:
    files = b.open_round({"evidence": (*b.MANIFEST, COPY)})
    context = Context(packet=digest(files=files))
    vote = b.vote_file(files, "implementer", context=context, evidence=b.READ).record
    assert check_shown(vote, b.ballot_of(files), b.proposal_of(files), "v.yaml") == ()


def votes(**fields: Any) -> RoundFiles:
    return b.cast_all(OPEN, **fields)


def test_a_vote_of_another_packet_is_no_vote_yet() -> None:
    judgement = evaluate(b.decide(votes(context=Context(packet=b.digest_of("x")))))
    assert {finding.code for finding in judgement.findings} == {"packet-mismatch"}
    assert judgement.rounds[0].votes == {}


def test_a_sealed_one_stands_as_an_abstention() -> None:
    files = b.open_round({"evidence": EVIDENCE}, rules=b.SEALED)
    sealed = b.cast_all(files, context=Context(packet=b.digest_of("x")))
    judgement = evaluate(b.decide(sealed))
    assert judgement.rounds[0].incomplete == frozenset(b.VOTERS)
