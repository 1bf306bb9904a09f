"""Which artifact an entry is, what is a claim, and whether the listed files are there."""

from __future__ import annotations

from typing import Any

import pytest

from accord.model.evidence import Input, ManifestEntry, UsedEvidence
from accord.model.ids import digest_bytes
from accord.model.vote import Context
from accord.rules.artifacts import check_artifacts
from accord.rules.claims import ANYTHING, is_statement
from accord.rules.evidence import (
    digest_manifest,
    find_input_key,
    find_ungrounded,
    find_unknown,
    find_uses,
    find_vote_uses,
    mark_manifest,
    primaries,
    read_manifest,
)
from tests.support import files as b
from tests.support.tables import table

SCHEMA, LOG = b.digest_of("schema"), b.digest_of("log")
URL = ManifestEntry(id="manual", kind="primary", artifact="https://example.org/manual")
MINUTES = ManifestEntry(
    id="minutes",
    kind="primary",
    artifact="decisions/2026-01-01-x/record.yaml",
    digest=b.digest_of("minutes"),
    load_bearing=True,
)
HEARSAY = ManifestEntry(id="hearsay", kind="claim", text="They say so.", summarizes="nothing")
MANIFEST = read_manifest((*b.MANIFEST, URL, MINUTES, HEARSAY))
MANUAL = "uri:https://example.org/manual"
WORDS = f"text:{digest_bytes(b'The schema is fine.')}"
HEARD = f"text:{digest_bytes(b'They say so.')}"
REVISION = "4f" * 20


@table(
    ("entry", "artifact", "kind"),
    {
        "by its id": (UsedEvidence(id="schema"), SCHEMA, "primary"),
        "by its digest": (UsedEvidence(artifact="moved.sql", digest=SCHEMA), SCHEMA, "primary"),
        "by its digest alone": (UsedEvidence(digest=SCHEMA), SCHEMA, "primary"),
        "by its digest, seen outside the repository": (
            UsedEvidence(artifact="https://example.org/schema.sql", digest=SCHEMA),
            SCHEMA,
            "primary",
        ),
        "by its id, with a digest that the manifest does not have": (
            UsedEvidence(id="manual", digest=b.digest_of("manual")),
            MANUAL,
            "claim",
        ),
        "by its place": (
            UsedEvidence(artifact="db/schema.sql", revision=REVISION),
            SCHEMA,
            "primary",
        ),
        "by its id and digest": (UsedEvidence(id="schema", digest=SCHEMA), SCHEMA, "primary"),
        "without a digest, by its id": (UsedEvidence(id="manual"), MANUAL, "claim"),
        "a URI in another spelling": (
            UsedEvidence(artifact="HTTPS://Example.org:443/a/../%6danual#top"),
            MANUAL,
            "claim",
        ),
        "a claim": (UsedEvidence(id="summary"), WORDS, "claim"),
        "the words of a claim": (UsedEvidence(artifact="The schema  is fine."), WORDS, "claim"),
        "a file that holds them": (
            UsedEvidence(artifact="notes.md", digest=digest_bytes(b"The schema is fine.\n")),
            WORDS,
            "claim",
        ),
        "a record is what was said": (UsedEvidence(id="minutes"), MINUTES.digest, "claim"),
        "an own find": (
            UsedEvidence(artifact="src/a.py", digest=b.digest_of("a")),
            b.digest_of("a"),
            "primary",
        ),
        "a found vote is a claim": (
            UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml", digest=b.digest_of("a")),
            b.digest_of("a"),
            "claim",
        ),
        "a found vote without a digest": (
            UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml"),
            "path:decisions/2026-01-01-x/ruling.yaml",
            "claim",
        ),
        "evidence of another decision": (
            UsedEvidence(artifact="decisions/2026-01-01-x/evidence/a", digest=b.digest_of("a")),
            b.digest_of("a"),
            "primary",
        ),
    },
)
def test_what_counts(entry: UsedEvidence, artifact: str, kind: str) -> None:
    (use,) = find_uses(MANIFEST, [entry])
    assert (use.artifact, use.kind) == (artifact, kind)


