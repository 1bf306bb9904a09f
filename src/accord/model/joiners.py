"""The two joiners, U+200C and U+200D: invisible, and a part of how many languages are written.

Persian parts a word with one, Indic scripts choose the form of letters with both, and emoji are
put together by one. There they may stand, much as in RFC 5892 (appendix A): between two letters
of a script that joins them, behind the sign that kills a vowel, between two emoji. Anywhere else
nobody could tell that they are there.

The characters are listed, and not asked of Python: a file reads the same under every version.
"""

from __future__ import annotations

import re

_LETTER = (  # letters and marks of Arabic, Syriac, N'Ko, Mongolian, Indic scripts and their like
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef"
    "\u06fa-\u06fc\u06ff\u0710-\u07b1\u07ca-\u07f5\u07fa-\u07fd\u0800-\u082d\u0840-\u085b"
    "\u0860-\u0887\u0889-\u088e\u0898-\u08e1\u08e3-\u0963\u0971-\u09e3\u09f0-\u09f1\u09fc"
    "\u09fe-\u0a5e\u0a70-\u0a75\u0a81-\u0ae3\u0af9-\u0b63\u0b71\u0b82-\u0bd7\u0c00-\u0c63"
    "\u0c80-\u0c83\u0c85-\u0ce3\u0cf1-\u0d4e\u0d54-\u0d57\u0d5f-\u0d63\u0d7a-\u0ddf"
    "\u0df2-\u0df3\u0f00\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1700-\u1734\u1740-\u17d3\u17d7\u17dc-\u17dd"
    "\u180b-\u180d\u180f\u1820-\u18aa\u1a20-\u1a7f\u1aa7\u1b00-\u1b4c\u1b6b-\u1b73"
    "\u1b80-\u1baf\u1bba-\u1bf3\u1cd0-\u1cd2\u1cd4-\u1cfa\ua800-\ua827\ua82c\ua840-\ua873"
    "\ua880-\ua8c5\ua8e0-\ua8f7\ua8fb\ua8fd-\ua8ff\ua930-\ua953\ua960-\ua9c0\ua9cf"
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f\uaae0-\uaaef\uaaf2-\uaaf6"
    "\uabc0-\uabea\uabec-\uabed\ufb50-\ufbb1\ufbd3-\ufd3d\ufd50-\ufdc7\ufdf0-\ufdfb"
    "\ufe70-\ufefc"
)
_VIRAMA = (
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0f84\u1039"
    "\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\ua806\ua82c\ua8c4"
    "\ua953\ua9c0\uaaf6\uabed"
)
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa"
    "\U0001f400-\U0001faff"
)
_AFTER_PICTURE = "\ufe0f\U0001f3fb-\U0001f3ff"  # shown as a picture, the tone of a skin

JOINERS = "\u200c\u200d"
_JOINING = re.compile(
    rf"(?<=[{_LETTER}])[{JOINERS}](?=[{_LETTER}])"
    rf"|(?<=[{_VIRAMA}])[{JOINERS}](?!\n|\Z)"
    rf"|(?<=[{_PICTURE}{_AFTER_PICTURE}])\u200d(?=[{_PICTURE}])"
)


def is_joining(text: str, at: int) -> bool:
    """Whether the character of a text at a place is a joiner that joins what stands around it."""
    return _JOINING.match(text, at) is not None
