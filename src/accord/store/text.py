"""From bytes to text: the limits of a file, UTF-8, and the place of an offset (section 3.1)."""

from __future__ import annotations

from accord.model.finding import Finding

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_ITEMS = 1000
MAX_TEXT = 64 * 1024

TOO_DEEP = f"the file is nested more than {MAX_DEPTH} levels deep"
TOO_LONG = f"the list has more than {MAX_ITEMS:,} entries"
TOO_LARGE = f"the text has more than {MAX_TEXT:,} bytes"
HINT_LARGE = "Keep what is large in a file of its own and name it by its digest."


def read_text(data: bytes, path: str) -> tuple[str, tuple[Finding, ...]]:
    """The text of a file, or why it has none: it is too large, or something else than UTF-8."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; at most {MAX_BYTES:,} are read"
        too_large = Finding(code="file-too-large", path=path, message=message, hint=HINT_LARGE)
        return "", (too_large,)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        return "", (fault(path, place(before, len(before)), message, "Save the file as UTF-8."),)


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
    """Findings in the order in which a reader of the file meets them."""
    return tuple(sorted(findings, key=lambda each: (each.line or 0, each.column or 0)))
