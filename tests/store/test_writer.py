"""The canonical style, what is never written, and drafts to fill in."""

from __future__ import annotations

from typing import Any

import pytest

from accord.errors import Refused, UsageError
from accord.model.ballot import Ballot, Participant, Previous, Required, Rules
from accord.model.evidence import UsedEvidence
from accord.model.policy import Seats
from accord.model.vote import Assessment, Concern, Lineage, Rated, Vote
from accord.store.emitter import write_comment, write_mapping, write_scalar
from accord.store.kinds import KINDS
from accord.store.parse import parse_draft, parse_file
from accord.store.reader import read_yaml
from accord.store.writer import dump, dump_draft
from tests.store.examples import DIGEST


def vote(**fields: Any) -> Vote:
    plain: dict[str, Any] = {
        "decision": "2026-11-30-use-partial-index",
        "round": 1,
        "voter": "implementer",
        "ballot": DIGEST,
        "vote": "agree",
        "cast_at": "2026-11-30T10:11:12Z",
    }
    return Vote(**(plain | fields))


def test_a_vote_in_the_canonical_style() -> None:
    record = vote(
        vote="disagree",
        severity="minor",
        categories=("YAGNI", "X_COST"),
        rationale="One line.\nAnother: with a colon.\n",
        concerns=(Concern(text="first\n  second"), Concern(text="# third", blocking=True)),
        alternative="  starts with spaces\n\nand ends in two\n\n",
        assessment=Assessment(testability=Rated(rating="weak")),
        evidence=(UsedEvidence(id="diff", via="".join(["re", "ad"])), UsedEvidence(id="no")),
        lineage=Lineage(),
    )

    assert dump(record, "vote").decode() == (
        "format: accord/vote/1\n"
        "decision: 2026-11-30-use-partial-index\n"
        "round: 1\n"
        "voter: implementer\n"
        f"ballot: {DIGEST}\n"
        "vote: disagree\n"
        "severity: minor\n"
        "categories:\n"
        "  - YAGNI\n"
        "  - X_COST\n"
        "rationale: |\n"
        "  One line.\n"
        "  Another: with a colon.\n"
        "concerns:\n"
        "  - text: |-\n"
        "      first\n"
        "        second\n"
        '  - text: "# third"\n'
        "    blocking: true\n"
        "alternative: |2+\n"
        "    starts with spaces\n"
        "\n"
        "  and ends in two\n"
        "\n"
        "assessment:\n"
        "  testability:\n"
        "    rating: weak\n"
        "evidence:\n"
        "  - id: diff\n"
        '  - id: "no"\n'
        "lineage: {}\n"
        'cast_at: "2026-11-30T10:11:12Z"\n'
    )


def ballot(rules: Rules) -> Ballot:
    voter = Participant(kind="agent", roles=("voter",))
    return Ballot(
        project="0" * 32,
        protocol=1,
        decision="2026-11-30-x",
        round=2,
        opened_by="o",
        opened_at="2026-11-30T10:11:12Z",
        proposal=DIGEST,
        class_="architecture",
        rules=rules,
        voters={"zoe": voter, "abe": voter},
        officers={},
        evidence_set=DIGEST,
        previous=Previous(ballot=DIGEST, affirmations={"b.1": DIGEST, "a.10": DIGEST}),
    )


def test_a_ballot_says_its_defaults_and_its_maps_are_sorted() -> None:
    rules = Rules(
        description="Everything: and more",
        rule="unanimity",
        voters=Seats(min=2, max=2, eligible=("zoe", "abe")),
        ballots="sealed",
        max_rounds=2,
        require=Required(evidence_consensus=True, reasoning_convergence=True, assessment=False),
        waivers=(),
        vias=(),
        anchored=False,
        independence=None,
        merge=("accepted",),
        categories=(),
    )

    written = dump(ballot(rules), "round").decode()

    assert written.startswith(f'format: accord/round/1\nproject: "{"0" * 32}"\nprotocol: 1\n')
    assert (
        "class: architecture\n"
        "rules:\n"
        '  description: "Everything: and more"\n'
        "  rule: unanimity\n"
        "  voters:\n"
        "    min: 2\n"
        "    max: 2\n"
        "    eligible:\n"
        "      - zoe\n"
        "      - abe\n"
        "  ballots: sealed\n"
        "  max_rounds: 2\n"
        "  require:\n"
        "    evidence_consensus: true\n"
        "    reasoning_convergence: true\n"
        "    assessment: false\n"
        "  waivers: []\n"
        "  vias: []\n"
        "  anchored: false\n"
        "  merge:\n"
        "    - accepted\n"
        "  categories: []\n"
        "voters:\n"
        "  abe:\n"
        "    kind: agent\n"
    ) in written
    assert "officers: {}\n" in written
    assert written.endswith(
        f"previous:\n  ballot: {DIGEST}\n  affirmations:\n    a.10: {DIGEST}\n    b.1: {DIGEST}\n"
    )


