"""The commits between two commits, and behind one, as far as they are at hand (section 9)."""

from __future__ import annotations

from accord.errors import CannotJudge, UsageError
from accord.store.git import Repository
from accord.store.trailers import read_trailers

Step = tuple[str, tuple[str, ...]]  # a commit, and its parents


def require_descent(repository: Repository, base: str, head: str) -> None:
    """Whether `head` stands on `base`.

    Raises UsageError when it does not, CannotJudge when the history to tell is not at hand.
    """
    answer = repository.reading.ask("merge-base", "--is-ancestor", base, head)
    if answer.status == 0:
        return
    if answer.status != 1:
        raise CannotJudge(
            f"git cannot compare {base[:12]} and {head[:12]}: {answer.err}", repository.remedy
        )
    require_history(repository, head)
    raise UsageError(
        f"{head[:12]} does not stand on {base[:12]}",
        "judge the result of the merge: merge or rebase first, or name the merge commit",
    )


def time_of_step(repository: Repository, base: str, head: str) -> str:
    """The time of a step from one commit to another: the later of theirs, RFC 3339.

    Whoever writes a commit chooses its time, so it never stands before what it follows.
    """
    return max(repository.commit_time(one) for one in (base, head))


def list_commits(repository: Repository, base: str, head: str) -> tuple[Step, ...]:
    """The commits of `base..head` with their parents, older ones first."""
    answer = repository.reading.ask("rev-list", "--topo-order", "--reverse", f"{base}..{head}")
    if answer.status:
        raise CannotJudge(
            f"git cannot list {base[:12]}..{head[:12]}: {answer.err}", repository.remedy
        )
    # As the commits themselves name them: a shallow clone hides parents from rev-list.
    return tuple((oid, repository.parents(oid)) for oid in answer.text.split())


def list_first_parents_since(repository: Repository, base: str, head: str) -> tuple[str, ...]:
    """The commits of the branch of `head` itself since `base`, the oldest first.

    None where that branch did not go through `base`.
    """
    answer = repository.reading.ask("rev-list", "--first-parent", "--reverse", f"{base}..{head}")
    if answer.status:
        raise CannotJudge(
            f"git cannot list {base[:12]}..{head[:12]}: {answer.err}", repository.remedy
        )
    line = tuple(answer.text.split())
    return line if line and repository.parents(line[0])[:1] == (base,) else ()


def has_touched(repository: Repository, base: str, head: str, path: str) -> bool:
    """Whether a commit of `base..head` changes something at or below a path, kept or not."""
    answer = repository.reading.ask(
        "rev-list", "-1", "--full-history", f"{base}..{head}", "--", path
    )
    if answer.status:
        raise CannotJudge(
            f"git cannot list {base[:12]}..{head[:12]}: {answer.err}", repository.remedy
        )
    return bool(answer.text)


def list_trailers(repository: Repository, base: str, head: str, key: str) -> frozenset[str]:
    """The values of a trailer in the commits of `base..head`.

    Those that git reads (git-interpret-trailers(1)), and those that a squash moved.
    """
    wanted = f"--format=%(trailers:key={key},valueonly,unfold)%x00%B%x00"
    answer = repository.reading.ask("log", wanted, f"{base}..{head}")
    if answer.status:
        raise CannotJudge(
            f"git cannot list {base[:12]}..{head[:12]}: {answer.err}", repository.remedy
        )
    parts = answer.text.split("\0")
    lines = (line.strip() for told in parts[::2] for line in told.split("\n"))
    moved = (read_trailers(message, key) for message in parts[1::2])
    return frozenset(line for line in lines if line).union(*moved)


def list_first_parents(repository: Repository, head: str) -> tuple[Step, ...]:
    """What the branch of `head` was, step by step, the oldest first.

    Raises CannotJudge when a commit of it is not at hand.
    """
    steps: list[Step] = []
    oid: str | None = head
    while oid is not None:
        parents = repository.parents(oid)
        steps.append((oid, parents))
        oid = parents[0] if parents else None
    return tuple(reversed(steps))


def require_history(repository: Repository, *heads: str) -> None:
    """Whether all of what commits stand on is here; CannotJudge when this clone left some out."""
    answer = repository.reading.ask("rev-list", *heads)
    for oid in answer.text.split():
        for parent in repository.parents(oid):
            if not repository.has(parent):
                raise CannotJudge(f"the commit {parent} is not at hand", repository.remedy)
