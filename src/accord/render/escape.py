"""Text from files is untrusted: it moves no cursor, turns no line around, commands no CI job."""

from __future__ import annotations

import re
from unicodedata import category

from accord.model.joiners import is_joining

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What the log of a CI job obeys: GitHub a line that begins with two colons (white space and colour
# aside), GitHub, Azure and TeamCity `##word[` anywhere, GitLab the marks of a section.
_COMMAND = re.compile(
    r"^(?:[^\S\n]|\x1b\[[0-9;]*m)*:(?=:)"
    r"|\#(?=\#[a-z]*\[)"
    r"|section_(?:start|end):(?=[0-9])",
    re.MULTILINE | re.IGNORECASE,
)


def escape(text: str) -> str:
    r"""One line that shows every control, bidi and invisible character as `\x1b` or `\u202e`.

    Line breaks are shown too: what should be one line stays one. Joiners between what they join
    stay as they are, since languages are written with them.
    """
    if text.isprintable():
        return text
    return "".join(
        _show(char) if category(char) in _HIDDEN and not is_joining(text, at) else char
        for at, char in enumerate(text)
    )


def escape_lines(text: str) -> str:
    """The same for text of several lines: line feeds stay, nothing else that is invisible."""
    return "\n".join(escape(line) for line in text.split("\n"))


def disarm(text: str) -> str:
    r"""Text in which no line is a command to the CI job that prints it: `\x3a:error::`."""
    return _COMMAND.sub(lambda found: found[0][:-1] + _show(found[0][-1]), text)


def disarm_json(text: str) -> str:
    """The same for JSON, where the commands can stand in strings only: the value stays the same."""
    return _COMMAND.sub(lambda found: f"{found[0][:-1]}\\u{ord(found[0][-1]):04x}", text)


def _show(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
