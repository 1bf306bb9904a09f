"""Which files may hold a text, found without reading each of them as YAML.

However YAML writes a text down, the words of it stand there as they are. Only a double-quoted
scalar can spell a letter as an escape, or break a word at the end of a line; files with such
escapes are named too. So a search may name a file too many, and never leaves one out.
"""

from __future__ import annotations

import re
from collections.abc import Collection

# Enough to tell a text from others of its kind.
_WORDS = 8
_WORD = re.compile(r"[\w-]+")
_HIDING = re.compile(rb"\\[xuU]|\\$", re.MULTILINE)
# The same for `git grep`, whose basic expressions know no alternatives.
_HIDING_FOR_GREP = (r"\\[xuU]", r"\\$")


def matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern of paths, in which `*` is any one name."""
    names, wanted = path.split("/"), pattern.split("/")
    fits = all(want in ("*", name) for name, want in zip(names, wanted, strict=False))
    return len(names) == len(wanted) and fits


def pick_words(text: str) -> tuple[str, ...]:
    """The words to look for, all of them: numbers and long ones say most of what is meant."""
    words = sorted(set(_WORD.findall(text)))
    words.sort(key=lambda word: (any(map(str.isdigit, word)), len(word)), reverse=True)
    return tuple(words[:_WORDS])


def may_hold(data: bytes, texts: Collection[str]) -> bool:
    """Whether the bytes of a YAML file may hold one of these texts."""
    if _HIDING.search(data):
        return True
    wanted = [[word.encode() for word in pick_words(text)] for text in texts]
    return bool(data) and any(all(word in data for word in words) for words in wanted)


def grep_expressions(texts: Collection[str]) -> tuple[str, ...]:
    """The basic regular expressions by which `git grep` finds these files, and more of them.

    One word of each text: what it finds is few enough to be read.
    """
    words = {word for text in texts for word in pick_words(text)[:1] or ("",)}
    return (*_HIDING_FOR_GREP, *sorted(words))
