"""The YAML of accord: a defined language, not whatever a parser accepts (section 3.1).

First a lexical check of the text, then ruamel's C event parser, and where that refuses a file of
up to 8 KiB, ruamel's pure parser has the last word. C and pure are two languages; after the
lexical check they were never seen to read one text as two values. The corpus in `tests/corpus`
pins what comes out. What the pure parser may be asked has bounds: it takes a tenth of a
millisecond a byte, and more than a second for a thousand brackets that nothing closes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from accord.errors import CannotJudge
from accord.model.finding import Finding
from accord.store.characters import (
    find_forbidden,
    hint_character,
    list_forbidden,
    name_character,
    quote,
)
from accord.store.nodes import Mapping, Node, Scalar, Sequence
from accord.store.text import (
    HINT_LARGE,
    MAX_DEPTH,
    MAX_FINDINGS,
    MAX_ITEMS,
    MAX_TEXT,
    TOO_DEEP,
    TOO_LARGE,
    TOO_LONG,
    fault,
    is_too_long,
    limit,
    place,
    read_text,
    sort_by_place,
)

# Beyond these the C parser has the last word, since the other takes seconds for such a file.
MAX_ASKED_AGAIN = 8192  # bytes
MAX_BRACKETS = 256
AskAgain = Callable[[str], Iterator[Any]]

_MARKER = re.compile(r"^(?:%|---|\.\.\.)", re.MULTILINE)
_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)
_ONE_SIDE = (
    "Take one side whole, of the file and its signature alike: `git checkout --ours -- FILE"
    " FILE.sig`, or --theirs; in a commit that is made, restore both from one of its parents."
)
_FIRST_MARKERS = (b"%", b"---", b"...")
_INNER_MARKERS = (b"\n%", b"\n---", b"\n...")
_HARMLESS = bytes(range(0x20, 0x7F)) + b"\n"
_HINTS = {
    "mapping values are not allowed": "Put a text that holds a colon and a space in quotes.",
    "cannot start any token": "Put a text that starts with a special character in quotes.",
    "while scanning an alias": "Put a text that starts with * in quotes.",
    "could not find expected ':'": "A key ends in a colon and a space; its text is indented.",
    "<block end>": "The keys of a mapping, and the dashes of a list, start in one column.",
    "escape character": "In double quotes a backslash is written twice, in single quotes once.",
    "end of stream": "The quote that starts here is not closed.",
    "<stream end>": "The bracket that starts here is not closed.",
}


def parse_pure(text: str) -> Iterator[Any]:
    """The events of ruamel's pure parser."""
    from ruamel.yaml import YAML

    return iter(YAML(typ="safe", pure=True).parse(text))


def read_yaml(
    data: bytes, path: str, ask_again: AskAgain = parse_pure
) -> tuple[Node | None, tuple[Finding, ...]]:
    """Read a YAML file into its position tree, or say everything that keeps it from being one.

    `ask_again` gives the events of the pure parser; whoever reads much counts how often it is
    asked. Raises CannotJudge when the C parser is not installed: another one reads another
    language.
    """
    text, findings = read_text(data, path)
    if not findings and not _is_harmless(data):
        findings = _find_lexical(text, path)
    if findings:
        return None, findings
    parse, refusals = _load_parser()
    builder = _Builder(path)
    try:
        builder.build(parse(data))
    except refusals as refusal:
        builder = _Builder(path)
        try:
            if len(data) > MAX_ASKED_AGAIN or text.count("[") + text.count("{") > MAX_BRACKETS:
                raise refusal
            builder.build(ask_again(text))
        except CannotJudge:
            raise
        except Exception as last_word:  # whatever it stumbles over is not in the language
            return None, (_describe_refusal(path, text, last_word, refusal),)
    return builder.finish()


def _is_harmless(data: bytes) -> bool:
    """Whether there is surely nothing to find. Most files pass here, at a tenth of the cost."""
    return (
        not data.translate(None, _HARMLESS)
        and not data.startswith(_FIRST_MARKERS)
        and not any(marker in data for marker in _INNER_MARKERS)
    )