PLAIN = [
    "text",
    "Two words, and (more) [than] {that}",
    "sha256:0a",
    "src/a.py:1",
    "x#y",
    "a-b",
    "2026-11-30-use-partial-index",
    "12 monkeys",
    "é",
    "truest",
    "/abs",
    ".github/x",
    "$x",
    "it's",
    '6" nails',
    "a\\b",
    "(a)",
    "_",
    "a :b",
    "v1.2",
]
QUOTED = [
    "",
    " ",
    " a",
    "a ",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "-",
    "- a",
    "--x",
    "?",
    ":x",
    ",",
    "[a",
    "]",
    "{a",
    "}",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "'a",
    '"a',
    "%a",
    "@a",
    "`a",
    "=",
    "<<",
    "~",
    "null",
    "Null",
    "true",
    "FALSE",
    "yes",
    "N",
    "On",
    "1",
    "-1",
    "+1",
    "0x1F",
    "1_000",
    "1.5",
    ".5",
    "1e3",
    "12e4567",
    "1:30",
    ".inf",
    "-.INF",
    ".nan",
    "2026-11-30",
    "2026-11-30T10:00:00Z",
    "2026-11-30 10:00:00",
    "\u00a0a",
    "a\u3000",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plainly_safe(text: str) -> None:
    assert write_scalar(text) == text


@pytest.mark.parametrize("text", QUOTED)
def test_in_quotes(text: str) -> None:
    written = write_scalar(text)

    assert written == '"' + text.replace('"', '\\"') + '"'


# name: (text, its block)
TEXTS: dict[str, tuple[str, list[str]]] = {
    "one line": ("a", ["x: a"]),
    "one line, ended": ("a\n", ["x: |", "  a"]),
    "ended twice": ("a\n\n", ["x: |+", "  a", ""]),
    "two lines": ("a\nb", ["x: |-", "  a", "  b"]),
    "first line empty": ("\na", ["x: |-", "", "  a"]),
    "first line indented": (" a\nb\n", ["x: |2", "   a", "  b"]),
    "indented below an empty line": ("\n a\nb", ["x: |2-", "", "   a", "  b"]),
    "only line feeds": ("\n\n", ['x: "\\n\\n"']),
    "only space": (" \n", ['x: " \\n"']),
    "spaces at the end": ("a \n  \nb", ["x: |-", "  a ", "    ", "  b"]),
    "markers": ("---\n%a\n...\n# b", ["x: |-", "  ---", "  %a", "  ...", "  # b"]),
    "quotes and backslashes on one line": ('"a" \\n', ['x: "\\"a\\" \\\\n"']),
}


@pytest.mark.parametrize(("text", "lines"), TEXTS.values(), ids=TEXTS)
def test_texts(text: str, lines: list[str]) -> None:
    assert write_mapping({"x": text}) == lines


def test_lists_of_everything() -> None:
    plain = {"x": ["a", "b\nc", {"d": "e\nf", "g": []}, {}, ["h", ["i"]], True, 7, None]}

    lines = write_mapping(plain)

    assert lines == [
        "x:",
        "  - a",
        "  - |-",
        "    b",
        "    c",
        "  - d: |-",
        "      e",
        "      f",
        "    g: []",
        "  - {}",
        "  - - h",
        "    - - i",
        "  - true",
        "  - 7",
        "  -",
    ]
    assert read_yaml("\n".join(lines).encode(), "f")[1] == ()


@pytest.mark.parametrize(
    ("fields", "message", "hint"),
    [
        ({"rationale": "a\tb"}, "rationale holds U+0009 (TAB), which no file may hold", "spaces"),
        ({"rationale": "a\r\n"}, "rationale holds U+000D (carriage return)", "LF"),
        ({"alternative": "\ud800"}, "alternative holds U+D800 (half of a", "Remove it."),
        (
            {"concerns": (Concern(text="fine"), Concern(text="\u202ered"))},
            "concerns[1].text holds U+202E (right-to-left override)",
            "Remove it.",
        ),
        (
            {"lineage": Lineage(operator="\x1b[31m")},
            "lineage.operator holds U+001B (escape)",
            "Remove it.",
        ),
    ],
)
def test_a_forbidden_character_is_named_with_its_field(
    fields: dict[str, Any], message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        dump(vote(**fields), "vote")

    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint


def test_a_forbidden_character_in_a_key_is_named_too() -> None:
    with pytest.raises(UsageError, match=r"a key of lineage holds U\+200B \(zero width space\)"):
        dump_draft({"lineage": {"a\u200b": "x"}}, "vote", {})


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"voter": "Bob Smith"}, "schema-invalid", "voter must be the id of a member"),
        ({"rationale": ""}, "schema-invalid", "rationale must be text"),
        ({"alternative": "x" * 65_537}, "yaml-invalid", "more than 65,536 bytes"),
        ({"categories": ("YAGNI",) * 1001}, "yaml-invalid", "more than 1,000 entries"),
        (
            {"concerns": tuple(Concern(text="x" * 60_000) for _ in range(5))},
            "file-too-large",
            "at most 262,144 are read",
        ),
    ],
)
def test_what_could_not_be_read_back_is_not_written(
    fields: dict[str, Any], code: str, message: str
) -> None:
    with pytest.raises(Refused, match="the vote cannot be written as it is") as caught:
        dump(vote(**fields), "vote")

    (finding,) = caught.value.findings
    assert (finding.code, finding.path) == (code, "vote.yaml")
    assert message in finding.message


