"""Every code that the rules give has an example that is accepted and one that is refused."""

from __future__ import annotations

import ast
from pathlib import Path

import accord.rules
from accord.model.finding import CODES
from tests.rules.examples import EXAMPLES, Example
from tests.support.tables import table

RULES = Path(accord.rules.__file__).parent


def _codes_in_the_rules() -> set[str]:
    words = {
        node.value
        for file in RULES.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return words & CODES.keys()


def test_the_table_is_complete() -> None:
    assert set(EXAMPLES) == _codes_in_the_rules()


@table(("code", "example"), {code: (code, example) for code, example in EXAMPLES.items()})
def test_it_is_accepted(code: str, example: Example) -> None:
    assert [finding for finding in example.accepts() if finding.severity == "error"] == []
    assert code not in {finding.code for finding in example.accepts()}


@table(("code", "example"), {code: (code, example) for code, example in EXAMPLES.items()})
def test_it_is_refused(code: str, example: Example) -> None:
    found = [finding for finding in example.refuses() if finding.code == code]
    assert found
    for finding in found:
        assert finding.path
        assert finding.message.strip()
        assert finding.hint.strip()
