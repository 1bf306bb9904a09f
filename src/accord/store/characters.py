"""The characters that no file of accord may hold, and how to speak of them (section 3.1).

They are invisible, reorder the text that a reviewer sees, or are read differently by different
parsers. Joiners may stand where they join something. Neither the text of a file nor a value that
an escape stands for may hold one, so what was read can always be written again and shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.model.joiners import is_joining

FORBIDDEN = re.compile(
    "["
    "\x00-\x09\x0b-\x1f\x7f-\x9f"  # C0 but LF, DEL, C1 with NEL
    "\xad\u034f\u180e\u200b-\u200d\u2060-\u2065\ufeff"  # zero-width, and the byte order mark
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidirectional controls
    "\u2028\u2029"  # LS, PS
    "\ud800-\udfff"  # lone surrogates
    "\ufff9-\ufffb\ufffe\uffff"  # interlinear annotations, and what YAML itself refuses
    "\U000e0000-\U000e0fff"  # tags and supplementary variation selectors
    "]"
)

_NAMES = {
    "\x00": "NUL",
    "\t": "TAB",
    "\r": "carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
    "\x85": "next line",
    "\ufeff": "byte order mark",
}
_UNNAMED = {
    "Cc": "a control character",
    "Cn": "not a character",
    "Cs": "half of a surrogate pair",
}
_HINTS = {
    "\u200c": "It may stand between two letters that it parts or joins; remove it here.",
    "\u200d": "It may stand between two letters or two emoji that it joins; remove it here.",
    "\t": "Indent and align with spaces.",
    "\r": "Save the file with line feeds (LF) alone, as Unix does.",
    "\ufeff": "Save the file as UTF-8 without a byte order mark.",
}


def list_forbidden(text: str) -> Iterator[re.Match[str]]:
    """Every character of a text that may not stand where it does."""
    return (match for match in FORBIDDEN.finditer(text) if not is_joining(text, match.start()))


def find_forbidden(text: str) -> str | None:
    """The first such character, or None."""
    return next((match[0] for match in list_forbidden(text)), None)


def name_character(character: str) -> str:
    """A character in words and as a code point: `U+200B (zero width space)`. Safe to print."""
    return f"U+{ord(character):04X} ({_NAMES.get(character) or _describe(character)})"


def hint_character(character: str) -> str:
    """How to get rid of a forbidden character."""
    return _HINTS.get(character, "Remove it.")


def quote(text: str, limit: int = 60) -> str:
    """Text of a file for a message: in quotes, on one line, at most `limit` characters of it.

    What cannot be seen, such as a line feed or a no-break space, is shown as an escape.
    """
    shown = "".join(
        character if character.isprintable() else f"\\u{{{ord(character):x}}}"
        for character in text[:limit]
    )
    return f'"{shown}{"…" if len(text) > limit else ""}"'


def _describe(character: str) -> str:
    import unicodedata

    unnamed = _UNNAMED.get(unicodedata.category(character), "unnamed")
    return unicodedata.name(character, unnamed).lower()
