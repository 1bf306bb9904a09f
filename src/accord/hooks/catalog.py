"""The hooks: id, stage, what each does. `.pre-commit-hooks.yaml` agrees with this table."""

from __future__ import annotations

from typing import NamedTuple


class Hook(NamedTuple):
    """One hook as pre-commit knows it: its id, the stages of git it runs at, what it does."""

    id: str
    stages: tuple[str, ...]
    summary: str


HOOKS: dict[str, Hook] = {
    hook.id: hook
    for hook in (
        Hook(
            "accord-verify",
            ("pre-commit", "pre-merge-commit"),
            "Judge what is staged against HEAD.",
        ),
        Hook(
            "accord-generate",
            ("pre-commit",),
            "Write records and pages that are due, and fail.",
        ),
        Hook("accord-range", ("pre-push",), "Judge what each branch brings to the remote."),
    )
}
