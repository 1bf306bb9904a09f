"""Records to files: canonical YAML, which reads back to the same value (section 3.1).

Fields come in the order of the record, maps sorted by key, None and defaults are left out. What
accord's own reader would refuse is not written at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT

from accord.errors import Refused, UsageError
from accord.model.base import Record
from accord.store.characters import find_forbidden, hint_character, name_character
from accord.store.emitter import write_comment, write_mapping
from accord.store.kinds import KINDS
from accord.store.parse import FORMAT, parse_file


def dump(record: Record, kind: str) -> bytes:
    """The canonical file of a record.

    Raises UsageError for a text with a character that no file may hold, and Refused, with all
    findings, for whatever else could not be read back: a text that is too long, a field that does
    not hold what its type says.
    """
    return _check_readable(encode(record, kind), kind)


def encode(record: Record, kind: str) -> bytes:
    """The same, for a comparison: whether it could be read back is not looked at."""
    return _encode(write_mapping({FORMAT: KINDS[kind].format} | _plain_record(record, "")))


def dump_draft(
    draft: Record | Mapping[str, object],
    kind: str,
    comments: Mapping[str, str],
    schema: str = "",
) -> bytes:
    """A file to be filled in: a record, or as much of one as is known, as plain data.

    None is a value to fill in. `comments` maps fields (`assessment.testability`) to what stands
    above them; a commented field that the draft lacks is written as a comment too, ready to be
    uncommented. Editors find the JSON Schema at `schema`, by default `<kind>.schema.json` beside
    the draft. Raises UsageError for a text with a character that no file may hold, KeyError for
    a field that the kind does not have, and for a record what `dump` raises.
    """
    plain = _plain_record(draft, "") if isinstance(draft, Record) else _plain(dict(draft), "")
    names = KINDS[kind].record_type.__struct_encode_fields__
    unknown = {*plain, *(field.partition(".")[0] for field in comments)}.difference(names)
    if unknown:
        raise KeyError(f"a {kind} has no field {', '.join(sorted(unknown))}")
    for field, comment in comments.items():
        _check_text(comment, f"the comment of {field}")
    lines = [
        f"# yaml-language-server: $schema={schema or f'{kind}.schema.json'}",
        f"{FORMAT}: {KINDS[kind].format}",
    ]
    for name in names:
        if name in plain:
            lines += write_mapping({name: plain[name]}, comments)
        elif name in comments:
            lines += [*write_comment(comments[name]), f"# {name}:"]
    data = _encode(lines)
    return _check_readable(data, kind) if isinstance(draft, Record) else data


def _check_readable(data: bytes, kind: str) -> bytes:
    _, findings = parse_file(data, f"{kind}.yaml", kind)
    if findings:
        raise Refused(f"the {kind} cannot be written as it is", findings)
    return data


def _encode(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _plain_record(record: Record, field: str) -> dict[str, Any]:
    """A record as plain data, without None and, where the record says so, without defaults."""
    plain = {}
    for name, key, default in _list_fields(type(record)):
        value = getattr(record, name)
        if value is None or value == default:
            continue
        if isinstance(value, Mapping):
            value = dict(sorted(value.items()))
        plain[key] = _plain(value, _join(field, key))
    return plain


@cache
def _list_fields(record_type: type[Record]) -> tuple[tuple[str, str, Any], ...]:
    """Name, key in the file, and the value that is not written, of each field."""
    leaves_out = record_type.__struct_config__.omit_defaults
    return tuple(
        (each.name, each.encode_name, _default_of(each) if leaves_out else NODEFAULT)
        for each in msgspec.structs.fields(record_type)
    )


def _default_of(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _plain(value: Any, field: str) -> Any:
    match value:
        case Record():
            return _plain_record(value, field)
        case Mapping():
            return {key: _plain(item, _join(field, key)) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item, f"{field}[{index}]") for index, item in enumerate(value)]
        case str():
            _check_text(value, field)
    return value


def _join(field: str, key: str) -> str:
    _check_text(key, f"a key of {field}" if field else "a key")
    return f"{field}.{key}" if field else key


def _check_text(text: str, field: str) -> None:
    forbidden = find_forbidden(text)
    if forbidden:
        raise UsageError(
            f"{field} holds {name_character(forbidden)}, which no file may hold",
            hint_character(forbidden),
        )
