"""Every parser takes any bytes: it gives a value or says what is wrong, and never falls over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.hooks.receive import read_updates
from accord.rules.globs import fits
from accord.signing.base import Bad, Good, Unknown
from accord.signing.bundle import find_signing_time, parse_bundle
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import verify_sigstore
from accord.signing.ssh import verify_ssh
from accord.signing.ssh_key import UnfitKey, parse_public_key
from accord.signing.wire import Malformed
from accord.store.binder import MAX_GUESSES
from accord.store.kinds import KINDS
from accord.store.parse import parse_file
from accord.store.raw_diff import parse_raw_diff
from accord.store.reader import MAX_ASKED_AGAIN, MAX_BRACKETS, parse_pure, read_yaml
from accord.store.text import MAX_FINDINGS
from tests.fuzz.mutations import Edit, edits, spoil
from tests.fuzz.trees import FILES, POLICY_FILE
from tests.support.keys import FixedKey

BUNDLE = (
    Path(__file__).parents[1] / "keyless" / "public" / "staging.txt.sigstore.json"
).read_bytes()
DATA = b"what was signed\n"
SIGNATURE = FixedKey("dana").sign(DATA)
RING = KeyRing({})
changes = st.lists(edits, min_size=1, max_size=6)
YAML_FILES = {path: data for path, data in FILES.items() if path.endswith(".yaml")}


@given(st.sampled_from(sorted(YAML_FILES)), changes, st.sampled_from(sorted(KINDS)))
def test_a_file_of_any_kind(path: str, spoils: list[Edit], kind: str) -> None:
    data = spoil(YAML_FILES[path], spoils)
    record, findings = parse_file(data, path, kind)
    assert record is not None or findings
    for finding in findings:
        assert finding.message
        assert "\x1b" not in finding.message


@given(st.binary(max_size=400), st.sampled_from(sorted(KINDS)))
def test_any_bytes(data: bytes, kind: str) -> None:
    record, findings = parse_file(data, "decisions/x.yaml", kind)
    assert record is not None or findings


@given(changes)
def test_a_policy(spoils: list[Edit]) -> None:
    record, findings = parse_file(spoil(POLICY_FILE, spoils), "decisions/policy.yaml", "policy")
    assert record is not None or findings


@given(changes)
def test_an_ssh_signature(spoils: list[Edit]) -> None:
    assert isinstance(verify_ssh(DATA, spoil(SIGNATURE, spoils), RING), Bad | Unknown)


@given(changes)
def test_a_public_key(spoils: list[Edit]) -> None:
    line = spoil(FixedKey("dana").line.encode(), spoils).decode("latin-1")
    try:
        assert parse_public_key(line).blob
    except UnfitKey as unfit:
        assert unfit.message


@given(changes)
def test_a_bundle(spoils: list[Edit]) -> None:
    data = spoil(BUNDLE, spoils)
    assert isinstance(verify_sigstore(DATA, data, RING), Bad | Unknown | Good)
    try:
        assert find_signing_time(parse_bundle(data)).endswith("Z")
    except Malformed as malformed:
        assert str(malformed)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(json_values)
def test_any_json_as_a_bundle(value: object) -> None:
    data = json.dumps(value).encode()
    assert isinstance(verify_sigstore(DATA, data, RING), Bad | Unknown)


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_glob(path: str, glob: str) -> None:
    assert fits(path, glob) in (True, False)


@given(st.text(max_size=200))
def test_what_git_says_is_pushed(lines: str) -> None:
    try:
        assert isinstance(read_updates(lines), tuple)
    except AccordError as error:
        assert error.message


@given(st.binary(max_size=200))
def test_a_raw_diff_is_gits_own(data: bytes) -> None:
    """git writes it; what git never writes may fail, but only as a mistake of its form."""
    try:
        assert isinstance(parse_raw_diff(data), dict)
    except (ValueError, AccordError) as error:
        assert str(error)


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c\n" * 40_000,
        "[" * 262_144,
        "[" * 300,
        "a: " + "&a " * 80_000,
        "a: [" + "{b: c}, " * 30_000,
    ],
    ids=["colons", "brackets", "few brackets", "anchors", "flow"],
)
def test_a_large_file_is_not_read_twice(text: str) -> None:
    """The pure parser takes seconds for such a file, so it is not asked."""

    def refuse(_: str) -> NoReturn:
        raise AssertionError("it was asked")

    node, findings = read_yaml(text.encode()[:262_144], "decisions/x.yaml", refuse)
    assert node is None
    assert findings


@given(st.text("[{}],:ab-?\"'& *\n", max_size=3000))
def test_what_is_read_twice_is_small(text: str) -> None:
    asked: list[str] = []

    def note(again: str) -> Iterator[Any]:
        asked.append(again)
        return parse_pure(again)

    read_yaml(text.encode(), "decisions/x.yaml", note)
    assert all(len(one) <= MAX_ASKED_AGAIN for one in asked)
    assert all(one.count("[") + one.count("{") <= MAX_BRACKETS for one in asked)


@given(
    st.lists(st.text("abcdef_", min_size=1, max_size=30), min_size=60, unique=True),
    st.sampled_from(sorted(KINDS)),
)
def test_a_file_of_faults_has_few_findings(keys: list[str], kind: str) -> None:
    text = f"format: accord/{kind}/1\n" + "".join(f"{key}: [x]\n" for key in keys)
    record, findings = parse_file(text.encode(), "decisions/x.yaml", kind)
    assert record is None
    assert len(findings) <= 2 * (MAX_FINDINGS + 1)
    assert sum("Did you mean" in one.hint for one in findings) <= MAX_GUESSES
