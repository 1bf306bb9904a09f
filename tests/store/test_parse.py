"""Format first: which file is which, and what a draft may leave out."""

from __future__ import annotations

import base64
import re

import pytest

from accord.model.affirmation import Affirmation
from accord.model.evidence import ManifestEntry
from accord.model.policy import Policy
from accord.model.proposal import Proposal
from accord.model.vote import Concern, Seal, Vote
from accord.store.kinds import KINDS
from accord.store.parse import parse_draft, parse_file
from tests.store.examples import DIGEST, POLICY, VOTE

SEAL = f"""\
format: accord/seal/1
decision: 2026-11-30-x
round: 1
voter: a
ballot: {DIGEST}
vote: {DIGEST}
at: 2026-11-30T00:00:00Z
"""
BODY = SEAL.partition("\n")[2]
EXPECTED = Seal(
    decision="2026-11-30-x",
    round=1,
    voter="a",
    ballot=DIGEST,
    vote=DIGEST,
    at="2026-11-30T00:00:00Z",
)


@pytest.mark.parametrize(("kind", "text"), [("vote", VOTE), ("policy", POLICY), ("seal", SEAL)])
def test_a_good_file(kind: str, text: str) -> None:
    record, findings = parse_file(text.encode(), "f", kind)

    assert findings == ()
    assert isinstance(record, KINDS[kind].record_type)


