"""Named tables of cases: the name of a row is the name of its test."""

from __future__ import annotations

from collections.abc import Mapping

import pytest


def table(arguments: str | tuple[str, ...], rows: Mapping[str, object]) -> pytest.MarkDecorator:
    """Run a test once for each row, whose value is its arguments."""
    return pytest.mark.parametrize(arguments, list(rows.values()), ids=list(rows))
