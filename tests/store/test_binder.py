"""From a tree to a record: every fault of a file, at its line and column."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest
from msgspec import Meta

from accord.model.ballot import Ballot
from accord.model.base import Explicit, Record
from accord.model.evidence import UsedEvidence
from accord.model.finding import Finding
from accord.model.policy import Policy
from accord.model.vote import Concern, Rated, Vote
from accord.store.binder import bind
from accord.store.kinds import KINDS
from accord.store.nodes import Node
from accord.store.reader import read_yaml
from tests.store.examples import POLICY, VOTE


def read(text: str) -> Node:
    root, findings = read_yaml(text.encode(), "f")
    assert findings == ()
    assert root is not None
    return root


def body(text: str) -> str:
    """A file without its format, and with an empty first line, so that places stay the same."""
    return "\n" + text.partition("\n")[2]


def say(findings: tuple[Finding, ...]) -> list[tuple[int | None, int | None, str, str]]:
    assert {each.code for each in findings} <= {"schema-invalid"}
    return [(each.line, each.column, each.message, each.hint) for each in findings]


def test_a_vote_as_people_write_it() -> None:
    vote, findings = bind(read(body(VOTE)), Vote, "f")

    assert findings == ()
    assert vote is not None
    assert (vote.round, vote.severity, vote.nonce) == (1, "minor", None)
    assert vote.rationale is not None
    assert vote.rationale.endswith("0.3 ms after.\n")
    assert vote.concerns == (
        Concern(text="it locks writes while it is built"),
        Concern(text="nobody owns the migration", blocking=True),
    )
    assert vote.assessment is not None
    assert vote.assessment.testability == Rated(rating="strong")
    assert vote.evidence == (
        UsedEvidence(id="diff", via="read"),
        UsedEvidence(id="explain-log", via="measured"),
    )


def test_a_policy_as_people_write_it() -> None:
    policy, findings = bind(read(body(POLICY)), Policy, "f")

    assert findings == ()
    assert policy is not None
    assert policy.members["dana"].keys[0].valid_from == "2026-01-01T00:00:00Z"
    assert policy.guarded[0].class_ == "architecture"


# name: (old text, new text, line, column, message, hint) of one fault put into VOTE
VOTE_FAULTS: dict[str, tuple[str, str, int, int, str, str]] = {
    "pattern": (
        "voter: implementer",
        "voter: The Implementer",
        4,
        8,
        'voter must be the id of a member: a-z 0-9 _ -, at most 63, not "The Implementer"',
        "",
    ),
    "pattern in a list": (
        "[OVER_ENGINEERING]",
        "[OVER_ENGINEERING, yagni]",
        8,
        32,
        'categories[1] must be a rejection category, not "yagni"',
        "",
    ),
    "date that does not exist": (
        "2026-11-30T10:11:12.5Z",
        "2026-02-30T10:11:12Z",
        25,
        10,
        'cast_at names a moment that does not exist: "2026-02-30T10:11:12Z"',
        "",
    ),
    "time of another form": (
        "2026-11-30T10:11:12.5Z",
        "2026-11-30 10:11:12",
        25,
        10,
        "cast_at must be an RFC 3339 time in UTC, YYYY-MM-DDThh:mm:ss[.f]Z, "
        'not "2026-11-30 10:11:12"',
        "",
    ),
    "number with a leading zero": (
        "round: 1",
        "round: 01",
        3,
        8,
        'round must be a whole number from 1 to 1,000,000, not "01"',
        "Write digits alone, without a leading zero.",
    ),
    "number that is too small": (
        "round: 1",
        "round: 0",
        3,
        8,
        'round must be a whole number from 1 to 1,000,000, not "0"',
        "",
    ),
    "number that is too large": (
        "round: 1",
        "round: " + "9" * 16,
        3,
        8,
        f'round must be a whole number from 1 to 1,000,000, not "{"9" * 16}"',
        "",
    ),
    "number of 5,000 digits": (
        "round: 1",
        "round: " + "9" * 5000,
        3,
        8,
        f'round must be a whole number from 1 to 1,000,000, not "{"9" * 60}…"',
        "Write digits alone, without a leading zero.",
    ),
    "number in words": (
        "round: 1",
        "round: 1e0",
        3,
        8,
        'round must be a whole number from 1 to 1,000,000, not "1e0"',
        "Write digits alone, without a leading zero.",
    ),
    "word near another": (
        "vote: disagree",
        "vote: disagreed",
        6,
        7,
        'vote must be abstain, agree or disagree, not "disagreed"',
        "Did you mean disagree?",
    ),
    "word near nothing": (
        "vote: disagree",
        "vote: LGTM",
        6,
        7,
        'vote must be abstain, agree or disagree, not "LGTM"',
        "",
    ),
    "word in a shorthand": (
        "testability: strong",
        "testability: Strong",
        18,
        16,
        'assessment.testability must be adequate, not_applicable, strong or weak, not "Strong"',
        "Did you mean strong?",
    ),
    "yes": (
        "blocking: true",
        "blocking: yes",
        15,
        15,
        'concerns[1].blocking must be true or false, not "yes"',
        "Did you mean true?",
    ),
    "unknown key near another": (
        "severity: minor",
        "severty: minor",
        7,
        1,
        "severty is not a key that belongs here",
        "Did you mean severity?",
    ),
    "unknown key with a hyphen": (
        "cast_at:",
        "cast_at: 2026-11-30T10:11:12Z\nCast-At:",
        26,
        1,
        "Cast-At is not a key that belongs here",
        "Did you mean cast_at?",
    ),
    "unknown key near nothing": (
        "testability: strong",
        "testability: strong\n  quality: weak",
        19,
        3,
        "assessment.quality is not a key that belongs here",
        "The keys here: testability, workflow_integration, incremental_verifiability.",
    ),
    "unknown key that cannot be shown": (
        "severity: minor",
        '"odd\\nkey\u00a0": minor',
        7,
        1,
        '"odd\\u{a}key\\u{a0}" is not a key that belongs here',
        "The keys here: decision, round, voter, ballot, nonce, vote, severity, categories, "
        "rationale, reasoning, concerns, alternative, assessment, evidence, context, lineage, "
        "cast_at.",
    ),
    "missing key": (
        "vote: disagree\n",
        "",
        2,
        1,
        "vote is missing",
        "Write vote as abstain, agree or disagree.",
    ),
    "missing key in a list": (
        "text: nobody owns the migration\n    blocking",
        "blocking",
        14,
        5,
        "concerns[1].text is missing",
        "Write text as text, at most 64 KiB.",
    ),
    "no value": (
        "vote: disagree",
        "vote:",
        6,
        6,
        "vote has no value",
        "Leave it out, or write a value behind it.",
    ),
    "null in a text": (
        "alternative: 'Build it concurrently; it''s slower, and nobody waits.'",
        "alternative: null",
        16,
        14,
        "alternative is null, and there is no null here",
        "Leave it out; if it is meant as text, put it in quotes.",
    ),
    "null in a list": (
        "  - diff",
        "  - ~",
        21,
        5,
        "evidence[0] is ~, and there is no null here",
        "Leave it out; if it is meant as text, put it in quotes.",
    ),
    "no value for a mapping": (
        "lineage: {operator: acme, model: m-1}",
        "lineage:",
        24,
        9,
        "lineage has no value",
        "Leave it out, or write a value behind it.",
    ),
    "empty text": (
        "operator: acme",
        "operator: ''",
        24,
        21,
        "lineage.operator must be one line of text, and is empty",
        "",
    ),
    "two lines": (
        "operator: acme",
        'operator: "a\\nb"',
        24,
        21,
        'lineage.operator must be one line of text, not "a\\u{a}b"',
        "",
    ),
    "long line": (
        "operator: acme",
        "operator: " + "x" * 401,
        24,
        21,
        "lineage.operator has 401 characters; at most 400 are allowed",
        "",
    ),
    "text for a list": (
        "[OVER_ENGINEERING]",
        "OVER_ENGINEERING",
        8,
        13,
        'categories must be a list, not "OVER_ENGINEERING"',
        "A list has a line for each entry: - …",
    ),
    "mapping for a list": (
        "[OVER_ENGINEERING]",
        "{OVER_ENGINEERING: x}",
        8,
        13,
        "categories must be a list, not a mapping",
        "A list has a line for each entry: - …",
    ),
    "list for a text": (
        "voter: implementer",
        "voter: [implementer]",
        4,
        8,
        "voter must be the id of a member: a-z 0-9 _ -, at most 63, not a list",
        "",
    ),
    "text for a mapping": (
        "lineage: {operator: acme, model: m-1}",
        "lineage: m-1",
        24,
        10,
        'lineage must be a mapping with the keys operator, provider, model, session, not "m-1"',
        "",
    ),
    "list for a shorthand": (
        "  - diff",
        "  - [diff]",
        21,
        5,
        "evidence[0] must be an id: a-z 0-9 _ -, at most 63, or a mapping with the keys id, "
        "artifact, revision, digest, via, lines, source, receipt, …, not a list",
        "",
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message", "hint"), VOTE_FAULTS.values(), ids=VOTE_FAULTS
)
def test_a_fault_in_a_vote(
    old: str, new: str, line: int, column: int, message: str, hint: str
) -> None:
    assert VOTE.count(old) == 1

    vote, findings = bind(read(body(VOTE.replace(old, new))), Vote, "f")

    assert vote is None
    assert say(findings) == [(line, column, message, hint)]


# name: (old text, new text, line, column, message) of one fault put into POLICY
POLICY_FAULTS: dict[str, tuple[str, str, int, int, str]] = {
    "key that is no id": (
        "  dana:",
        "  Dana Scully:",
        10,
        3,
        'members."Dana Scully" must be the id of a member: a-z 0-9 _ -, at most 63, '
        'not "Dana Scully"',
    ),
    "value below a key": (
        "roles: [decider]",
        "roles: [decider, boss]",
        12,
        22,
        'members.dana.roles[1] must be authority, challenger, decider or voter, not "boss"',
    ),
    "list for a map": (
        "members:\n",
        "members: []\nmember_list:\n",
        4,
        10,
        "members must be a mapping; each key is the id of a member: a-z 0-9 _ -, at most 63, "
        "not a list",
    ),
    "too many entries": (
        "require: {assessment: true}",
        f"vias: [{', '.join('abcdefghijklmnopq')}]",
        21,
        11,
        "classes.architecture.vias has 17 entries; at most 16 are allowed",
    ),
    "fraction without quotes is fine, above 1 is not": (
        'overlap_warning: "0.8"',
        "overlap_warning: 1.8",
        22,
        43,
        "classes.architecture.independence.overlap_warning must be a decimal from 0 to 1 "
        'in quotes, such as "0.8", or off, not "1.8"',
    ),
    "path out of the repository": (
        '"src/db/**"',
        '"../db/**"',
        23,
        20,
        'guarded[0].paths[0] must be a path glob inside the repository, not "../db/**"',
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"), POLICY_FAULTS.values(), ids=POLICY_FAULTS
)
def test_a_fault_in_a_policy(old: str, new: str, line: int, column: int, message: str) -> None:
    assert POLICY.count(old) == 1

    policy, findings = bind(read(body(POLICY.replace(old, new))), Policy, "f")

    assert policy is None
    assert say(findings)[0][:3] == (line, column, message)


def test_all_faults_are_reported_in_the_order_of_the_file() -> None:
    text = "evidence: [a, B, {via: R}]\nround: x\ncast_at: y\nfoo: 1\nvote:\nbar: 2\n"

    _, findings = bind(read(text), Vote, "votes/x.yaml")

    assert [(each.line, each.column, each.field) for each in findings] == [
        (1, 1, "decision"),
        (1, 1, "voter"),
        (1, 1, "ballot"),
        (1, 15, "evidence[1]"),
        (1, 24, "evidence[2].via"),
        (2, 8, "round"),
        (3, 10, "cast_at"),
        (4, 1, "foo"),
        (5, 6, "vote"),
        (6, 1, "bar"),
    ]
    assert {each.path for each in findings} == {"votes/x.yaml"}


def test_the_list_of_all_keys_is_told_once_a_mapping() -> None:
    _, findings = bind(read("foo: 1\nbar: 2\nnote: x\n"), Rated, "f")

    assert [each.hint for each in findings if "not a key" in each.message] == [
        "The keys here: rating, note.",
        "Leave it out.",
    ]


def test_a_field_that_may_be_none_and_has_no_default_is_none_when_left_out() -> None:
    class Explained(Explicit, frozen=True, kw_only=True):
        why: str | None

    assert bind(read("{}"), Explained, "f") == (Explained(why=None), ())
    assert bind(read("why: x"), Explained, "f") == (Explained(why="x"), ())


def test_the_rules_of_a_ballot_may_leave_independence_out() -> None:
    _, findings = bind(read("rules: {rule: unanimity}"), Ballot, "f")

    fields = {each.field for each in findings}
    assert "rules.anchored" in fields
    assert "rules.independence" not in fields


class Pair(Record, frozen=True, kw_only=True):
    """A record with constraints that the binder knows, and one that only msgspec knows."""

    shorthand: ClassVar[str] = "words"

    words: Annotated[tuple[str, ...], Meta(min_length=1)] = ("x",)
    even: Annotated[int, Meta(multiple_of=2)] = 0
    code: Annotated[str, Meta(min_length=2)] = "ab"
    any_number: int = 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("words: []", "words has 0 entries; at least 1 are needed"),
        ("even: 3", "the file is not valid: Expected `int` that's a multiple of 2"),
        ("code: a", 'code must be text, not "a"'),
        ("any_number: -1", 'any_number must be a whole number from 0, not "-1"'),
        ("any_number: 9007199254740992", "any_number must be a whole number from 0, not"),
        ("a text", 'the file must be a list, not "a text"'),
        ("- a", "the file must be a list, or a mapping with the keys words, even, code"),
    ],
)
def test_what_only_other_records_could_ask_for(text: str, message: str) -> None:
    pair, (finding,) = bind(read(text), Pair, "f")

    assert pair is None
    assert finding.message.startswith(message)


def test_the_largest_number_that_a_digest_can_cover() -> None:
    pair, _ = bind(read("any_number: 9007199254740991"), Pair, "f")

    assert pair is not None
    assert pair.any_number == 2**53 - 1


@pytest.mark.parametrize(
    "type_", [float, dict[int, float], dict[float, int], tuple[bytes, ...], str | int]
)
def test_other_types_are_a_mistake_of_the_model(type_: Any) -> None:
    with pytest.raises(TypeError, match="no record is made of"):
        bind(read("a"), type_, "f")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_it_lacks(kind: str) -> None:
    record, findings = bind(read("{}"), KINDS[kind].record_type, "f")

    assert record is None
    assert all(each.message.endswith(" is missing") and each.hint for each in findings)
