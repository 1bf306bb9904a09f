"""Text from files is untrusted: nothing in it may move a cursor or turn a line around."""

from __future__ import annotations

from unicodedata import category

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def escape(text: str) -> str:
    r"""One line that shows every control, bidi and invisible character as `\x1b` or `\u202e`.

    Line breaks are shown too: what should be one line stays one.
    """
    if text.isprintable():
        return text
    return "".join(_show(char) if category(char) in _HIDDEN else char for char in text)


def escape_lines(text: str) -> str:
    """The same for text of several lines: line feeds stay, nothing else that is invisible."""
    return "\n".join(escape(line) for line in text.split("\n"))


def _show(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
