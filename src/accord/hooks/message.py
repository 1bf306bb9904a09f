"""Whether guarded code that is staged has its decision (githooks(5), commit-msg).

It is here and not at pre-commit, since a commit may name the decision in its message. On a branch
of its own, work and decision grow together: there a decision that is still under way will do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from accord.errors import UsageError
from accord.flow.clock import read_clock
from accord.model.finding import Finding
from accord.rules.guards import Demand
from accord.store.git import Repository
from accord.store.history import list_trailers
from accord.store.load import load_policy
from accord.store.refs import find_branch, find_nearest_fork, find_remote
from accord.store.trailers import read_trailers
from accord.store.tree import Tree
from accord.verify.guarded import TRAILER, Landing, find_changes, find_unwarranted

# What `git commit -v` shows below this line is no part of the message.
_SCISSORS = re.compile(rb"^. -+ >8 -+$", re.MULTILINE)


def judge_message(repository: Repository, arguments: Sequence[str]) -> tuple[Finding, ...]:
    """Judge what is staged, and the message in the file that git names as first argument."""
    if not arguments:
        raise UsageError("no file with a message is named", "git runs this hook, as commit-msg")
    head = repository.head()
    policy = load_policy(repository.commit(head)).policy if head else None
    if head is None or policy is None or not policy.guarded:
        return ()
    base, index = repository.commit(head), repository.index()
    changes = find_changes(repository, base, index, policy)
    if not changes:
        return ()
    branch = repository.branch()
    demand: Demand = "in force" if branch in policy.protected else "under way"
    since = base if demand == "in force" else _find_start(repository, head, policy.protected)
    named = _read_trailers(repository, Path(arguments[0]))
    merged = repository.git_dir / "MERGE_HEAD"
    if merged.is_file():
        for oid in merged.read_text(encoding="ascii", errors="replace").split():
            named |= list_trailers(repository, head, oid, TRAILER)
    landing = Landing(since, index, read_clock(), named)
    return find_unwarranted(repository, policy, landing, changes, demand)


def _find_start(repository: Repository, head: str, protected: Sequence[str]) -> Tree:
    """Where this branch left a protected one: the decisions since then arrive with it."""
    finders = (find_remote, find_branch)
    tips = (find(repository, one) for one in protected for find in finders)
    fork = find_nearest_fork(repository, head, filter(None, tips))
    return repository.commit(fork or head)


def _read_trailers(repository: Repository, message: Path) -> frozenset[str]:
    """The decisions that a message names, by git's own rules of what a trailer is."""
    try:
        text = message.read_bytes()
    except OSError as error:
        raise UsageError(f"{message} cannot be read: {error.strerror}") from error
    bare = repository.reading.ask(
        "stripspace", "--strip-comments", data=_SCISSORS.split(text, maxsplit=1)[0]
    )
    parsed = repository.reading.ask("interpret-trailers", "--parse", "--no-divider", data=bare.out)
    pairs = (line.partition(":") for line in parsed.text.split("\n"))
    named = {value.strip() for key, _, value in pairs if key.lower() == TRAILER.lower()}
    return read_trailers(bare.text, TRAILER) | named
