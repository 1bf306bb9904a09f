"""JSON Schemas of the kinds of files, for editors and for whoever checks drafts elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from accord.store.kinds import KINDS
from accord.store.parse import FORMAT

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Where drafts in the repository look for their schemas, from its root. Nothing of accord reads it.
SCHEMAS = ".accord"

Schema = dict[str, Any]


def schema_for(path: str, kind: str) -> str:
    """The schema of a draft at a path of the repository, as seen from there."""
    return "../" * path.count("/") + f"{SCHEMAS}/{kind}.schema.json"


def json_schema(kind: str) -> Schema:
    """The JSON Schema (2020-12) of a kind of `KINDS`.

    It says what the binder says, as far as JSON Schema can: null is nowhere allowed, a record
    with a shorthand is also what the shorthand stands for.
    """
    expected = KINDS[kind]
    definitions: Schema = _tidy(msgspec.json.schema(expected.record_type))["$defs"]
    for name, field in _find_shorthands(inspect.type_info(expected.record_type)):
        record = definitions[name]
        if "anyOf" not in record:
            definitions[name] = {"anyOf": [record["properties"][field], record]}
    root = definitions.pop(expected.record_type.__name__)
    root["properties"] = {FORMAT: {"const": expected.format}, **root["properties"]}
    root["required"] = [FORMAT, *root.get("required", ())]
    return {"$schema": DIALECT, **root, "$defs": definitions}


def _tidy(schema: Any) -> Any:
    """A schema without null, and with the end of a pattern as other languages write it."""
    if isinstance(schema, list):
        return [_tidy(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {keyword: _tidy_value(keyword, value) for keyword, value in schema.items()}
    if "required" in schema:
        nullable = {name for name, each in schema["properties"].items() if _allows_null(each)}
        tidy["required"] = [name for name in schema["required"] if name not in nullable]
    if _allows_null(schema):
        (only,) = (each for each in tidy.pop("anyOf") if each != {"type": "null"})
        tidy.pop("default", None)
        tidy |= only
    return tidy


def _tidy_value(keyword: str, value: Any) -> Any:
    if keyword in ("properties", "$defs"):  # their keys are names, not keywords
        return {name: _tidy(each) for name, each in value.items()}
    if keyword == "pattern":
        return value.replace(r"\Z", "$")
    return value if keyword == "default" else _tidy(value)


def _allows_null(schema: Schema) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def _find_shorthands(type_: inspect.Type) -> Iterator[tuple[str, str]]:
    """The records below a type that have a shorthand, with the field that it stands for."""
    match type_:
        case inspect.StructType():
            if shorthand := getattr(type_.cls, "shorthand", ""):
                yield type_.cls.__name__, shorthand
            for field in type_.fields:
                yield from _find_shorthands(field.type)
        case inspect.UnionType():
            for each in type_.types:
                yield from _find_shorthands(each)
        case inspect.VarTupleType():
            yield from _find_shorthands(type_.item_type)
        case inspect.DictType():
            yield from _find_shorthands(type_.value_type)
