"""A ledger, read as somebody reads it who has the page about it and no accord."""

from __future__ import annotations

import hashlib
import json
from itertools import groupby
from typing import Any


def read_lines(ledger: bytes) -> list[dict[str, Any]]:
    """The objects of a ledger, in the order of its lines."""
    return [json.loads(line) for line in ledger.decode("ascii").splitlines()]


def find_breaks(ledger: bytes) -> list[int]:
    """The numbers of the lines whose `prev` is not what it must be."""
    lines = list(enumerate(ledger.decode("ascii").splitlines(), start=1))
    breaks = []
    for _, group in groupby(lines, key=lambda line: json.loads(line[1])["decision"]):
        of_decision = list(group)
        last = json.loads(of_decision[-1][1])
        expected = last["digest"] if last["event"] == "record" else None
        for number, line in of_decision:
            if json.loads(line).get("prev") != expected:
                breaks.append(number)
            expected = "sha256:" + hashlib.sha256(line.encode()).hexdigest()
    return breaks