def test_a_draft_to_fill_in() -> None:
    draft = dump_draft(
        {
            "evidence": [UsedEvidence(id="diff", via="measured")],
            "vote": None,
            "rationale": None,
            "assessment": {"testability": None, "incremental_verifiability": "weak"},
        },
        "vote",
        {
            "vote": "agree, disagree or abstain",
            "severity": "Of a disagreement: minor or major.",
            "assessment.testability": "Can the change be verified by automated tests?\n\n"
            + "w " * 50,
        },
    )

    assert draft.decode() == (
        "# yaml-language-server: $schema=vote.schema.json\n"
        "format: accord/vote/1\n"
        "# agree, disagree or abstain\n"
        "vote:\n"
        "# Of a disagreement: minor or major.\n"
        "# severity:\n"
        "rationale:\n"
        "assessment:\n"
        "  # Can the change be verified by automated tests?\n"
        "  #\n"
        f"  # {'w ' * 38}w\n"
        f"  # {'w ' * 10}w\n"
        "  testability:\n"
        "  incremental_verifiability: weak\n"
        "evidence:\n"
        "  - id: diff\n"
        "    via: measured\n"
    )
    _, findings = parse_draft(draft, "vote.yaml", "vote", {})
    assert [(each.line, each.field) for each in findings if each.message.endswith("no value")] == [
        (4, "vote"),
        (7, "rationale"),
        (13, "assessment.testability"),
    ]


def test_a_draft_of_a_record_is_a_whole_file() -> None:
    record = vote(rationale="Because.\nThat is why.\n")

    draft = dump_draft(record, "vote", {"rationale": "why"}, schema="https://example.org/v.json")

    assert draft.startswith(b"# yaml-language-server: $schema=https://example.org/v.json\nformat")
    assert b"\n# why\nrationale: |\n" in draft
    assert parse_file(draft, "f", "vote") == (record, ())


def test_a_draft_of_a_record_that_could_not_be_read_back_is_refused() -> None:
    with pytest.raises(Refused, match="the vote cannot be written as it is"):
        dump_draft(vote(rationale=""), "vote", {})


def test_a_comment_cannot_smuggle_in_a_key() -> None:
    with pytest.raises(UsageError, match=r"the comment of vote holds U\+000D"):
        dump_draft({}, "vote", {"vote": "x\rvote: agree"})
    assert write_comment("x\nvote: agree") == ["# x", "# vote: agree"]
    assert write_comment("x\u2028vote: agree") == ["# x", "# vote: agree"]


def test_what_is_no_field_of_the_kind_is_a_mistake() -> None:
    with pytest.raises(KeyError, match="a vote has no field voet"):
        dump_draft({"voet": "agree"}, "vote", {})
    with pytest.raises(KeyError, match="a vote has no field assesment"):
        dump_draft({}, "vote", {"assesment.testability": "How?"})


def test_field_names_need_no_quotes() -> None:
    for kind in KINDS.values():
        for name in kind.record_type.__struct_encode_fields__:
            assert write_scalar(name) == name
