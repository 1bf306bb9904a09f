"""The generated files that are due for what is staged: records of decisions that have ended."""

from __future__ import annotations

from accord.model.paths import ROOT, path_of
from accord.store.files import write_files
from accord.store.git import Repository
from accord.store.load import list_decisions, load_policy
from accord.verify.run import read_base
from accord.verify.sources import finder
from accord.verify.step import judge_upon, step_sources


def write_due(repository: Repository, now: str) -> tuple[str, ...]:
    """Write the records that staged decisions lack or have wrong, as fixers do; stage nothing."""
    base, tree = read_base(repository), repository.index()
    policy = load_policy(base).policy or load_policy(tree).policy
    if policy is None or repository.root is None:
        return ()
    there = set(list_decisions(tree))
    touched = {path.split("/")[1] for path in repository.changed_paths(base, tree, ROOT)}
    sources = step_sources(base, tree, policy, now, finder(repository))
    due: dict[str, bytes] = {}
    for judged in judge_upon(base, tree, sorted(touched & there), sources):
        path = path_of("record", judged.loaded.id)
        if judged.record is None:
            continue
        if tree.find(path) is None or tree.read(path) != judged.record:
            file = repository.root / path
            if not file.is_file() or file.read_bytes() != judged.record:
                due[path] = judged.record
    write_files(repository.root, due)
    return tuple(due)
