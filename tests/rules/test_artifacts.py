"""What a manifest may list: each name once, and claims about primaries (section 3.3)."""

from __future__ import annotations

from accord.model.ballot import Rules
from accord.model.evidence import ManifestEntry
from accord.model.finding import Finding
from accord.model.proposal import CheckPlan, Diff
from accord.rules.artifacts import check_artifacts
from accord.rules.blobs import name_blob
from accord.rules.evaluate import evaluate
from tests.support import files as b
from tests.support.tables import table


def found(*evidence: ManifestEntry, checks: tuple[CheckPlan, ...] = ()) -> tuple[Finding, ...]:
    proposal = b.make_proposal(evidence=evidence, checks=checks)
    findings, _ = check_artifacts(
        proposal, "proposal.yaml", {b.LOG.artifact or "": b.LOG.digest or ""}, lambda *_: None
    )
    return findings


TWIN = b.change(b.LOG, id="schema")
ABOUT = b.SUMMARY


@table(
    ("evidence", "faults"),
    {
        "each its own name": (b.MANIFEST, []),
        "one name for two artifacts": ((b.SCHEMA, TWIN), [("id-clash", "evidence[1].id")]),
        "names that differ in a dash": (
            (b.change(b.LOG, id="the-log"), b.change(b.SCHEMA, id="the_log")),
            [("id-clash", "evidence[1].id")],
        ),
        "one name three times": (
            (b.SCHEMA, TWIN, b.change(TWIN, kind="claim")),
            [("id-clash", "evidence[1].id"), ("id-clash", "evidence[2].id")],
        ),
        "a claim about nothing that is listed": (
            (b.SCHEMA, b.change(ABOUT, summarizes="plan")),
            [("schema-invalid", "evidence[1].summarizes")],
        ),
        "a claim about a claim": (
            (b.SCHEMA, ABOUT, b.change(ABOUT, id="hearsay", summarizes="summary")),
            [("schema-invalid", "evidence[2].summarizes")],
        ),
        "a claim that names no artifact": ((b.SCHEMA, b.change(ABOUT, summarizes=None)), []),
        "a claim listed before what it is about": ((ABOUT, b.SCHEMA), []),
        "a side of no change": (
            (b.change(b.SCHEMA, side="head"),),
            [("schema-invalid", "evidence[0].side")],
        ),
        "a path of one machine": (
            (b.SCHEMA, b.change(b.LOG, artifact="/var/log/run")),
            [("path-invalid", "evidence[1].artifact")],
        ),
    },
)
def test_manifests(evidence: tuple[ManifestEntry, ...], faults: list[tuple[str, str]]) -> None:
    assert [(finding.code, finding.field) for finding in found(*evidence)] == faults


@table(
    ("names", "faults"),
    {
        "two checks": (("plan", "bench"), []),
        "one name for two checks": (("plan", "plan"), ["checks[1].name"]),
        "names that differ in a dash": (("dry-run", "bench", "dry_run"), ["checks[2].name"]),
    },
)
def test_checks_are_named_once(names: tuple[str, ...], faults: list[str]) -> None:
    findings = found(checks=tuple(b.change(b.PLAN, name=name) for name in names))
    assert [finding.field for finding in findings] == faults


@table(
    ("blob", "fields"),
    {
        "none": (None, []),
        "of these bytes": (name_blob(b"schema", "0" * 40), []),
        "of others": ("0" * 40, ["evidence[0].blob"]),
        "in another format": ("0" * 64, ["evidence[0].blob"]),
    },
)
def test_a_blob_is_that_of_the_bytes(blob: str | None, fields: list[str]) -> None:
    proposal = b.make_proposal(evidence=(b.change(b.SCHEMA, blob=blob, side="base"),))
    proposal = b.change(proposal, change=Diff(base="4f" * 20, head="5e" * 20))
    found, _ = check_artifacts(proposal, "proposal.yaml", {}, lambda *_: b"schema")
    assert [finding.field for finding in found] == fields


WEIGHTLESS = (b.change(b.SCHEMA, load_bearing=False), b.LOG)
WEIGHTY_CLAIM = (*WEIGHTLESS, b.change(b.SUMMARY, load_bearing=True))


@table(
    ("evidence", "rules", "codes"),
    {
        "a load-bearing artifact": (b.MANIFEST, b.QUORUM, []),
        "nothing load-bearing": (WEIGHTLESS, b.QUORUM, ["no-load-bearing-artifact"]),
        "a claim called load-bearing": (WEIGHTY_CLAIM, b.QUORUM, ["no-load-bearing-artifact"]),
        "where nobody counts independence": (WEIGHTLESS, b.make_rules(), []),
    },
)
def test_a_ballot_that_counts_independence_counts_over_something(
    evidence: tuple[ManifestEntry, ...], rules: Rules, codes: list[str]
) -> None:
    judgement = evaluate(b.decide(b.open_round({"evidence": evidence}, rules=rules)))
    assert [finding.code for finding in judgement.findings] == codes
