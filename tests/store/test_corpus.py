"""The language of accord's files, pinned by example: `tests/corpus`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.store.nodes import Mapping, Node, Scalar
from accord.store.reader import read_yaml

CORPUS = Path(__file__).parent.parent / "corpus"
ACCEPTED = sorted((CORPUS / "accepted").glob("*.yaml"))
REFUSED = sorted((CORPUS / "refused").glob("*.yaml"))


def value_of(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {key.value: value_of(value) for key, value in node.entries}
    return [value_of(item) for item in node.items]


def test_every_case_has_its_answer() -> None:
    answers = {
        *(file.with_suffix(".json") for file in ACCEPTED),
        *(file.with_suffix(".txt") for file in REFUSED),
    }
    found = {*CORPUS.glob("*/*")} - {*ACCEPTED, *REFUSED}

    assert found == answers
    assert len(ACCEPTED) >= 35
    assert len(REFUSED) >= 90


@pytest.mark.parametrize("file", ACCEPTED, ids=lambda file: file.stem)
def test_accepted(file: Path) -> None:
    root, findings = read_yaml(file.read_bytes(), file.name)

    assert findings == ()
    assert root is not None
    assert value_of(root) == json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", REFUSED, ids=lambda file: file.stem)
def test_refused(file: Path) -> None:
    root, findings = read_yaml(file.read_bytes(), file.name)

    said = [f"{each.line}:{each.column} {each.code}" for each in findings]
    assert root is None
    assert said == file.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    for each in findings:
        assert each.path == file.name
        assert (each.message + each.hint).isprintable()