def _find_lexical(text: str, path: str) -> tuple[Finding, ...]:
    """Each forbidden character once, at its first place, with how often it is there."""
    first: dict[str, int] = {}
    times: Counter[str] = Counter()
    for match in list_forbidden(text):
        first.setdefault(match[0], match.start())
        times[match[0]] += 1
    found = [(at, character) for character, at in first.items()]
    found += [(match.start(), match[0]) for match in _MARKER.finditer(text)]
    found.sort()
    # To find a line takes as long as the file is, so it is done for those that are told.
    told = [
        _describe_marker(path, place(text, at), what)
        if what not in times
        else _describe_character(path, place(text, at), what, times[what])
        for at, what in found[: MAX_FINDINGS + 1]
    ]
    return limit(told, len(found))


def _describe_character(path: str, at: tuple[int, int], character: str, times: int) -> Finding:
    often = f", {times:,} times and here first" if times > 1 else ""
    message = f"{name_character(character)} may not stand in a file{often}"
    return fault(path, at, message, hint_character(character))


def _describe_marker(path: str, at: tuple[int, int], marker: str) -> Finding:
    hint = "A file is one document without directives; indent a text that holds such a line."
    return fault(path, at, f'no line may start with "{marker}"', hint)


def _load_parser() -> tuple[Callable[[bytes], Iterator[Any]], type[Exception]]:
    """The C parser's events, and what it raises. Imported when the first file is read."""
    try:
        from _ruamel_yaml import CParser, YAMLError
    except ImportError as error:
        raise CannotJudge(
            "the C part of the YAML reader is not installed",
            "Install it: pip install 'ruamel.yaml[oldlibyaml]'",
        ) from error
    return lambda data: iter(CParser(data).get_event, None), YAMLError


def _describe_refusal(path: str, text: str, last_word: Exception, refusal: Exception) -> Finding:
    """What the pure parser says; where it only stumbles, what and where the C parser says."""
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        message = "a merge left its conflict here"
        return fault(path, place(text, conflict.start()), message, _ONE_SIDE)
    told: Any = last_word if getattr(last_word, "problem_mark", None) else refusal
    problem = ", ".join(str(part) for part in (told.context, told.problem) if part)
    hint = next((hint for words, hint in _HINTS.items() if words in problem), "")
    is_open = told.context_mark is not None and "stream" in told.problem
    mark = told.context_mark if is_open else told.problem_mark
    return fault(path, (mark.line + 1, mark.column + 1), f"this is not YAML: {problem}", hint)


class _Full(Exception):
    """A limit is passed: nothing more is read, however much there is."""


