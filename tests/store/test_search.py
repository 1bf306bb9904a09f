"""Searching: whatever reads as a text is found, and little else."""

from __future__ import annotations

from io import StringIO
from typing import Any, Literal

from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from accord.store.search import Search, pick_words
from tests.store.strategies import texts
from tests.support.tables import table

Style = Literal["|", ">", '"', "'"] | None
STYLES: tuple[Style, ...] = ("|", ">", '"', "'", None)


@given(texts(), st.sampled_from(STYLES), st.integers(2, 80))
@example("a word that is too long for its line", '"', 4)
@example("wörter", '"', 80)
def test_a_file_that_another_tool_wrote_is_found_too(text: str, style: Style, width: int) -> None:
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_style, yaml.width, yaml.allow_unicode = style, width, width % 2 == 0
    written = StringIO()
    yaml.dump({"text": text}, written)
    assert Search(text).may_be_in(written.getvalue().encode())


@table(
    ("data", "found"),
    {
        "all its words": (b"text: Keep 3 copies of each page\n", True),
        "over two lines": (b"text: >\n  Keep 3 copies\n  of each page\n", True),
        "one word less": (b"text: Keep copies of each page\n", False),
        "a letter escaped": (b'text: "\\x4Beep"\n', True),
        "a word that is broken": (b'text: "Ke\\\n  ep"\n', True),
        "a quote escaped": (b'text: "say \\"no\\""\n', False),
        "nothing of it": (b"text: no\n", False),
        "empty": (b"", False),
    },
)
def test_all_words_of_a_text_are_looked_for(data: bytes, found: bool) -> None:
    assert Search("another one", "Keep 3 copies of each page").may_be_in(data) is found


def test_the_words_that_say_most_are_looked_for() -> None:
    text = "we will keep 3 copies of every single page for at least twelve months, from 2027 on"
    words = pick_words(text)
    assert set(words[:2]) == {"2027", "3"}
    assert len(words) == 8
    assert "we" not in words


def test_a_text_without_words_may_be_anywhere() -> None:
    assert Search("?!").may_be_in(b"text: ?\n")
    assert not Search("?!").may_be_in(b"")