ANY = frozenset({ANYTHING})


@table(
    ("entry", "artifact", "about"),
    {
        "an unknown id": (UsedEvidence(id="other"), "id:other", ANY),
        "an id of other bytes": (UsedEvidence(id="schema", digest=LOG), LOG, {SCHEMA}),
        "the id of a claim, with other bytes": (
            UsedEvidence(id="hearsay", digest=LOG),
            HEARD,
            ANY,
        ),
        "the id of a listed record, with other bytes": (
            UsedEvidence(id="minutes", digest=LOG),
            MINUTES.digest,
            {MINUTES.digest},
        ),
        "a place of other bytes": (
            UsedEvidence(artifact="db/schema.sql", revision=REVISION, digest=b.digest_of("edited")),
            b.digest_of("edited"),
            {SCHEMA},
        ),
        "a listed file without a digest": (
            UsedEvidence(artifact="db/schema.sql"),
            "path:db/schema.sql",
            {SCHEMA},
        ),
        "a find without a digest": (UsedEvidence(artifact="src/a.py"), "path:src/a.py", ANY),
        "a find outside the repository": (
            UsedEvidence(artifact="/etc/passwd", digest=b.digest_of("a")),
            b.digest_of("a"),
            ANY,
        ),
        "a URI": (UsedEvidence(artifact="urn:isbn:1"), "uri:urn:isbn:1", ANY),
        "a URI with a digest": (
            UsedEvidence(artifact="urn:isbn:1", digest=b.digest_of("a")),
            b.digest_of("a"),
            ANY,
        ),
        "nothing at all": (UsedEvidence(), "id:None", ANY),
    },
)
def test_a_claim_is_a_claim_wherever_it_stands(
    entry: UsedEvidence, artifact: str, about: frozenset[str]
) -> None:
    (use,) = find_uses(MANIFEST, [entry])
    assert (use.artifact, use.kind) == (artifact, "claim")
    assert use.about == about


A = b.digest_of("a")


@table(
    ("cited",),
    {
        "a URI, with and without its digest": (
            (
                UsedEvidence(artifact="https://x.org"),
                UsedEvidence(artifact="https://x.org/", digest=A),
                UsedEvidence(artifact="https://y.org/copy", digest=A),
            ),
        ),
        "a vote, with and without its digest": (
            (
                UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml", digest=A),
                UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml"),
            ),
        ),
        "words, broken elsewhere": (
            (UsedEvidence(artifact="It is fine."), UsedEvidence(artifact="It  is fine. ")),
        ),
    },
)
def test_one_claim_in_several_spellings_is_one(cited: tuple[UsedEvidence, ...]) -> None:
    files = b.open_round()
    votes = [b.vote_file(files, "reviewer", evidence=(entry,)).record for entry in cited]
    marked = mark_manifest(MANIFEST, votes, 2)
    keys = {use.artifact for vote in votes for use in find_vote_uses(marked, vote)}
    assert len(keys) == 1
    assert marked.name_of(keys.pop()) in {entry.artifact for entry in cited}


def test_who_joins_two_claims_takes_nothing_away_that_they_are_about() -> None:
    pages = (
        ManifestEntry(id="page", kind="claim", artifact="https://x.org/", summarizes="log"),
        ManifestEntry(id="copy", kind="claim", artifact="https://y.org/", summarizes="schema"),
    )
    files = b.open_round()
    votes = [
        b.vote_file(
            files, "reviewer", evidence=(UsedEvidence(artifact=page.artifact, digest=A),)
        ).record
        for page in pages
    ]
    marked = mark_manifest(read_manifest((*b.MANIFEST, *pages)), votes, 2)
    for page in pages:
        (use,) = find_uses(marked, [UsedEvidence(id=page.id)])
        assert use.about == {SCHEMA, LOG}