class _Builder:
    """Makes the tree from events, without recursion, and notes what accord's YAML does not have.

    `_items` are those of the innermost open collection; those of a mapping are key, value, key, …
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._findings: list[Finding] = []
        self._open: list[tuple[Any, list[Node], float]] = []
        self._items: list[Node] = []
        self._limit = math.inf

    def build(self, events: Iterable[Any]) -> None:
        """Take in events until they end or a limit is passed."""
        try:
            for event in events:
                handle = _HANDLERS.get(type(event).__name__)
                if handle is not None:
                    handle(self, event)
        except _Full:
            return

    def finish(self) -> tuple[Node | None, tuple[Finding, ...]]:
        """The tree, or the findings in the order of the file."""
        if self._findings:
            return None, sort_by_place(self._findings)
        if not self._items:
            return None, (fault(self._path, (1, 1), "the file is empty"),)
        return self._items[0], ()

    def scalar(self, event: Any) -> None:
        mark, value, style = event.start_mark, event.value, event.style
        scalar = Scalar(value, mark.line + 1, mark.column + 1, not style)
        if event.anchor is not None or event.ctag is not None:
            self._refuse_properties(event)
        if style == '"' or len(value) * 4 > MAX_TEXT:
            self._check_value(scalar)
        self._items.append(scalar)
        if len(self._items) > self._limit:
            self._overflow()

    def alias(self, event: Any) -> None:
        at = _place(event)
        hint = "Write the value out; put a text that starts with * in quotes."
        self._refuse(at, f"an alias, {quote(event.anchor)}, is not allowed", hint)
        self._add(Scalar("", *at))

    def open_mapping(self, event: Any) -> None:
        self._open_collection(event, math.inf)

    def open_sequence(self, event: Any) -> None:
        self._open_collection(event, MAX_ITEMS)

    def close_mapping(self, _: Any) -> None:
        keys, values = self._items[::2], self._items[1::2]
        mark = self._close()
        scalars = self._check_keys(keys)
        entries = tuple(zip(scalars, values, strict=False))
        self._add(Mapping(entries, mark.line + 1, mark.column + 1))

    def close_sequence(self, _: Any) -> None:
        items = tuple(self._items)
        mark = self._close()
        self._add(Sequence(items, mark.line + 1, mark.column + 1))

    def _open_collection(self, event: Any, limit: float) -> None:
        if event.anchor is not None or event.ctag is not None:
            self._refuse_properties(event)
        self._open.append((event.start_mark, self._items, self._limit))
        self._items, self._limit = [], limit
        if len(self._open) > MAX_DEPTH:
            self._refuse(_place(event), TOO_DEEP)
            raise _Full

    def _close(self) -> Any:
        mark, self._items, self._limit = self._open.pop()
        return mark

    def _add(self, node: Node) -> None:
        self._items.append(node)
        if len(self._items) > self._limit:
            self._overflow()

    def _overflow(self) -> NoReturn:
        mark = self._open[-1][0]
        self._refuse((mark.line + 1, mark.column + 1), TOO_LONG)
        raise _Full

    def _check_keys(self, keys: list[Node]) -> list[Scalar]:
        """The keys, if they are good ones; else what is left of them, next to a finding."""
        seen: dict[str, Scalar] = {}
        for key in keys:
            if not isinstance(key, Scalar):
                at = (key.line, key.column)
                self._refuse(at, "a key must be a text, not a list or a mapping")
                continue
            if key.value in seen or (key.plain and key.value in _KEY_FAULTS):
                self._refuse_key(key, seen.get(key.value))
            seen[key.value] = key
        return list(seen.values())

    def _check_value(self, scalar: Scalar) -> None:
        """Only an escape in double quotes can bring in what the lexical check keeps out."""
        smuggled = find_forbidden(scalar.value)
        if smuggled:
            message = f"an escape stands for {name_character(smuggled)}, which no value may hold"
            self._refuse((scalar.line, scalar.column), message, hint_character(smuggled))
        if is_too_long(scalar.value):
            self._refuse((scalar.line, scalar.column), TOO_LARGE, HINT_LARGE)

    def _refuse_properties(self, event: Any) -> None:
        if event.anchor is not None:
            hint = "Write the value out; put a text that starts with & in quotes."
            self._refuse(_place(event), f"an anchor, {quote(event.anchor)}, is not allowed", hint)
        if event.tag is not None:
            hint = "The field gives the type; put a text that starts with ! in quotes."
            self._refuse(_place(event), f"a tag, {quote(event.tag)}, is not allowed", hint)

    def _refuse_key(self, key: Scalar, earlier: Scalar | None) -> None:
        if earlier is None:
            self._refuse((key.line, key.column), *_KEY_FAULTS[key.value])
            return
        message = f"the key {quote(key.value)} stands here once more"
        self._refuse((key.line, key.column), message, f"It stands already in line {earlier.line}.")

    def _refuse(self, at: tuple[int, int], message: str, hint: str = "") -> None:
        self._findings.append(fault(self._path, at, message, hint))


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


_KEY_FAULTS = {
    "": ("a key is empty", "Put a text that starts with a colon in quotes."),
    "<<": ("a merge key is not allowed", "Write the keys out."),
}
_HANDLERS: dict[str, Callable[[_Builder, Any], None]] = {
    "ScalarEvent": _Builder.scalar,
    "AliasEvent": _Builder.alias,
    "MappingStartEvent": _Builder.open_mapping,
    "SequenceStartEvent": _Builder.open_sequence,
    "MappingEndEvent": _Builder.close_mapping,
    "SequenceEndEvent": _Builder.close_sequence,
}
