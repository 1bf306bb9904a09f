"""From bytes to a record: size, characters, YAML or JSON, format, types (section 3.1).

What a file holds never raises here: it gives a record, or findings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping
from typing import Any

import msgspec

from accord.model.base import Record
from accord.model.finding import Finding
from accord.store.binder import bind
from accord.store.characters import quote
from accord.store.json_reader import read_json
from accord.store.kinds import KINDS, Kind
from accord.store.nodes import Mapping, Node, Scalar, Sequence
from accord.store.reader import AskAgain, parse_pure, read_yaml

FORMAT = "format"

_FORMAT = re.compile(r"accord/(?P<kind>[a-z]{1,40})/(?P<major>[1-9][0-9]{0,8})\Z")
_YAML_NAMES = (".yaml", ".yml")


def parse_file(
    data: bytes, path: str, kind: str, ask_again: AskAgain = parse_pure
) -> tuple[Record | None, tuple[Finding, ...]]:
    """Read a file of a kind of `KINDS`: the record, or every reason why it is none.

    `format: accord/<kind>/1` must be its first key; a file of another kind or major number is
    `unsupported-format`, and nothing else is said of it. `ask_again` is as in `read_yaml`. Raises
    CannotJudge when a part of the YAML reader is not installed.
    """
    root, findings = read_yaml(data, path, ask_again)
    if root is None:
        return None, findings
    if not isinstance(root, Mapping):
        return None, (_refuse_root(root, path),)
    expected = KINDS[kind]
    return _bind_body(root, path, expected, _check_first(root, path, expected))


def parse_draft(
    data: bytes, path: str, kind: str, known: AnyMapping[str, object]
) -> tuple[Record | None, tuple[Finding, ...]]:
    """Read what somebody hands over with `--from`: YAML or JSON, without what accord knows.

    Keys that the file leaves out are filled from `known` (plain data, or records); `format` may
    be missing too. JSON is what is named `.json`, and, under a name that does not say YAML, what
    starts with a brace.
    """
    root, findings = (read_json if is_json(data, path) else read_yaml)(data, path)
    if root is None:
        return None, findings
    if not isinstance(root, Mapping):
        return None, (_refuse_root(root, path),)
    given = {key.value for key, _ in root.entries}
    at = (root.line, root.column)
    filled = tuple(
        (Scalar(key, *at), _make_node(value, at))
        for key, value in msgspec.to_builtins(dict(known)).items()
        if key not in given and value is not None
    )
    whole = Mapping(root.entries + filled, *at)
    return _bind_body(whole, path, KINDS[kind], ())


def _bind_body(
    root: Mapping, path: str, kind: Kind, findings: tuple[Finding, ...]
) -> tuple[Record | None, tuple[Finding, ...]]:
    """The record of everything but the format, which is checked."""
    for key, value in root.entries:
        if key.value == FORMAT:
            unsupported = _check_format(value, path, kind)
            if unsupported:
                return None, unsupported
    body = tuple(entry for entry in root.entries if entry[0].value != FORMAT)
    record, faults = bind(Mapping(body, root.line, root.column), kind.record_type, path)
    return (None if findings else record), findings + faults


def _check_first(root: Mapping, path: str, kind: Kind) -> tuple[Finding, ...]:
    """Whether the first key is the format, so that the first line says what a file is."""
    keys = [key for key, _ in root.entries]
    if keys and keys[0].value == FORMAT:
        return ()
    late = next((key for key in keys if key.value == FORMAT), None)
    at = late or root
    return (
        Finding(
            code="schema-invalid",
            path=path,
            message=f"{FORMAT} is missing" if late is None else f"{FORMAT} must be the first key",
            hint=f"The first line of the file is: {FORMAT}: {kind.format}",
            line=at.line,
            column=at.column,
            field=FORMAT,
        ),
    )


def _check_format(value: Node, path: str, kind: Kind) -> tuple[Finding, ...]:
    written = value.value if isinstance(value, Scalar) else ""
    if written == kind.format:
        return ()
    said = _FORMAT.match(written)
    if said is None:
        shown = quote(written) if isinstance(value, Scalar) else "no text"
        message = f"{FORMAT} must be {kind.format}, and is {shown}"
        hint = f"The first line of the file is: {FORMAT}: {kind.format}"
    elif said["kind"] != kind.name:
        message = f"this file says that it is a {said['kind']}; here belongs a {kind.name}"
        hint = f"Move it to where it belongs, or write {FORMAT}: {kind.format}"
    else:
        message = f"{written} needs another accord; this one reads {kind.format}"
        hint = "Install the accord that the project uses."
    return (
        Finding(
            code="unsupported-format",
            path=path,
            message=message,
            hint=hint,
            line=value.line,
            column=value.column,
            field=FORMAT,
        ),
    )


def _refuse_root(root: Node, path: str) -> Finding:
    found = "a list" if isinstance(root, Sequence) else "a text"
    return Finding(
        code="schema-invalid",
        path=path,
        message=f"the file must be a mapping of keys to values, not {found}",
        line=root.line,
        column=root.column,
    )


def is_json(data: bytes, path: str) -> bool:
    name = path.lower()
    if name.endswith(_YAML_NAMES):
        return False
    return name.endswith(".json") or data.lstrip()[:1] == b"{"


def _make_node(plain: Any, at: tuple[int, int]) -> Node:
    """Plain data as a tree, so that what accord fills in is bound like what people write."""
    match plain:
        case dict():
            entries = ((Scalar(key, *at), _make_node(value, at)) for key, value in plain.items())
            return Mapping(tuple(entries), *at)
        case list() | tuple():
            return Sequence(tuple(_make_node(item, at) for item in plain), *at)
        case bool():
            return Scalar("true" if plain else "false", *at)
    return Scalar(str(plain), *at)
