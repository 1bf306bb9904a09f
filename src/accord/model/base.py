"""The base of every record: frozen, keyword-only, strict, and without a truth value of its own."""

from __future__ import annotations

from typing import ClassVar, NoReturn

import msgspec


class Record(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A frozen record as it stands in a file. Fields that hold their default are not written.

    `shorthand` names the field that a plain scalar stands for: `evidence: [schema]` means
    `evidence: [{id: schema}]` (section 3.5).
    """

    shorthand: ClassVar[str] = ""


class Explicit(Record, frozen=True, kw_only=True, omit_defaults=False, forbid_unknown_fields=True):
    """A record that is written with its defaults: its readers need not know accord."""


class Result(Explicit, frozen=True, kw_only=True):
    """What a rule found out. It has no truth value: ask the named question instead."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} has no truth value: ask for the field you mean")
