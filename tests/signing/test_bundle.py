"""What accord reads of a bundle by itself."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from accord.signing.bundle import MAX_BUNDLE, find_signing_time, parse_bundle
from accord.signing.wire import Malformed
from tests.support.tables import table

LOGGED = {"integratedTime": "1700000000", "inclusionPromise": {"signedEntryTimestamp": "x"}}


def bundle(entry: Any, stamps: Any = None) -> dict[str, Any]:
    material: dict[str, Any] = {"tlogEntries": [entry]}
    if stamps is not None:
        material["timestampVerificationData"] = {"rfc3161Timestamps": stamps}
    return {"verificationMaterial": material}


def test_the_time_of_the_log() -> None:
    assert find_signing_time(bundle(LOGGED)) == "2023-11-14T22:13:20Z"


@table(
    ("plain", "words"),
    {
        "nothing": ({}, "no time that a log"),
        "no entry": ({"verificationMaterial": {"tlogEntries": []}}, "no time that a log"),
        "a time that nothing binds": (bundle({"integratedTime": "1700000000"}), "no time"),
        "no time": (bundle({"inclusionPromise": {}}), "no time that a log"),
        "no number": (bundle(LOGGED | {"integratedTime": "soon"}), "cannot be read"),
        "beyond all years": (bundle(LOGGED | {"integratedTime": "9" * 30}), "no time|cannot be"),
        "an entry that is none": (bundle("x"), "no time that a log"),
        "two timestamps": (bundle({}, [{}, {}]), "several timestamps"),
        "no timestamp": (bundle({}, []), "several timestamps"),
        "a timestamp that is none": (
            bundle({}, [{"signedTimestamp": base64.b64encode(b"x").decode()}]),
            "cannot be read",
        ),
        "a timestamp that is no text": (bundle({}, [{"signedTimestamp": "!"}]), "cannot be read"),
    },
)
def test_no_time(plain: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        find_signing_time(plain)


@table(
    ("data", "words"),
    {
        "too large": (b" " * (MAX_BUNDLE + 1), "larger than"),
        "no JSON": (b"{", "no JSON"),
        "no text": (b"\xff", "no JSON"),
        "a list": (b"[]", "no JSON object"),
    },
)
def test_no_bundle(data: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse_bundle(data)