@pytest.mark.parametrize("bits", [3072, 4096, 16384])
def test_a_policy_holds_long_keys(bits: int) -> None:
    """ssh-keygen makes RSA keys of 3,072 bits unless it is told otherwise."""
    blob = b"".join(
        len(part).to_bytes(4, "big") + part
        for part in (b"ssh-rsa", b"\1\0\1", bytes(bits // 8 + 1))
    )
    line = f"ssh-rsa {base64.b64encode(blob).decode()} somebody@a-machine"
    text = re.sub("ssh: .*", f"ssh: {line}", POLICY, count=1)

    record, findings = parse_file(text.encode(), "f", "policy")

    assert findings == ()
    assert isinstance(record, Policy)
    assert line in {key.ssh for member in record.members.values() for key in member.keys}


def test_who_signs() -> None:
    assert {name for name, kind in KINDS.items() if not kind.signed} == {"policy", "record", "case"}
    assert all(kind.name == name for name, kind in KINDS.items())


# name: (file, code, line, column, message, hint)
FIRST_KEY: dict[str, tuple[str, str, int, int, str, str]] = {
    "another major number": (
        SEAL.replace("seal/1", "seal/2"),
        "unsupported-format",
        1,
        9,
        "accord/seal/2 needs another accord; this one reads accord/seal/1",
        "Install the accord that the project uses.",
    ),
    "another major number, and another language below it": (
        "format: accord/seal/10\nfoo: [bar]\n",
        "unsupported-format",
        1,
        9,
        "accord/seal/10 needs another accord; this one reads accord/seal/1",
        "Install the accord that the project uses.",
    ),
    "another kind": (
        VOTE,
        "unsupported-format",
        1,
        9,
        "this file says that it is a vote; here belongs a seal",
        "Move it to where it belongs, or write format: accord/seal/1",
    ),
    "another kind of another number": (
        VOTE.replace("vote/1", "vote/2"),
        "unsupported-format",
        1,
        9,
        "this file says that it is a vote; here belongs a seal",
        "Move it to where it belongs, or write format: accord/seal/1",
    ),
    "no format at all": (
        SEAL.replace("accord/seal/1", "1"),
        "unsupported-format",
        1,
        9,
        'format must be accord/seal/1, and is "1"',
        "The first line of the file is: format: accord/seal/1",
    ),
    "leading zero": (
        SEAL.replace("seal/1", "seal/01"),
        "unsupported-format",
        1,
        9,
        'format must be accord/seal/1, and is "accord/seal/01"',
        "The first line of the file is: format: accord/seal/1",
    ),
    "list": (
        SEAL.replace("accord/seal/1", "[accord/seal/1]"),
        "unsupported-format",
        1,
        9,
        "format must be accord/seal/1, and is no text",
        "The first line of the file is: format: accord/seal/1",
    ),
    "missing": (
        "# a comment\n" + BODY,
        "schema-invalid",
        2,
        1,
        "format is missing",
        "The first line of the file is: format: accord/seal/1",
    ),
    "late": (
        BODY + "format: accord/seal/1\n",
        "schema-invalid",
        7,
        1,
        "format must be the first key",
        "The first line of the file is: format: accord/seal/1",
    ),
    "late, and of another number": (
        BODY + "format: accord/seal/2\n",
        "unsupported-format",
        7,
        9,
        "accord/seal/2 needs another accord; this one reads accord/seal/1",
        "Install the accord that the project uses.",
    ),
}


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message", "hint"), FIRST_KEY.values(), ids=FIRST_KEY
)
def test_the_first_key(
    text: str, code: str, line: int, column: int, message: str, hint: str
) -> None:
    record, (finding,) = parse_file(text.encode(), "seals/a.yaml", "seal")

    assert record is None
    assert (finding.code, finding.path, finding.field) == (code, "seals/a.yaml", "format")
    assert (finding.line, finding.column) == (line, column)
    assert (finding.message, finding.hint) == (message, hint)


def test_without_a_format_everything_else_is_said_too() -> None:
    record, findings = parse_file(b"{}", "f", "seal")

    assert record is None
    assert [each.field for each in findings] == [
        "format",
        "decision",
        "round",
        "voter",
        "ballot",
        "vote",
        "at",
    ]


@pytest.mark.parametrize(
    ("text", "found"), [("- a", "a list"), ("just text", "a text"), ("[]", "a list")]
)
def test_a_file_that_is_no_mapping(text: str, found: str) -> None:
    for record, (finding,) in (
        parse_file(text.encode(), "f", "seal"),
        parse_draft(text.encode(), "f", "seal", {}),
    ):
        assert record is None
        assert (finding.code, finding.line, finding.column) == ("schema-invalid", 1, 1)
        assert finding.message == f"the file must be a mapping of keys to values, not {found}"


def test_what_is_no_yaml_is_not_looked_at_any_further() -> None:
    record, (finding,) = parse_file(b"foo:\tbar", "f", "seal")

    assert record is None
    assert finding.code == "yaml-invalid"


KNOWN: dict[str, object] = {
    "decision": "2026-11-30-x",
    "round": 1,
    "voter": "a",
    "ballot": DIGEST,
    "at": "2026-11-30T00:00:00Z",
}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (f"vote: {DIGEST}".encode(), "draft.yaml"),
        (f"vote: {DIGEST}".encode(), "-"),
        (f"# mine\nformat: accord/seal/1\nvote: {DIGEST}".encode(), "draft.yml"),
        (f"vote: {DIGEST}\nformat: accord/seal/1".encode(), "draft"),
        (f'{{"vote": "{DIGEST}"}}'.encode(), "draft.json"),
        (f' \n\t{{"vote": "{DIGEST}", "voter": null}}'.encode(), "-"),
        (f'{{"round": 1, "format": "accord/seal/1", "vote": "{DIGEST}"}}'.encode(), "x.JSON"),
        (f"{{vote: '{DIGEST}'}}".encode(), "draft.yaml"),
    ],
)
def test_a_draft_leaves_out_what_is_known(data: bytes, path: str) -> None:
    assert parse_draft(data, path, "seal", KNOWN) == (EXPECTED, ())


def test_a_draft_may_say_what_is_known_itself() -> None:
    record, findings = parse_draft(f"vote: {DIGEST}\nvoter: b".encode(), "-", "seal", KNOWN)

    assert findings == ()
    assert isinstance(record, Seal)
    assert record.voter == "b"


