"""A whole decision in memory, as many files as a decision has."""

from __future__ import annotations

from accord.model.paths import POLICY
from accord.store.writer import dump
from benchmarks.generate import build_policy, decide

_POLICY = build_policy()
_REVISION = "0" * 40
POLICY_FILE = dump(_POLICY, "policy")
FILES = {POLICY: POLICY_FILE, **decide(0, _POLICY, _REVISION).files}
