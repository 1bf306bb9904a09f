"""From the field that a finding names to its line and column in the file."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from accord.model.finding import Finding
from accord.store.json_reader import read_json
from accord.store.nodes import Node, find_position
from accord.store.parse import is_json
from accord.store.reader import read_yaml


def place_finding(finding: Finding, data: bytes) -> Finding:
    """The finding with line and column, as far as `data`, the bytes of its file, shows them."""
    if finding.line is not None or not finding.field:
        return finding
    node = _read(data, finding.path)
    position = find_position(node, finding.field) if node is not None else None
    if position is None:
        return finding
    return msgspec.structs.replace(finding, line=position[0], column=position[1])


@lru_cache(maxsize=8)  # many findings are about one file
def _read(data: bytes, path: str) -> Node | None:
    return (read_json if is_json(data, path) else read_yaml)(data, path)[0]
