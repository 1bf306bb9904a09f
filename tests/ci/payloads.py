"""Payloads of GitHub's webhooks, in their shape: much that accord does not ask for is in them."""

from __future__ import annotations

ZEROS = "0" * 40

_USER = {"login": "octocat", "id": 1, "type": "User", "site_admin": False}
_REPOSITORY = {
    "id": 186853002,
    "name": "orders",
    "full_name": "octo-org/orders",
    "private": False,
    "owner": _USER,
    "fork": False,
    "default_branch": "main",
    "topics": [],
}


def pull_request(base_sha: str, head_sha: str, base: str = "main") -> dict[str, object]:
    """`pull_request`, here from a fork, whose title and branch are the attacker's."""
    tip = {"user": _USER, "repo": _REPOSITORY}
    return {
        "action": "synchronize",
        "number": 7,
        "pull_request": {
            "id": 279147437,
            "state": "open",
            "title": "::error title=hello::world",
            "body": None,
            "user": _USER,
            "draft": False,
            "mergeable": None,
            "merge_commit_sha": None,
            "head": {"label": "evil:$(id)", "ref": "$(id)", "sha": head_sha, **tip},
            "base": {"label": f"octo-org:{base}", "ref": base, "sha": base_sha, **tip},
            "labels": [],
            "commits": 1,
        },
        "repository": _REPOSITORY,
        "sender": _USER,
    }


def merge_group(base_sha: str, head_sha: str, base: str = "main") -> dict[str, object]:
    """`merge_group`: what a merge queue tries out."""
    return {
        "action": "checks_requested",
        "merge_group": {
            "head_sha": head_sha,
            "head_ref": f"refs/heads/gh-readonly-queue/{base}/pr-7-{base_sha}",
            "base_sha": base_sha,
            "base_ref": f"refs/heads/{base}",
            "head_commit": {"id": head_sha, "message": "Merge pull request #7"},
        },
        "repository": _REPOSITORY,
        "sender": _USER,
    }


def push(before: str, after: str, ref: str = "refs/heads/main") -> dict[str, object]:
    """`push`, also of a new branch (before is zeros) and of a removal (after is zeros)."""
    return {
        "ref": ref,
        "before": before,
        "after": after,
        "created": before == ZEROS,
        "deleted": after == ZEROS,
        "forced": False,
        "base_ref": None,
        "commits": [],
        "head_commit": None,
        "repository": _REPOSITORY,
        "pusher": {"name": "octocat"},
        "sender": _USER,
    }
