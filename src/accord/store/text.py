"""From bytes to text: the limits of a file, UTF-8, and the place of an offset (section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from accord.model.finding import Finding

MAX_BYTES = 256 * 1024
MAX_EVIDENCE = 10 * 1024 * 1024
MAX_DEPTH = 32
MAX_ITEMS = 1000
MAX_TEXT = 64 * 1024
MAX_FINDINGS = 50  # of one file; nobody reads more, and a file can hold tens of thousands

TOO_DEEP = f"the file is nested more than {MAX_DEPTH} levels deep"
TOO_LONG = f"the list has more than {MAX_ITEMS:,} entries"
TOO_LARGE = f"the text has more than {MAX_TEXT:,} bytes"
HINT_LARGE = "Keep what is large in a file of its own and name it by its digest."


def read_text(data: bytes, path: str) -> tuple[str, tuple[Finding, ...]]:
    """The text of a file, or why it has none: it is too large, or something else than UTF-8."""
    if len(data) > MAX_BYTES:
        return "", (too_large(path, len(data)),)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        return "", (fault(path, place(before, len(before)), message, "Save the file as UTF-8."),)


def too_large(path: str, size: int, most: int = MAX_BYTES, hint: str = HINT_LARGE) -> Finding:
    """The finding about a file of more bytes than are read; it need not have been read."""
    message = f"the file has {size:,} bytes; at most {most:,} are read"
    return Finding(code="file-too-large", path=path, message=message, hint=hint)


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset into a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def is_too_long(value: str) -> bool:
    """Whether a text has more than 64 KiB in UTF-8, which takes four bytes a character at most."""
    return len(value) * 4 > MAX_TEXT and len(value.encode("utf-8", "replace")) > MAX_TEXT


def fault(path: str, at: tuple[int, int], message: str, hint: str = "") -> Finding:
    """A finding about the language of a file, YAML or JSON, at a line and column."""
    line, column = at
    return Finding(
        code="yaml-invalid", path=path, message=message, hint=hint, line=line, column=column
    )


def sort_by_place(findings: list[Finding]) -> tuple[Finding, ...]:
    """Findings of a file in the order in which a reader meets them, no more than are read."""
    ordered = sorted(findings, key=lambda each: (each.line or 0, each.column or 0))
    return limit(ordered, len(ordered))


def limit(findings: Sequence[Finding], count: int) -> tuple[Finding, ...]:
    """The first findings of a file, and how many more there are of `count` in all.

    `findings` are the first of them, in order: one more than are told, if there are more.
    """
    told = tuple(findings[:MAX_FINDINGS])
    if count <= MAX_FINDINGS:
        return told
    last = findings[MAX_FINDINGS]
    rest = Finding(
        code=last.code,
        path=last.path,
        message=f"from here on {count - MAX_FINDINGS:,} more faults are in this file",
        hint="Fix those that are told, and look again.",
        line=last.line,
        column=last.column,
    )
    return (*told, rest)
