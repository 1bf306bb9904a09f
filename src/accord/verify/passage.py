"""The commits between a base and a head: whether what counted on the way counts to the end.

Only the commits show order, and what was changed and put back. Each of them is judged upon what
its parents leave standing, never upon what it finds: where a commit changes or removes a file that
counts, its children are judged as if it had not, and whatever policy it has, that of the base says
whose signatures count (spec section 9). So no commit can prepare the ground for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from accord.model.finding import Finding
from accord.model.paths import ROOT, with_signatures
from accord.rules.order import check_order
from accord.rules.step import DecisionStep
from accord.rules.transition import check_left_out, find_broken, tell_broken
from accord.store.git import Repository
from accord.store.history import Step
from accord.store.restored import RestoredTree
from accord.store.tree import MemoryTree, Tree
from accord.verify.decision import Decisions, Sources
from accord.verify.merge import Merge, judge_merge
from accord.verify.step import entering, make_step


@dataclass(frozen=True)
class Passage:
    """The way from a base to a tip. `sources` say by what the step from one to the other is judged,
    as of a time (RFC 3339).

    `left` is what commits leave standing; outside of the range that is what they hold.
    """

    repository: Repository
    base: Tree
    tip: Tree
    as_of: str
    sources: Sources
    left: dict[str, Decisions] = field(default_factory=dict)

    def judge(self, commits: Iterable[Step], start: str) -> Iterator[Finding]:
        """What only the commits show, parents before children. `start` is where the base stands."""
        self.left[start] = self._read(self.base)
        for oid, parents in commits:
            for finding in self._judge_commit(oid, parents):
                told = f"{finding.message} (in {oid[:12]})"
                yield msgspec.structs.replace(finding, message=told)

    def _judge_commit(self, oid: str, parents: Sequence[str]) -> Iterator[Finding]:
        here = self.repository.commit(oid)
        # A commit without parents brings all that it holds.
        before = [self._find_left(one) for one in parents] or [self._read(self._nothing())]
        left = self._read(here)
        steps = self._list_steps(before, left)
        restored = {
            place: tree
            for tree, step in steps
            for path in find_broken(step)
            for place in with_signatures(path)
        }
        if restored:
            yield from self._tell_broken(steps, parents, here)
            left = self._read(RestoredTree(here, restored))
            steps = self._list_steps(before, left)
        self.left[oid] = left
        for _, step in steps:
            # What a merge brings was opened, and found, in the commits that it joins.
            ordered = (*check_left_out(step), *check_order(step)) if len(parents) < 2 else ()
            for finding in ordered:
                if self.tip.find(finding.path) is not None:
                    yield finding
        if len(parents) > 1:
            merge = Merge(oid, here, [self.repository.commit(one) for one in parents])
            changed = self.repository.changed_paths
            yield from judge_merge(merge, self.tip, self.sources, changed)

    def _tell_broken(
        self, steps: Iterable[tuple[Tree, DecisionStep]], parents: Sequence[str], here: Tree
    ) -> Iterator[Finding]:
        """What this commit changes for good. What is undone later did no harm meanwhile."""
        trees = [self.repository.commit(one) for one in parents]
        for _, step in steps:
            for path in find_broken(step):
                places = with_signatures(path)
                kept = all(step.before.get(one) == _oid(self.tip, one) for one in places)
                changed = any(
                    _oid(tree, one) != _oid(here, one) for tree in trees for one in places
                )
                if changed and not kept:
                    yield tell_broken(path, step.before, step.after)

    def _list_steps(
        self, before: Iterable[Decisions], after: Decisions
    ) -> list[tuple[Tree, DecisionStep]]:
        """Each decision that differs from what a parent left, as a step upon that."""
        return [
            (one.tree, make_step(one, after, name, self.sources.policy)[0])
            for one in before
            for name in self._list_touched(one.tree, after.tree)
        ]

    def _list_touched(self, before: Tree, after: Tree) -> list[str]:
        paths = self.repository.changed_paths(before, after, ROOT)
        return sorted({path.split("/")[1] for path in paths if path.count("/") >= 2})

    def _find_left(self, oid: str) -> Decisions:
        if oid not in self.left:
            self.left[oid] = self._read(self.repository.commit(oid))
        return self.left[oid]

    def _read(self, tree: Tree) -> Decisions:
        return Decisions(tree, entering(self.sources, self.base, tree, self.as_of))

    def _nothing(self) -> Tree:
        return MemoryTree({}, object_format=self.repository.object_format)


def _oid(tree: Tree, path: str) -> str | None:
    entry = tree.find(path)
    return entry.oid if entry is not None else None
