"""The JSON Schemas say what the binder says, as far as JSON Schema can."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.store.kinds import KINDS
from accord.store.nodes import Mapping, Node, Scalar
from accord.store.reader import read_yaml
from accord.store.schema import json_schema
from accord.store.writer import dump
from tests.store.examples import VOTE
from tests.store.strategies import records

Schema = dict[str, Any]

TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
}


def fits(value: Any, schema: Schema, root: Schema) -> bool:
    """A small judge of the keywords that the schemas use; any other is an error."""
    return all(_KEYWORDS[word](value, said, schema, root) for word, said in schema.items())


def follow(value: Any, said: str, _: Schema, root: Schema) -> bool:
    return fits(value, root["$defs"][said.removeprefix("#/$defs/")], root)


def has_type(value: Any, said: str, *_: Schema) -> bool:
    return isinstance(value, TYPES[said]) and (said != "integer" or not isinstance(value, bool))


def properties_fit(value: Any, said: Schema, schema: Schema, root: Schema) -> bool:
    return all(fits(value[name], said[name], root) for name in said.keys() & value.keys())


def additional_fit(value: Any, said: Any, schema: Schema, root: Schema) -> bool:
    more = [value[name] for name in value.keys() - schema.get("properties", {}).keys()]
    return not more if said is False else all(fits(each, said, root) for each in more)


def names_fit(value: Any, said: Schema, _: Schema, root: Schema) -> bool:
    return all(fits(name, said, root) for name in value)


_IS_SAID = ("$schema", "$defs", "title", "description", "default", "format")
_KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(_IS_SAID, lambda *_: True),
    "$ref": follow,
    "type": has_type,
    "properties": properties_fit,
    "additionalProperties": additional_fit,
    "propertyNames": names_fit,
    "anyOf": lambda value, said, _, root: any(fits(value, each, root) for each in said),
    "items": lambda value, said, _, root: all(fits(each, said, root) for each in value),
    "required": lambda value, said, *_: set(said) <= value.keys(),
    "const": lambda value, said, *_: value == said,
    "enum": lambda value, said, *_: value in said,
    "pattern": lambda value, said, *_: re.search(said, value) is not None,
    "minLength": lambda value, said, *_: len(value) >= said,
    "maxLength": lambda value, said, *_: len(value) <= said,
    "maxItems": lambda value, said, *_: len(value) <= said,
    "minimum": lambda value, said, *_: value >= said,
    "maximum": lambda value, said, *_: value <= said,
}


def as_editors_see(node: Node) -> Any:
    """The value of a file to a tool that reads plain `1` as a number and `true` as a truth."""
    if isinstance(node, Scalar):
        is_typed = node.plain and re.fullmatch(r"true|false|[0-9]+", node.value)
        return json.loads(node.value) if is_typed else node.value
    if isinstance(node, Mapping):
        return {key.value: as_editors_see(value) for key, value in node.entries}
    return [as_editors_see(item) for item in node.items]


def read(data: bytes) -> Any:
    root, findings = read_yaml(data, "f")
    assert findings == ()
    assert root is not None
    return as_editors_see(root)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_what_accord_writes_fits(kind: str, data: st.DataObject) -> None:
    schema = json_schema(kind)

    value = read(dump(data.draw(records(kind)), kind))

    assert fits(value, schema, schema)


@pytest.mark.parametrize("kind", KINDS)
def test_the_format_comes_first_and_is_needed(kind: str) -> None:
    schema = json_schema(kind)

    assert next(iter(schema)) == "$schema"
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert next(iter(schema["properties"])) == schema["required"][0] == "format"
    assert schema["properties"]["format"] == {"const": f"accord/{kind}/1"}
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_no_null_and_no_pattern_of_python_alone(kind: str) -> None:
    text = json.dumps(json_schema(kind))

    assert "null" not in text
    assert r"\\Z" not in text


# name: (old text, new text) of a spoilt vote
SPOILT: dict[str, tuple[str, str]] = {
    "format": ("accord/vote/1", "accord/vote/2"),
    "missing": ("round: 1\n", ""),
    "unknown": ("round: 1\n", "round: 1\nruond: 1\n"),
    "number": ("round: 1", "round: one"),
    "pattern": ("voter: implementer", "voter: The Implementer"),
    "line feed at the end": ("voter: implementer", 'voter: "implementer\\nx"'),
    "word": ("vote: disagree", "vote: LGTM"),
    "shorthand": ("testability: strong", "testability: great"),
    "deep": ("blocking: true", "blocking: 7"),
    "list": ("[OVER_ENGINEERING]", "OVER_ENGINEERING"),
}


@pytest.mark.parametrize(("old", "new"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_vote_does_not_fit(old: str, new: str) -> None:
    schema = json_schema("vote")
    assert VOTE.count(old) == 1

    assert not fits(read(VOTE.replace(old, new).encode()), schema, schema)


def test_a_vote_as_people_write_it_fits() -> None:
    schema = json_schema("vote")

    assert fits(read(VOTE.encode()), schema, schema)
    assert schema["$defs"]["Concern"]["anyOf"][0]["type"] == "string"
    assert schema["$defs"]["Concern"]["anyOf"][1]["type"] == "object"


def test_what_may_be_none_without_a_default_is_not_required() -> None:
    rules = json_schema("round")["$defs"]["Rules"]

    assert "anchored" in rules["required"]
    assert "independence" not in rules["required"]