def test_nobody_turns_primary_evidence_into_a_claim_by_a_place() -> None:
    files = b.open_round()
    votes = [
        b.vote_file(
            files,
            "reviewer",
            evidence=(
                UsedEvidence(artifact="decisions/2026-01-01-x/ruling.yaml", digest=SCHEMA),
                UsedEvidence(artifact="https://x.org/", digest=SCHEMA),
            ),
        ).record
    ]
    marked = mark_manifest(MANIFEST, votes, 2)
    (use,) = find_uses(marked, [UsedEvidence(id="schema")])
    assert (use.artifact, use.kind) == (SCHEMA, "primary")


def test_a_long_text_is_not_told_whole() -> None:
    files = b.open_round()
    vote = b.vote_file(files, "reviewer", evidence=(UsedEvidence(artifact="so " * 60),)).record
    ((key, name),) = mark_manifest(read_manifest(()), [vote], 1).names.items()
    assert key == f"path:{'so ' * 60}"
    assert name.endswith("…")


def test_unknown_ids_are_found() -> None:
    entries = (
        UsedEvidence(id="schema"),
        UsedEvidence(id="other"),
        UsedEvidence(artifact="src/a.py"),
        UsedEvidence(id="schema", digest=LOG),
    )
    assert find_unknown(MANIFEST, entries) == (1, 3)


def test_claims_of_the_context_count_and_primaries_there_do_not() -> None:
    files = b.open_round()
    context = Context(claims=("summary", "log", "unknown"))
    vote = b.vote_file(files, "reviewer", evidence=(), context=context).record
    uses = find_vote_uses(MANIFEST, vote)
    assert {use.artifact for use in uses} == {WORDS}
    assert primaries(uses) == frozenset()


def test_who_agrees_without_what_the_decision_rests_on() -> None:
    files = b.open_round()
    votes = [
        b.vote_file(files, "reviewer", evidence=(UsedEvidence(id="summary"),)).record,
        b.vote_file(files, "implementer", evidence=(UsedEvidence(id="schema"),)).record,
        b.vote_file(files, "challenger", **b.MAJOR, evidence=()).record,
    ]
    assert find_ungrounded(MANIFEST, votes) == ("reviewer",)
    assert find_ungrounded(read_manifest((URL, HEARSAY)), votes) == ()


def test_what_claims_are_about() -> None:
    about = {use.artifact: use.about for use in find_uses(MANIFEST, (), ("summary", "hearsay"))}
    assert about == {WORDS: {SCHEMA}, HEARD: {ANYTHING}}


def test_what_was_said_is_a_claim_about_itself() -> None:
    (use,) = find_uses(MANIFEST, [UsedEvidence(id="minutes")])
    assert use.about == {MINUTES.digest}


@table(
    ("entry", "weighty"),
    {
        "a primary": (UsedEvidence(id="log", load_bearing=True), True),
        "an own find": (
            UsedEvidence(artifact="src/a.py", digest=b.digest_of("a"), load_bearing=True),
            True,
        ),
        "a claim": (UsedEvidence(id="summary", load_bearing=True), False),
        "a vote": (
            UsedEvidence(
                artifact=f"decisions/{b.ID}/rounds/1/votes/reviewer.yaml",
                digest=b.digest_of("a"),
                load_bearing=True,
            ),
            False,
        ),
        "what is marked not to be": (UsedEvidence(id="log", load_bearing=False), False),
        "what is in no count": (UsedEvidence(id="other", load_bearing=True), False),
    },
)
def test_only_primary_evidence_is_marked_as_load_bearing(
    entry: UsedEvidence, weighty: bool
) -> None:
    vote = b.vote_file(b.open_round(), "reviewer", evidence=(entry,)).record
    marked = mark_manifest(MANIFEST, [vote], 1)
    assert len(marked.load_bearing - MANIFEST.load_bearing) == weighty
    assert marked.load_bearing >= MANIFEST.load_bearing


