"""The one form that all spellings of a URI have (RFC 3986, 6.2).

What a decision leans on is one thing however it is written: case of scheme and host, escapes
that need not be, dots in the path, an empty path, a port that is the scheme's own. Fragments
name a part of what was read and are dropped.
"""

from __future__ import annotations

import re

_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?://(?P<authority>[^/?#]*))?"
    r"(?P<path>[^?#]*)(?P<query>\?[^#]*)?"
)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PORTS = {"http": "80", "https": "443"}


def normalise_uri(uri: str) -> str:
    """The normal form of a URI, without its fragment; any other text as it is."""
    parts = _PARTS.match(uri)
    if parts is None:
        return uri
    scheme, path, query = parts["scheme"].lower(), parts["path"], parts["query"] or ""
    if parts["authority"] is None:
        return f"{scheme}:{_unescape(path)}{_unescape(query)}"
    path = _remove_dots(_unescape(path)) or ("/" if scheme in _PORTS else "")
    return f"{scheme}://{_normalise_authority(scheme, parts['authority'])}{path}{_unescape(query)}"


def _unescape(text: str) -> str:
    """Escapes in upper case, and none where the character may stand as it is."""

    def read(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if char in _UNRESERVED else found[0].upper()

    return _ESCAPE.sub(read, text)


def _normalise_authority(scheme: str, authority: str) -> str:
    user, at, host = authority.rpartition("@")
    host = _ESCAPE.sub(lambda found: found[0].upper(), _unescape(host).lower())
    name, colon, port = host.rpartition(":")
    if colon and port in ("", _PORTS.get(scheme)):
        host = name
    return f"{_unescape(user)}{at}{host}"


def _remove_dots(path: str) -> str:
    """RFC 3986, 5.2.4."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[max(len(kept) - 1, 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