def test_what_is_known_may_be_anything_that_a_file_can_say() -> None:
    known = {
        "title": "null",
        "round": 2,
        "waiver": None,
        "evidence": (ManifestEntry(id="a", kind="primary", load_bearing=True),),
        "options": [{"name": "1", "pros": ["x"]}],
    }
    draft = "decision: 2026-11-30-x\nclass: c\nproposer: p\ncontext: c\ntext: t\n"

    record, findings = parse_draft(draft.encode(), "-", "proposal", known)

    assert findings == ()
    assert isinstance(record, Proposal)
    assert (record.title, record.round, record.waiver) == ("null", 2, None)
    assert record.evidence == known["evidence"]
    assert record.options[0].pros == ("x",)


def test_what_is_known_may_say_no() -> None:
    record, _ = parse_draft(
        b'{"stance": "affirm", "reason": "read all"}',
        "-",
        "affirmation",
        {
            **{key: KNOWN[key] for key in ("decision", "round", "voter", "ballot")},
            "transcript": DIGEST,
            "text_digest": DIGEST,
            "asymmetry_acknowledged": False,
            "affirmed_at": KNOWN["at"],
        },
    )

    assert isinstance(record, Affirmation)
    assert record.asymmetry_acknowledged is False


@pytest.mark.parametrize(
    ("data", "path", "code", "line", "column", "message"),
    [
        (b'{"vote": 1,}', "d.json", "yaml-invalid", 1, 12, "a key in double quotes"),
        (b"{vote: x}", "-", "yaml-invalid", 1, 2, "a key in double quotes"),
        (b'{"vote":\n 1}', "d.json", "schema-invalid", 2, 2, "sha256:<64 hexadecimal digits>, not"),
        (b'{"vote": [null]}', "d.json", "schema-invalid", 1, 10, "not a list"),
        (b"vote:", "d.yaml", "schema-invalid", 1, 6, "vote has no value"),
        (
            b'{"format": "accord/vote/1"}',
            "-",
            "unsupported-format",
            1,
            12,
            "says that it is a vote",
        ),
        (b"format: accord/seal/2", "-", "unsupported-format", 1, 9, "needs another accord"),
        (b"{}", "d.json", "schema-invalid", 1, 1, "vote is missing"),
    ],
)
def test_a_draft_with_a_fault(
    data: bytes, path: str, code: str, line: int, column: int, message: str
) -> None:
    record, (finding,) = parse_draft(data, path, "seal", KNOWN)

    assert record is None
    assert (finding.code, finding.line, finding.column) == (code, line, column)
    assert message in finding.message


def test_a_vote_from_another_tool() -> None:
    """Plain concerns and a null are understood, the rest is named with what it may mean."""
    draft = b"""{
  "decision_id": "vote-design-brief-challenger",
  "voter": "challenger",
  "vote": "agree",
  "rationale": "Sound.",
  "concerns": ["One thing.", "And another: this."],
  "alternative": null,
  "created_at": "2026-11-30T10:00:00Z"
}
"""
    known = {**KNOWN, "cast_at": "2026-11-30T00:00:00Z"}
    del known["at"]

    record, findings = parse_draft(draft, "-", "vote", known)

    assert record is None
    assert [(each.line, each.column, each.message, each.hint) for each in findings] == [
        (2, 3, "decision_id is not a key that belongs here", "Did you mean decision?"),
        (8, 3, "created_at is not a key that belongs here", "Did you mean cast_at?"),
    ]
    kept = b"\n".join(line for line in draft.split(b"\n") if b"_id" not in line)
    mended = kept.replace(b'null,\n  "created_at": "2026-11-30T10:00:00Z"', b"null")
    vote, findings = parse_draft(mended, "-", "vote", known)
    assert findings == ()
    assert isinstance(vote, Vote)
    assert vote.concerns == (Concern(text="One thing."), Concern(text="And another: this."))
    assert vote.alternative is None
