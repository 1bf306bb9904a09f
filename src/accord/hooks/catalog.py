"""The hooks: id, stage, what each does. `.pre-commit-hooks.yaml` has those of a developer."""

from __future__ import annotations

from typing import NamedTuple


class Hook(NamedTuple):
    """One hook: its id, the stages of git it runs at, what it does."""

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
        Hook(
            "accord-commit-msg",
            ("commit-msg",),
            "Ask for the decision that allows a change of guarded code.",
        ),
        Hook("accord-range", ("pre-push",), "Judge what each branch brings to the remote."),
        Hook("accord-receive", ("pre-receive",), "On a server: judge a push before it is taken."),
    )
}
