"""What a string must be for a field to take it: text, number, truth value, word (section 3.1).

Every scalar of a file is a string until one of these types it. `read` gives the value or REFUSED;
`explain` then says, as the end of a sentence, what was expected, and how to mend it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, Protocol

from msgspec import inspect

from accord.model.ids import is_time
from accord.store.characters import quote

REFUSED: Final = object()

_LONGEST = 40  # of a word that is looked for among others
MAX_INTEGER = 2**53 - 1  # what RFC 8785 can write, and so what a digest can cover
_DIGITS = re.compile(r"(?:0|[1-9][0-9]{0,15})\Z")
_CHECKS: dict[str, tuple[Callable[[str], bool], str]] = {
    "": (lambda _: True, ""),
    "time": (is_time, "names a moment that does not exist"),
}
_TRUTH = {"true": True, "false": False}
_MEANT = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


class Near(NamedTuple):
    """A word that may be a misspelt one of those that are known. To look takes a while."""

    word: str
    known: Iterable[str]

    def find(self) -> str | None:
        """The known word that it most likely means, if any is near."""
        from difflib import get_close_matches

        folded = {each.lower().replace("-", "_"): each for each in self.known}
        word = self.word[:_LONGEST].lower().replace("-", "_")
        near = get_close_matches(word, folded, n=1, cutoff=0.7)
        return folded[near[0]] if near else None


class Wrong(NamedTuple):
    """What is wrong with a value, as the end of a sentence; a hint, and a word that it may mean."""

    predicate: str
    hint: str = ""
    near: Near | None = None


class ScalarType(Protocol):
    """The type of a field that one scalar fills."""

    expected: str

    def read(self, value: str) -> object:
        """The typed value, or REFUSED."""

    def explain(self, value: str) -> Wrong:
        """Why `value` was refused."""


class Text:
    """A string, by pattern, length, and a check that no pattern can express."""

    def __init__(self, type_: inspect.StrType, description: str, check: str) -> None:
        self._matches = re.compile(type_.pattern or "").search
        self._shortest = type_.min_length or 0
        self._longest = type_.max_length
        self._is_real, self._unreal = _CHECKS[check]
        self.expected = description or "text"

    def read(self, value: str) -> object:
        if (
            len(value) < self._shortest
            or (self._longest is not None and len(value) > self._longest)
            or not self._matches(value)
            or not self._is_real(value)
        ):
            return REFUSED
        return value

    def explain(self, value: str) -> Wrong:
        if not value:
            return Wrong(f"must be {self.expected}, and is empty")
        if self._longest is not None and len(value) > self._longest:
            return Wrong(f"has {len(value):,} characters; at most {self._longest:,} are allowed")
        if self._unreal and self._matches(value):
            return Wrong(f"{self._unreal}: {quote(value)}")
        return Wrong(f"must be {self.expected}, not {quote(value)}")


class Integer:
    """A whole number without sign, fraction or leading zero."""

    def __init__(self, type_: inspect.IntType) -> None:
        self._least = max(type_.ge or 0, 0)
        self._most = MAX_INTEGER if type_.le is None else type_.le
        upper = "" if type_.le is None else f" to {self._most:,}"
        self.expected = f"a whole number from {self._least:,}{upper}"

    def read(self, value: str) -> object:
        if not _DIGITS.match(value):
            return REFUSED
        number = int(value)
        return number if self._least <= number <= self._most else REFUSED

    def explain(self, value: str) -> Wrong:
        hint = "" if _DIGITS.match(value) else "Write digits alone, without a leading zero."
        return Wrong(f"must be {self.expected}, not {quote(value)}", hint)


class Choice:
    """One word of a few; `true` and `false` are such words."""

    def __init__(self, values: dict[str, object]) -> None:
        self._values = values
        *most, last = values
        self.expected = f"{', '.join(most)} or {last}" if most else last

    def read(self, value: str) -> object:
        return self._values.get(value, REFUSED)

    def explain(self, value: str) -> Wrong:
        near = Near(_MEANT.get(value.lower(), value), self._values)
        return Wrong(f"must be {self.expected}, not {quote(value)}", near=near)


def compile_scalar(
    type_: inspect.Type, description: str = "", extra: dict[str, Any] | None = None
) -> ScalarType | None:
    """The scalar type for what msgspec says of a field, None if it is no scalar."""
    match type_:
        case inspect.Metadata():
            told = str((type_.extra_json_schema or {}).get("description", ""))
            return compile_scalar(type_.type, told, type_.extra)
        case inspect.StrType():
            return Text(type_, description, str((extra or {}).get("check", "")))
        case inspect.IntType():
            return Integer(type_)
        case inspect.BoolType():
            return Choice(dict(_TRUTH))
        case inspect.LiteralType():
            return Choice({str(value): value for value in type_.values})
    return None
