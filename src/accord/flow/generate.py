"""The generated files that are due for what is staged: records and pages of what has ended."""

from __future__ import annotations

from accord.flow.pages import find_stale, open_library, refuse_replacing
from accord.model.paths import ADR_DIRECTORY, ROOT, find_paged, path_of
from accord.store.files import find_unlike, write_files
from accord.store.git import Repository
from accord.store.load import list_decisions
from accord.verify.in_force import find_in_force, find_past
from accord.verify.library import find_pages
from accord.verify.run import read_base
from accord.verify.sources import means_of
from accord.verify.step import step_sources


def write_due(repository: Repository, now: str) -> tuple[str, ...]:
    """Write what staged decisions lack or have wrong, as fixers do; stage nothing.

    Raises CannotJudge when the policy of HEAD cannot be read, UsageError when a page would replace
    what accord did not write.
    """
    base, tree = read_base(repository), repository.index()
    in_force = find_in_force(base, tree, find_past(repository, base))
    policy = in_force.policy
    root = repository.root
    if policy is None or in_force.findings or root is None:
        return ()
    sources = step_sources(base, tree, policy, now, means_of(repository))
    touched = {path.split("/")[1] for path in repository.changed_paths(base, tree, ROOT)}
    paged = map(find_paged, repository.changed_paths(base, tree, ADR_DIRECTORY))
    names = sorted({*touched, *filter(None, paged)}.intersection(list_decisions(tree)))
    library = open_library(base, tree, sources)
    records = {path_of("record", name): library.judged(name).record for name in names}
    files: dict[str, tuple[bytes, ...]] = {
        path: (record,) for path, record in records.items() if record is not None
    }
    due = find_unlike(root, find_stale(tree, files | find_pages(library, names)))
    refuse_replacing(base, tree, due)
    write_files(root, due)
    return tuple(sorted(due))