def test_what_was_said_bears_the_load_as_listed_and_nobody_has_a_primary_on_it() -> None:
    assert MINUTES.digest in MANIFEST.load_bearing | set(MANIFEST.claims)
    assert primaries(find_uses(MANIFEST, [UsedEvidence(id="minutes")])) == frozenset()


@table(
    ("used", "key"),
    {
        "by digest": (Input(artifact="moved.sql", digest=SCHEMA), SCHEMA),
        "another digest": (Input(artifact="x", digest=b.digest_of("x")), b.digest_of("x")),
        "by place": (Input(artifact="db/schema.sql", revision=REVISION), SCHEMA),
        "by nothing but a path": (Input(artifact="db/schema.sql"), None),
    },
)
def test_what_an_input_is(used: Input, key: str | None) -> None:
    assert find_input_key(MANIFEST, used) == key


def test_what_people_call_it() -> None:
    assert MANIFEST.name_of(SCHEMA) == "db/schema.sql"
    assert MANIFEST.name_of(WORDS) == "summary"
    assert MANIFEST.name_of("sha256:unknown") == "sha256:unknown"


def test_a_find_has_one_name_whoever_voted_first() -> None:
    files = b.open_round()
    votes = [
        b.vote_file(
            files, voter, evidence=(UsedEvidence(artifact=path, digest=b.digest_of("a")),)
        ).record
        for voter, path in (("implementer", "b.py"), ("reviewer", "a.py"))
    ]
    for order in (votes, votes[::-1]):
        assert mark_manifest(MANIFEST, order, 1).name_of(b.digest_of("a")) == "a.py"


def test_a_manifest_has_one_digest_whatever_its_order() -> None:
    assert digest_manifest(b.MANIFEST) == digest_manifest(b.MANIFEST[::-1])
    assert digest_manifest(b.MANIFEST) != digest_manifest(b.MANIFEST[1:])


@pytest.mark.parametrize(
    ("artifact", "said"),
    [
        (None, False),
        ("src/a.py", False),
        ("decisions/policy.yaml", True),
        ("decisions/anything", True),
        (f"decisions/{b.ID}/evidence/log.txt", False),
    ],
)
def test_what_was_said_is_no_evidence(artifact: str | None, said: bool) -> None:
    assert is_statement(artifact) is said


COMMITTED = ManifestEntry(
    id="a", kind="primary", artifact="src/a.py", revision=REVISION, digest=digest_bytes(b"a")
)


@table(
    ("fields", "found", "codes", "unmeasured"),
    {
        "the listed bytes": ({}, b"a", [], ()),
        "other bytes": ({}, b"b", ["evidence-digest-mismatch evidence[0].digest"], ()),
        "no such file there": ({}, "absent", ["evidence-missing evidence[0].artifact"], ()),
        "the commit is not at hand": ({}, None, [], ("a",)),
        "no digest": ({"digest": None}, b"b", ["unpinned evidence[0]"], ()),
        "no revision": ({"revision": None}, b"b", [], ()),
        "a URI is never fetched": ({"artifact": "https://example.org"}, b"b", [], ()),
        "text inline": (
            {"artifact": None, "digest": None, "kind": "claim", "text": "x"},
            b"b",
            [],
            (),
        ),
        "a load-bearing URI": (
            {"artifact": "urn:isbn:1", "load_bearing": True},
            b"b",
            ["schema-invalid evidence[0].load_bearing"],
            (),
        ),
        "a load-bearing claim": (
            {"kind": "claim", "load_bearing": True},
            b"a",
            ["schema-invalid evidence[0].load_bearing"],
            (),
        ),
    },
)
def test_listed_artifacts(
    fields: dict[str, Any], found: Any, codes: list[str], unmeasured: tuple[str, ...]
) -> None:
    proposal = b.make_proposal(evidence=(b.change(COMMITTED, **fields),))
    findings, ids = check_artifacts(proposal, "proposal.yaml", {}, lambda *_: found)
    assert [f"{finding.code} {finding.field}" for finding in findings] == codes
    assert ids == unmeasured
