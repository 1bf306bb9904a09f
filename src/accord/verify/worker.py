"""A full audit on several processors: each process judges a part of the decisions of a commit.

A process is this file, run by the same Python. It is told a repository, a commit and names, and
answers with an `Account`. Whatever keeps it from answering, its part is judged by whoever asked:
so a worker can be slow or fail, and changes nothing that is said.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from itertools import pairwise
from pathlib import Path

import msgspec

from accord.store.cache import Cache, remembering
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.verify.decision import Decisions
from accord.verify.sources import means_of
from accord.verify.tree import Account, judge_decisions, tree_sources
from accord.verify.watch import Watch, unwatched

_Worker = subprocess.Popen[bytes]

# A process needs as long to start as it takes to judge some forty decisions, and 45 MB.
LEAST_DECISIONS = 100


class Task(msgspec.Struct, frozen=True):
    """What a worker is asked; `code` is the file of whoever asks, another accord is no help."""

    code: str
    folder: str
    commit: str
    remember: bool
    decisions: tuple[str, ...]


def count_processes(decisions: int) -> int:
    """How many processes judge so many decisions."""
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    return max(1, min(processors, decisions // LEAST_DECISIONS))


def spread(
    repository: Repository, commit: str, watch: Watch = unwatched, processes: int | None = None
) -> Callable[[Decisions, Sequence[str]], Account]:
    """A way to judge decisions of a commit on `processes` processes, by default as fits.

    What is watched is the part of this process; the others have parts of the same length.
    """
    folder, remember = (
        str(repository.root or repository.git_dir),
        isinstance(repository.memory, Cache),
    )

    def judge(decisions: Decisions, names: Sequence[str]) -> Account:
        parts = _split(names, processes or count_processes(len(names)))
        tasks = [Task(__file__, folder, commit, remember, tuple(part)) for part in parts[1:]]
        with _start(tasks) as workers:
            accounts = [judge_decisions(decisions, watch(parts[0]))]
            for part, worker in zip(parts[1:], workers, strict=True):
                accounts.append(_await(worker, part) or judge_decisions(decisions, part))
        return _join(accounts)

    return judge


def _split(names: Sequence[str], parts: int) -> list[Sequence[str]]:
    """Parts of one length. Neighbours stay together: they name each other most often."""
    bounds = [len(names) * part // parts for part in range(parts + 1)]
    return [names[start:end] for start, end in pairwise(bounds)]


@contextmanager
def _start(tasks: Sequence[Task]) -> Iterator[list[_Worker | None]]:
    """Workers at work, None for one that cannot be started; none is left behind."""
    workers: list[_Worker | None] = []
    try:
        workers.extend(map(_start_one, tasks))
        yield workers
    finally:
        for worker in filter(None, workers):
            worker.kill()
            worker.wait()
            if worker.stdout is not None:
                worker.stdout.close()


def _start_one(task: Task) -> _Worker | None:
    # -P: the current directory is often the repository that is judged, and nothing of it is run.
    command = [sys.executable, "-P", "-m", "accord.verify.worker"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        worker = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
    except OSError:
        return None
    if worker.stdin is not None:
        with suppress(BrokenPipeError), worker.stdin as questions:
            questions.write(msgspec.json.encode(task))
    return worker


def _await(worker: _Worker | None, part: Sequence[str]) -> Account | None:
    """What a worker has to say of its part; None when it failed, or has not judged all of it."""
    if worker is None or worker.stdout is None:
        return None
    said = worker.stdout.read()
    if worker.wait():
        return None
    try:
        account = msgspec.json.decode(said, type=Account)
    except msgspec.MsgspecError:
        return None
    return account if [line.id for line in account.lines] == list(part) else None


def _join(accounts: Sequence[Account]) -> Account:
    return Account(
        files=sum(account.files for account in accounts),
        lines=tuple(line for account in accounts for line in account.lines),
        findings=tuple(finding for account in accounts for finding in account.findings),
        not_measured=tuple(said for account in accounts for said in account.not_measured),
    )


def work(task: Task) -> Account:
    """Do a part of the work. Raises whatever keeps the commit from being judged."""
    if task.code != __file__:
        raise ValueError("another accord asks")
    repository = Repository.discover(Path(task.folder))
    tree = repository.commit(task.commit)
    policy = load_policy(tree).policy
    if policy is None:
        raise ValueError("nothing is judged without a policy")
    with remembering(repository) if task.remember else nullcontext():
        decisions = Decisions(tree, tree_sources(policy, tree, means_of(repository)))
        return judge_decisions(decisions, task.decisions)


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    sys.stdout.buffer.write(msgspec.json.encode(work(asked)))
