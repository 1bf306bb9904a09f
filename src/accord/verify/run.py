"""What is judged by itself: what is staged, and the tree of one commit (spec section 9)."""

from __future__ import annotations

from dataclasses import replace

from accord.model.paths import ADR_DIRECTORY, ROOT
from accord.rules.transition import check_result, check_step
from accord.store.git import Repository
from accord.store.tree import MemoryTree, Tree
from accord.verify.in_force import find_past
from accord.verify.report import Report
from accord.verify.sources import means_of
from accord.verify.step import judge_step
from accord.verify.tree import judge_tree
from accord.verify.watch import Watch, unwatched

BRANCH_UNKNOWN = "branch: none is checked out, and a protected one does not take {} (--branch NAME)"


def judge_staged(repository: Repository, now: str, branch: str | None = None) -> Report:
    """The index against HEAD, as of `now` (RFC 3339).

    `branch` is where it will land, by default what is checked out; on a detached HEAD, none.
    """
    base, head = read_base(repository), repository.index()
    # What a merge brings was opened in the commits that it joins.
    merging = (repository.git_dir / "MERGE_HEAD").is_file()
    changed = list_judged(repository, base, head)
    return judge_step(
        base,
        head,
        changed,
        now,
        means=means_of(repository),
        branch=branch or repository.branch(),
        past=find_past(repository, base),
        rules=check_result if merging else check_step,
    )


def judge_revision(repository: Repository, revision: str, watch: Watch = unwatched) -> Report:
    """The tree of one commit, alone, on all processors."""
    from accord.verify.worker import spread

    oid = repository.resolve(revision)
    return judge_tree(repository.commit(oid), means_of(repository), spread(repository, oid, watch))


def note_branch(report: Report, branch: str | None) -> Report:
    """The report, with what is not measured where nobody knows what branch this lands on.

    What no class would let arrive is named; what may arrive anywhere was measured.
    """
    held_up = ", ".join(line.id for line in report.decisions if line.held_up)
    if branch is not None or not held_up:
        return report
    unmeasured = (*report.not_measured, BRANCH_UNKNOWN.format(held_up))
    return replace(report, not_measured=unmeasured)


def read_base(repository: Repository) -> Tree:
    """What HEAD holds; nothing before the first commit."""
    head = repository.head()
    return empty_tree(repository) if head is None else repository.commit(head)


def list_judged(repository: Repository, base: Tree, head: Tree) -> tuple[str, ...]:
    """The paths that differ, as far as `judge_step` looks at them."""
    return repository.changed_paths(base, head, ROOT, ADR_DIRECTORY)


def empty_tree(repository: Repository) -> Tree:
    """What there is before the first commit."""
    return MemoryTree({}, object_format=repository.object_format)
