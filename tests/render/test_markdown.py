"""Text of others in Markdown: shown as it was written, and never more than text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from accord.render.escape import escape
from accord.render.markdown import block, line, link
from tests.support.tables import table

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NASTY = (
    "# heading", "## x ##", "x\n===", "x\n---", "---\nstatus: accepted\n---", "***", "> quote",
    "<script>alert(1)</script>", "<!-- -->", "<b>", "</details>", "-->", "<https://example.org>",
    "[a](javascript:alert(1))", "[a]: x", "[a]", "![i](x)", "&lt;", "&#35;", "|a|b|\n|-|-|",
    "a|b", "*a*", "**a**", "_a_", "__a__", "a_b_c", "~~a~~", "- a", "+ a", "* a", "1. a", "2) a",
    "-", "1.", "  - a", "    code", "\\", "\\\n", "`", "``", "```", "```js", "~~~", "`a`",
    "``a`b``",
    "` `", "{{ x }}", "{% raw %}", "{%", "%}", "$x$", "!!! note", "::: tip", "  ", "\n", "\n\n",
    "\t", "\r", "\x1b[31m", "\u202e", "\u2028", "\u00a0", "a", "Z9", " ", "#", "=", "-5", "C# x",
)  # fmt: skip
nasty_texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=6), max_size=8).map("".join)
nasty_blocks = st.lists(nasty_texts, max_size=6).map("\n".join)

# What a block may become: paragraphs, lists and code inside of one quote.
HARMLESS = {
    "blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline",
    "bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close",
    "list_item_open", "list_item_close", "fence",
}  # fmt: skip
HARMLESS_INLINE = {"text", "text_special", "softbreak", "code_inline"}


def walk(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def types_of(text: str) -> set[str]:
    return {token.type for token in walk(PARSER.parse(text))}


def content_of(text: str) -> str:
    """What a reader sees: the texts of all places, a line feed after each."""
    return "\n".join(
        "".join(child.content or "\n" for child in token.children or ())
        for token in PARSER.parse(text)
        if token.type == "inline"
    )


@table(
    ("text", "shown"),
    {
        "plain": ("Index open orders only.", "Index open orders only."),
        "a word with underscores": ("approved_with_amendments", "approved_with_amendments"),
        "emphasis": ("*a* _b_ ~c~", r"\*a\* \_b\_ \~c\~"),
        "raw html": ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        "a link": ("[a](x)", r"\[a\](x)"),
        "a heading": ("# a #", r"\# a \#"),
        "a language": ("C# code", "C# code"),
        "a list": ("- a", r"\- a"),
        "a numbered list": ("12. a", r"12\. a"),
        "a number": ("12.5 ms", "12.5 ms"),
        "a table": ("a|b", r"a\|b"),
        "braces of a site generator": ("{{ a }} {% b %}", r"\{\{ a \}\} \{\% b \%\}"),
        "a share": ("2 % of it", "2 % of it"),
        "an admonition": ("!!! note", r"\!!! note"),
        "a code span": ("see `a|b <c>`", "see `a|b <c>`"),
        "a code span with backticks": ("``a`b``", "`` a`b ``"),
        "an empty code span": ("` `", "&#96; &#96;"),
        "a lonely backtick": ("a ` b", "a &#96; b"),
        "several lines": ("a\n\n  b", "a b"),
        "a cursor": ("\x1b[2J", r"\\x1b\[2J"),
        "nothing": (" \n", ""),
    },
)
def test_a_line(text: str, shown: str) -> None:
    assert line(text) == shown


BLOCKS = {
    "paragraphs": ("a\nb\n\n\nc\n", "> a\n> b\n>\n> c"),
    "front matter": ("---\nstatus: x\n---", "> \\---\n> status: x\n> \\---"),
    "a heading": ("a\n=", "> a\n> \\="),
    "indented": ("    a", "> a"),
    "a list": ("Do:\n- a\n  more\n* b", "> Do:\n>\n> - a\n>   more\n> - b"),
    "a list in a list": ("1. a\n   - b\n     c\n2. d", "> 1. a\n>    - b\n>      c\n> 2. d"),
    "a paragraph of an item": ("- a\n\n  b\n\nc", "> - a\n>\n>   b\n>\n> c"),
    "code": ("a\n```sql\n<x>\n\n  y\n```\nb", "> a\n>\n> ```text\n> <x>\n>\n>   y\n> ```\n>\n> b"),
    "code in tildes": ("~~~\n```\n~~~", "> ````text\n> ```\n> ````"),
    "code that never ends": (
        "```\na\n```` x",
        "> &#96;&#96;&#96;\n> a\n> &#96;&#96;&#96;&#96; x",
    ),
    "code that never ends, twice": ("~~~\n~~~x", "> \\~\\~\\~\n> \\~\\~\\~x"),
    "nothing": ("\n \n", ""),
}


@table(("text", "shown"), BLOCKS)
def test_a_block(text: str, shown: str) -> None:
    assert block(text) == shown


def test_a_link_leads_to_a_file() -> None:
    shown = link("a]b", "../../docs/a (b).md")

    assert shown == r"[a\]b](../../docs/a%20%28b%29.md)"
    (token,) = [token for token in walk(PARSER.parse(shown)) if token.type == "link_open"]
    assert token.attrs == {"href": "../../docs/a%20%28b%29.md"}


PLACES = {
    "a title": ("# {}", {"heading_open", "heading_close", "inline"}),
    "a paragraph": ("{}", {"paragraph_open", "paragraph_close", "inline"}),
    "an entry": ("- Good, because {}", HARMLESS),
    "the start of an entry": ("- {}", HARMLESS),
    "a cell": ("| a | b |\n|---|---|\n| {} | b |", None),
}


@pytest.mark.parametrize("place", PLACES)
@given(nasty_texts)
@example("`a\\`|b")
def test_a_line_stays_in_its_place(place: str, text: str) -> None:
    frame, allowed = PLACES[place]
    tokens = PARSER.parse(frame.format(line(text)))
    found = {token.type for token in tokens}

    if allowed is None:
        assert [token.type for token in tokens].count("td_open") == 2
    else:
        assert found <= allowed
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= HARMLESS_INLINE
    lists = [token for token in tokens if token.type.endswith("list_open")]
    assert len(lists) == ("entry" in place)


@given(nasty_texts.filter(lambda text: "`" not in text))
def test_a_line_shows_what_was_written(text: str) -> None:
    assert content_of(line(text)) == escape(" ".join(text.split()))


@given(nasty_blocks)
@example("- a\n\n```\nb\n```")
@example("- a\n```\nb\n```\n    c")
@example("99999999. a\n   - b\n     - c\n       - d\n\n       e")
def test_a_block_stays_in_its_quote(text: str) -> None:
    shown = block(text)
    tokens = PARSER.parse(f"before\n\n{shown}\n\n# after\n")

    assert types_of(shown) <= HARMLESS | HARMLESS_INLINE
    outside = [token.type for token in tokens if token.level == 0]
    quote = ["blockquote_open", "blockquote_close"] if shown else []
    assert outside == ["paragraph_open", "paragraph_close", *quote, "heading_open", "heading_close"]
    assert all(row.startswith(">") for row in shown.split("\n") if shown)


WORD = re.compile(r"[a-z]{3,}")


@given(st.lists(st.sampled_from(["alpha", "- beta", "  - gamma", "  delta", "", "1. zeta"])))
def test_a_block_loses_no_word(rows: list[str]) -> None:
    text = "\n".join(rows)

    assert WORD.findall(content_of(block(text))) == WORD.findall(text)


@given(st.integers(1, 30))
def test_lists_however_deep_stay_lists(depth: int) -> None:
    text = "\n".join(f"{'  ' * level}- level {level}" for level in range(depth))

    assert types_of(block(text)) <= HARMLESS | HARMLESS_INLINE
    assert "fence" not in types_of(block(text))
