"""Which files may hold a text, found without reading each of them as YAML.

However YAML writes a text down, the words of it stand there as they are. Only a double-quoted
scalar can spell a letter as an escape, or break a word at the end of a line; files with such
escapes are named too. So a search may name a file too many, and never leaves one out.
"""

from __future__ import annotations

import re

# Enough to tell a text from others of its kind.
_WORDS = 8
_WORD = re.compile(r"[\w-]+")
_HIDING = re.compile(rb"\\[xuU]|\\$", re.MULTILINE)


def pick_words(text: str) -> tuple[str, ...]:
    """The words to look for, all of them: numbers and long ones say most of what is meant."""
    words = sorted(set(_WORD.findall(text)))
    words.sort(key=lambda word: (any(map(str.isdigit, word)), len(word)), reverse=True)
    return tuple(words[:_WORDS])


class Search:
    """A search for any of some texts."""

    def __init__(self, *texts: str) -> None:
        self._wanted = [tuple(word.encode() for word in pick_words(text)) for text in texts]

    def may_be_in(self, data: bytes) -> bool:
        """Whether the bytes of a YAML file may hold one of the texts."""
        if any(all(word in data for word in words) for words in self._wanted):
            return bool(data)
        return _HIDING.search(data) is not None
