"""Ids, digests, times and paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import ids
from tests.support.tables import table


@table(
    ("text", "allowed"),
    {
        "a word": ("implementer", True),
        "digits first": ("4eyes", True),
        "63 long": ("a" * 63, True),
        "64 long": ("a" * 64, False),
        "nothing": ("", False),
        "upper case": ("Dana", False),
        "a dash first": ("-dana", False),
        "a dot": ("da.na", False),
        "a slash": ("da/na", False),
        "another script": ("дана", False),
        "a final newline": ("dana\n", False),
    },
)
def test_ids(text: str, allowed: bool) -> None:
    assert ids.is_id(text) is allowed


@table(
    ("text", "allowed"),
    {
        "a word": ("main", True),
        "with a folder": ("release/1.0", True),
        "another script": ("главная", True),
        "a pattern": ("release/*", False),
        "a full name": ("refs/heads/main", False),
        "a step back": ("main~1", False),
        "a range": ("a..b", False),
        "a space": ("a b", False),
        "a reflog": ("a@{1}", False),
        "the sign for HEAD": ("@", False),
        "HEAD": ("HEAD", False),
        "an option": ("-d", False),
        "a dot first": ("a/.b", False),
        "a dot last": ("a.", False),
        "a lock": ("a.lock/b", False),
        "an empty part": ("a//b", False),
        "a slash last": ("a/", False),
        "nothing": ("", False),
    },
)
def test_names_of_branches(text: str, allowed: bool) -> None:
    assert ids.is_branch_name(text) is allowed


@table(
    ("text", "allowed"),
    {
        "a file": ("src/a b.py", True),
        "dots in a name": ("src/...py", True),
        "a hidden file": (".github/x", True),
        "an absolute path": ("/etc/passwd", False),
        "a home": ("~/x", False),
        "a parent": ("../x", False),
        "a parent inside": ("a/../x", False),
        "a parent last": ("a/..", False),
        "a dot": ("./x", False),
        "an empty part": ("a//b", False),
        "a folder": ("a/", False),
        "a backslash": ("a\\b", False),
        "a control character": ("a\x00b", False),
        "a newline": ("a\n", False),
        "nothing": ("", False),
    },
)
def test_paths_of_the_repository(text: str, allowed: bool) -> None:
    assert ids.is_repo_path(text) is allowed


@table(
    ("time", "exists"),
    {
        "a moment": ("2026-11-30T23:59:59Z", True),
        "with decimals": ("2026-11-30T23:59:59.123Z", True),
        "a leap day": ("2028-02-29T00:00:00Z", True),
        "no leap day": ("2026-02-29T00:00:00Z", False),
        "month 13": ("2026-13-01T00:00:00Z", False),
        "hour 24": ("2026-11-30T24:00:00Z", False),
    },
)
def test_times(time: str, exists: bool) -> None:
    assert ids.is_time(time) is exists


@table(
    ("times", "latest"),
    {
        "none": ([], ""),
        "decimals are later": (["2026-11-30T10:00:00Z", "2026-11-30T10:00:00.5Z"],) * 1
        + ("2026-11-30T10:00:00.5Z",),
        "more decimals are not": (
            ["2026-11-30T10:00:00.45Z", "2026-11-30T10:00:00.5Z"],
            "2026-11-30T10:00:00.5Z",
        ),
    },
)
def test_the_latest_time(times: list[str], latest: str) -> None:
    assert ids.latest(times) == latest
    assert ids.latest(reversed(times)) == latest


def test_trailing_zeros_make_no_other_moment() -> None:
    assert ids.moment("2026-11-30T10:00:00.50Z") == ids.moment("2026-11-30T10:00:00.5Z")
    assert ids.moment("2026-11-30T10:00:00.0Z") == ids.moment("2026-11-30T10:00:00Z")


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5)))
def test_the_digest_of_a_mapping_ignores_its_order(digests: dict[str, str]) -> None:
    assert ids.digest_map(digests) == ids.digest_map(dict(reversed(digests.items())))


def test_digests_are_what_sha256sum_says() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert ids.digest_bytes(b"") == f"sha256:{empty}"
    assert ids.digest_json({"b": 1, "a": [True, None]}) == ids.digest_bytes(
        b'{"a":[true,null],"b":1}'
    )


@pytest.mark.parametrize(("one", "other"), [("a-b", "a_b"), ("A_b", "a-b")])
def test_ids_that_people_confuse_are_folded(one: str, other: str) -> None:
    assert ids.fold_id(one) == ids.fold_id(other)


@given(st.text(max_size=12))
def test_no_path_leaves_the_repository(text: str) -> None:
    if ids.is_repo_path(text):
        assert not {"", ".", ".."} & set(text.split("/"))
        assert re.search(r"[\x00-\x1f\\]", text) is None
