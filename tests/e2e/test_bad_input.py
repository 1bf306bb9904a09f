"""Every kind of file, spoilt in every way: a finding with its place, and never a traceback."""

from __future__ import annotations

import pytest

from tests.e2e.team import Team

SPOILT: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "yaml-invalid"),
    "binary": (bytes(range(256)), "yaml-invalid"),
    "10 MB": (b"a: b\n" * 2_000_000, "file-too-large"),
    "5,000 levels": (b"[" * 5000, "yaml-invalid"),
    "duplicate keys": (b"format: accord/{kind}/1\na: b\na: c\n", "yaml-invalid"),
    "an anchor": (b"format: &x accord/{kind}/1\nb: *x\n", "yaml-invalid"),
    "a tag": (b"format: !!str accord/{kind}/1\n", "yaml-invalid"),
    "a BOM": (b"\xef\xbb\xbfformat: accord/{kind}/1\n", "yaml-invalid"),
    "CRLF": (b"format: accord/{kind}/1\r\n", "yaml-invalid"),
    "NUL": (b"format: accord/{kind}/1\0\n", "yaml-invalid"),
    "bidi": ("format: accord/{kind}/1\na: \u202e\n".encode(), "yaml-invalid"),
    "two documents": (b"format: accord/{kind}/1\n---\na: b\n", "yaml-invalid"),
    "wrong types": (b"format: accord/{kind}/1\nserial: [1]\nround: x\n", "schema-invalid"),
    "an unknown key": (b"format: accord/{kind}/1\nrationele: x\n", "schema-invalid"),
    "another format": (b"format: accord/{kind}/2\n", "unsupported-format"),
    "another kind": (b"format: accord/case/1\n", "unsupported-format"),
}
# Kind → the file that is spoilt. A record is generated, so any other bytes differ from it.
FILES = {
    "proposal": "rounds/1/proposal.yaml",
    "round": "rounds/1/round.yaml",
    "seal": "rounds/1/seals/reviewer.yaml",
    "vote": "rounds/1/votes/reviewer.yaml",
    "affirmation": "rounds/1/affirmations/reviewer.1.yaml",
    "record": "record.yaml",
}


@pytest.fixture
def decided(team: Team) -> Team:
    team.decide("x")
    return team


def spoil(text: bytes, kind: str) -> bytes:
    return text.replace(b"{kind}", kind.encode())


def test_every_kind_in_every_way(decided: Team) -> None:
    for kind, rest in FILES.items():
        path = decided.file("x", rest)
        good = path.read_bytes()
        for name, (content, code) in SPOILT.items():
            path.write_bytes(spoil(content, kind))
            decided.repo.git("add", "decisions")
            # What is too large is not read, so nobody can say how it differs.
            read = code != "file-too-large"
            expected = "record-differs" if kind == "record" and read else code
            assert expected in decided.findings("--staged"), (kind, name)
        path.write_bytes(good[: len(good) // 2])
        decided.repo.git("add", "decisions")
        assert decided.findings("--staged"), (kind, "truncated")
        path.write_bytes(good)
        decided.repo.git("add", "decisions")
    assert decided.findings("--staged", code=0) == {}


def test_the_policy_in_every_way(decided: Team) -> None:
    path = decided.decisions / "policy.yaml"
    for name, (content, code) in SPOILT.items():
        path.write_bytes(spoil(content, "policy"))
        decided.repo.git("add", "decisions")
        assert decided.findings("--staged").get(code) == "decisions/policy.yaml", name
        assert "Traceback" not in decided.accord("status")


def test_a_spoilt_signature(decided: Team) -> None:
    path = decided.file("x", "rounds/1/votes/reviewer.yaml.sig")
    good = path.read_bytes()
    for spoilt in (
        b"",
        b"x",
        good[:-40],
        good + good,
        good.replace(b"-----", b"====="),
        b"\0" * 99,
    ):
        path.write_bytes(spoilt)
        decided.repo.git("add", "decisions")
        assert "bad-signature" in decided.findings("--staged")


def test_a_submodule_in_a_decision(decided: Team) -> None:
    path = f"decisions/{decided.id_of('x')}/withdrawal.yaml"
    decided.repo.stage_entry("160000", "12" * 20, path)
    assert decided.findings("--staged")["not-a-regular-file"] == path
