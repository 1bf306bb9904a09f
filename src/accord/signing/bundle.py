"""A Sigstore bundle, as far as accord reads it itself (sigstore/protobuf-specs, bundle v0.3).

What it says is worth nothing before the bundle was verified. The time of the log is read here,
since it is bound by the log's own signature over the entry, which the verification checks.
"""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Any

from accord.signing.wire import Malformed

MAX_BUNDLE = 65536  # bytes: a bundle has some 5,000


def parse_bundle(data: bytes) -> dict[str, Any]:
    """The JSON object of a bundle. Raises Malformed."""
    if len(data) > MAX_BUNDLE:
        raise Malformed(f"it is larger than {MAX_BUNDLE:,} bytes")
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"it is no JSON: {error}") from error
    if not isinstance(plain, dict):
        raise Malformed("it is no JSON object")
    return plain


def find_signing_time(plain: dict[str, Any]) -> str:
    """When a verified bundle was signed, by the log or else by the timestamp authority: RFC 3339.

    Raises Malformed where several timestamps leave open which of them was verified.
    """
    try:
        material = plain["verificationMaterial"]
        entry = material["tlogEntries"][0]
        integrated = int(entry.get("integratedTime") or 0)
        if integrated and entry.get("inclusionPromise"):
            return _render(datetime.fromtimestamp(integrated, UTC))
        stamps = material["timestampVerificationData"]["rfc3161Timestamps"]
        if len(stamps) != 1:
            raise Malformed("it has several timestamps, and no log says which one holds")
        return _render(_read_stamp(base64.b64decode(stamps[0]["signedTimestamp"], validate=True)))
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError, OSError) as error:
        raise Malformed("it says no time that a log or an authority vouches for") from error
    except (ValueError, binascii.Error) as error:
        raise Malformed(f"its time cannot be read: {error}") from error


def _read_stamp(response: bytes) -> datetime:
    from rfc3161_client import decode_timestamp_response

    return decode_timestamp_response(response).tst_info.gen_time


def _render(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
