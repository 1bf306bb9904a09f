"""From the position tree to typed records: every fault of a file, each with its place.

The types are what msgspec says of the records (`msgspec.inspect`), compiled once. The binder
makes plain data of strings and reports; msgspec's own strict conversion has the last word, so
what came through here holds for msgspec too.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import msgspec
from msgspec import inspect

from accord.model.finding import Finding
from accord.store.characters import quote
from accord.store.nodes import Mapping, Node, Scalar, Sequence
from accord.store.scalars import REFUSED, Near, ScalarType, compile_scalar
from accord.store.text import MAX_FINDINGS, MAX_ITEMS, limit

T = TypeVar("T")

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_NAME = re.compile(r"[\w.-]{1,64}\Z", re.ASCII)
_SHOWN_KEYS = 8
_LISTING = "The keys here: "
MAX_GUESSES = 5  # of what a word may mean, in one file: one takes a millisecond


def bind(node: Node, type_: type[T], path: str) -> tuple[T | None, tuple[Finding, ...]]:
    """Read a position tree as `type_`, a record or any type that records are made of.

    All faults are reported, in the order of the file, as `schema-invalid`. A missing key stands
    at the mapping that lacks it. There is no null: a key without a value is a fault, and a field
    that may be None is None when its key is left out.
    """
    faults: list[Fault] = []
    plain = _compile(cast(Hashable, type_)).bind(node, faults)
    if not faults:
        try:
            return msgspec.convert(plain, type_), ()
        except msgspec.ValidationError as error:  # a constraint that only msgspec knows
            faults.append(Fault(node, f"is not valid: {error}"))
    return None, _describe(faults, node, path)


def _describe(faults: list[Fault], root: Node, path: str) -> tuple[Finding, ...]:
    """The findings of a file. What a word may mean is looked up for the first few alone."""
    fields = _name_fields(root)
    faults.sort(key=lambda fault: (fault.node.line, fault.node.column))
    findings: list[Finding] = []
    guesses = MAX_GUESSES
    told: set[str] = set()
    for fault in faults[: MAX_FINDINGS + 1]:
        meant = None
        if fault.near is not None and guesses:
            guesses -= 1
            meant = fault.near.find()
        hint = f"Did you mean {meant}?" if meant else fault.hint
        if hint.startswith(_LISTING):
            hint = "Leave it out." if hint in told else hint
            told.add(hint)
        findings.append(fault.describe(fields, path, hint))
    return limit(findings, len(faults))


class Fault(NamedTuple):
    """What is wrong with a node, or with its key `key`, as the end of a sentence.

    `near` is a word that may mean another one: if it does, that is the hint.
    """

    node: Node
    predicate: str
    hint: str = ""
    near: Near | None = None
    key: str = ""

    def describe(self, fields: dict[int, str], path: str, hint: str) -> Finding:
        """The finding. Its sentence starts with the field, at the root with "the file"."""
        field = fields[id(self.node)]
        if self.key:
            field = _join(field, self.key)
        return Finding(
            code="schema-invalid",
            path=path,
            message=f"{field or 'the file'} {self.predicate}",
            hint=hint,
            line=self.node.line,
            column=self.node.column,
            field=field,
        )


class Binding(Protocol):
    """One type of the records: what it expects, and how a node becomes plain data."""

    expected: str

    def bind(self, node: Node, faults: list[Fault]) -> Any:
        """The plain data of a node; what does not fit is added to `faults`."""


class _Leaf:
    def __init__(self, type_: ScalarType) -> None:
        self._type = type_
        self._read = type_.read
        self.expected = type_.expected

    def bind(self, node: Node, faults: list[Fault]) -> Any:
        if not isinstance(node, Scalar) or (node.plain and node.value in _NULLS):
            faults.append(_misfit(node, self.expected))
            return None
        value = self._read(node.value)
        if value is REFUSED:
            faults.append(Fault(node, *self._type.explain(node.value)))
        return value


class _List:
    expected = "a list"

    def __init__(self, type_: inspect.VarTupleType) -> None:
        self._bind = _compile_inspected(type_.item_type).bind
        self._shortest = type_.min_length or 0
        self._longest = MAX_ITEMS if type_.max_length is None else type_.max_length

    def bind(self, node: Node, faults: list[Fault]) -> Any:
        if not isinstance(node, Sequence):
            faults.append(_misfit(node, self.expected, "A list has a line for each entry: - …"))
            return None
        count = len(node.items)
        if count < self._shortest:
            faults.append(Fault(node, f"has {count} entries; at least {self._shortest} are needed"))
        if count > self._longest:
            faults.append(Fault(node, f"has {count} entries; at most {self._longest} are allowed"))
        return [self._bind(item, faults) for item in node.items]


class _Map:
    def __init__(self, key: ScalarType, value: Binding) -> None:
        self._key = key
        self._value = value
        self.expected = f"a mapping; each key is {key.expected}"

    def bind(self, node: Node, faults: list[Fault]) -> Any:
        if not isinstance(node, Mapping):
            faults.append(_misfit(node, self.expected))
            return None
        plain = {}
        for key, value in node.entries:
            if self._key.read(key.value) is REFUSED:
                faults.append(Fault(key, *self._key.explain(key.value)))
            plain[key.value] = self._value.bind(value, faults)
        return plain


class _Struct:
    """A record. `nullable` are the keys that stand for None when they are left out."""

    def __init__(self, type_: inspect.StructType) -> None:
        self._fields = {each.encode_name: _compile_inspected(each.type) for each in type_.fields}
        required = [each for each in type_.fields if each.required]
        self._needed = [each.encode_name for each in required if not _is_optional(each.type)]
        self._nullable = [each.encode_name for each in required if _is_optional(each.type)]
        self._shorthand: str = getattr(type_.cls, "shorthand", "")
        keys = list(self._fields)
        shown = ", ".join(keys[:_SHOWN_KEYS]) + (", …" if len(keys) > _SHOWN_KEYS else "")
        self.expected = f"a mapping with the keys {shown}"
        if self._shorthand:
            self.expected = f"{self._fields[self._shorthand].expected}, or {self.expected}"

    def bind(self, node: Node, faults: list[Fault]) -> Any:
        if isinstance(node, Mapping):
            return self._bind_mapping(node, faults)
        if self._shorthand and isinstance(node, Scalar):
            return {self._shorthand: self._fields[self._shorthand].bind(node, faults)}
        faults.append(_misfit(node, self.expected))
        return None

    def _bind_mapping(self, node: Mapping, faults: list[Fault]) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        unknown: list[Scalar] = []
        for key, value in node.entries:
            field = self._fields.get(key.value)
            if field is None:
                unknown.append(key)
            else:
                plain[key.value] = field.bind(value, faults)
        if unknown:
            self._refuse_keys(unknown, faults)
        for name in self._needed:
            if name not in plain:
                hint = f"Write {name} as {self._fields[name].expected}."
                faults.append(Fault(node, "is missing", hint, key=name))
        for name in self._nullable:
            plain.setdefault(name)
        return plain

    def _refuse_keys(self, keys: list[Scalar], faults: list[Fault]) -> None:
        """Each with the key that it may mean; the list of all keys is told once."""
        predicate, hint = "is not a key that belongs here", f"{_LISTING}{', '.join(self._fields)}."
        faults += (Fault(key, predicate, hint, Near(key.value, self._fields)) for key in keys)


def _misfit(node: Node, expected: str, hint: str = "") -> Fault:
    """The fault of a node of the wrong kind, or of one without a value."""
    if not isinstance(node, Scalar):
        kind = "a mapping" if isinstance(node, Mapping) else "a list"
        return Fault(node, f"must be {expected}, not {kind}", hint)
    if node.plain and not node.value:
        return Fault(node, "has no value", "Leave it out, or write a value behind it.")
    if node.plain and node.value in _NULLS:
        no_null = "Leave it out; if it is meant as text, put it in quotes."
        return Fault(node, f"is {node.value}, and there is no null here", no_null)
    return Fault(node, f"must be {expected}, not {quote(node.value)}", hint)


@cache
def _compile(type_: Hashable) -> Binding:
    return _compile_inspected(inspect.type_info(type_))


def _compile_inspected(type_: inspect.Type) -> Binding:
    scalar = compile_scalar(type_)
    if scalar is not None:
        return _Leaf(scalar)
    match type_:
        case inspect.UnionType(types=(inner, inspect.NoneType())):
            return _compile_inspected(inner)
        case inspect.Metadata():
            return _compile_inspected(type_.type)
        case inspect.StructType():
            return _Struct(type_)
        case inspect.VarTupleType():
            return _List(type_)
        case inspect.DictType():
            key = compile_scalar(type_.key_type)
            if key is not None:
                return _Map(key, _compile_inspected(type_.value_type))
    raise TypeError(f"no record is made of {type_}")


def _is_optional(type_: inspect.Type) -> bool:
    return isinstance(type_, inspect.UnionType)


def _name_fields(root: Node) -> dict[int, str]:
    """The field of every node by identity, such as `evidence[0].digest`; a key's is its value's."""
    fields: dict[int, str] = {}
    todo: list[tuple[str, Node]] = [("", root)]
    while todo:
        field, node = todo.pop()
        fields[id(node)] = field
        if isinstance(node, Mapping):
            for key, value in node.entries:
                fields[id(key)] = name = _join(field, key.value)
                todo.append((name, value))
        elif isinstance(node, Sequence):
            todo.extend((f"{field}[{index}]", item) for index, item in enumerate(node.items))
    return fields


def _join(field: str, key: str) -> str:
    name = key if _NAME.match(key) else quote(key)
    return f"{field}.{name}" if field else name
