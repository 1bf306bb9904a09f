"""What a push would change on a server, ref by ref (section 9; githooks(5), pre-receive).

A protected branch is judged as what it becomes on top of what it is, also where it is rewound or
replaced. Any other branch is judged as what it would bring to a protected one: it lands there by
a push of its own, and is judged again. A tag lands nowhere. Whatever is removed or replaced, no
ballot, seal or vote may be lost with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from accord.errors import CannotJudge
from accord.model.finding import Finding
from accord.model.paths import POLICY, ROOT
from accord.model.policy import Policy
from accord.rules.lost import Held, find_lost
from accord.store.git import Repository
from accord.store.load import list_decisions, load_policy
from accord.store.refs import HEADS, find_commit, find_fork, find_nearest_fork, list_tips
from accord.store.tree import Tree
from accord.verify.budget import Budget
from accord.verify.history import judge_history
from accord.verify.once import Once
from accord.verify.protected import find_unprotected
from accord.verify.range import judge_between
from accord.verify.report import Report
from accord.verify.signed_once import hold, list_signed_once
from accord.verify.tree import tree_sources


class Update(NamedTuple):
    """One ref of a push: the object that it has and the one that it will have, None for none."""

    ref: str
    old: str | None
    new: str | None


_SOME = "?"  # any branch that nobody protects: none can be called so


class _Work(NamedTuple):
    """A step that is judged; `branch` is empty where nobody protects the one it lands on."""

    base: str | None
    new: str
    branch: str


@dataclass(frozen=True)
class Push:
    """All that one push changes in a repository, while its objects wait in quarantine.

    `root` is the digest that the first policy of a history must have, None to trust it on first
    use: the administrator says so, in the configuration of the server's repository.
    """

    repository: Repository
    updates: Sequence[Update]
    root: str | None = None

    def judge(self, update: Update) -> Report:
        """Judge one of its updates. Raises CannotJudge when something of it is not at hand."""
        new = self._commit_of(update.ref, update.new)
        report = self._judge_branch(update, new) if new else _nothing(update)
        report = replace(report, not_measured=(*report.not_measured, *self._unprotected))
        found = (*self._find_removal(update), *self._find_lost(update, new))
        return replace(report, findings=(*report.findings, *found))

    def _judge_branch(self, update: Update, new: str) -> Report:
        branch = update.ref.removeprefix(HEADS)
        if branch == update.ref:
            return _nothing(update)
        base = self._find_base(branch, update, new)
        # Of branches that nobody protects it is all the same which one is pushed.
        named = branch if branch in self._find_names(base or new, new) else ""
        report = self._judge_once(_Work(base, new, named))
        if base is not None:
            return report
        return replace(report, findings=(*report.findings, *self._find_stranger(branch)))

    @cached_property
    def _budget(self) -> Budget:
        return Budget(self.repository)

    @cached_property
    def _judge_once(self) -> Once[_Work, Report]:
        """Many refs may be pushed at one commit: equal work is done once."""

        def judge(work: _Work) -> Report:
            self._budget.require(work.base, work.new)
            if work.base is None:
                return judge_history(self.repository, work.new, work.branch or _SOME, self.root)
            branch = work.branch or _SOME
            return judge_between(self.repository, work.base, work.new, branch, self.root)

        return Once(judge)

    def _find_names(self, *commits: str) -> frozenset[str]:
        """The branches that any policy protects that has a say in a step."""
        return frozenset(self._protected).union(*map(self._protected_by, commits))

    @cached_property
    def _protected_by(self) -> Once[str, frozenset[str]]:
        def find(commit: str) -> frozenset[str]:
            policy = load_policy(self.repository.commit(commit)).policy
            return frozenset(policy.protected if policy is not None else ())

        return Once(find)

    @cached_property
    def _fork_of(self) -> Once[str, str | None]:
        """Where a commit last left the protected branches."""
        tips = [tip for _, tip in self._list_protected()]
        return Once(lambda new: find_nearest_fork(self.repository, new, tips))

    @cached_property
    def _unprotected(self) -> tuple[str, ...]:
        """Why nothing can be judged: no branch is protected, so any would do."""
        if self._policy is None:
            return ()
        there = {ref for ref in (*self._before, *self._after) if ref.startswith(HEADS)}
        return find_unprotected(self._policy, there)

    def _find_base(self, branch: str, update: Update, new: str) -> str | None:
        """What the server has of a protected branch; of others, where they left the protected."""
        old = self._commit_of(update.ref, update.old)
        if branch in self._protected and old is not None:
            return old
        fork = self._fork_of(new)
        if fork is not None and branch in self._protected:
            self._require_policy_of_now(branch, fork, new)
        return fork or old

    def _require_policy_of_now(self, branch: str, fork: str, new: str) -> None:
        """A new protected branch brings nothing that only an older policy would take."""
        if fork != new and load_policy(self.repository.commit(fork)).policy != self._policy:
            raise CannotJudge(
                f"{branch} would be protected, and begins at {fork[:12]}, where another policy was"
                " in force",
                "begin it at a commit with the policy of now, or push it under another name",
            )

    def _commit_of(self, ref: str, oid: str | None) -> str | None:
        """The commit of a ref; None for no object, and for one of a ref that need not be a commit.

        Raises CannotJudge when the object is not at hand: what is not seen has not passed.
        """
        found = None if oid is None else self._find_commit(oid)
        if (
            found is None
            and oid is not None
            and (ref.startswith(HEADS) or not self.repository.has(oid))
        ):
            raise CannotJudge(
                f"{oid[:12]}, which {ref} has or will have, is not at hand",
                "git hands its quarantine to this hook in GIT_QUARANTINE_PATH; a script that runs"
                " it keeps that",
            )
        return found

    @cached_property
    def _find_commit(self) -> Once[str, str | None]:
        return Once(lambda oid: find_commit(self.repository, oid))

    def _list_protected(self) -> Iterator[tuple[str, str]]:
        """The protected branches that there are before the push, and where each stands."""
        for name in self._protected:
            tip = self._before.get(HEADS + name)
            if tip is not None:
                yield name, tip

    def _find_stranger(self, branch: str) -> Iterator[Finding]:
        """A history of its own, that would stand as a protected branch beside the real one."""
        there = [name for name, _ in self._list_protected()]
        if there and branch in self._protected:
            yield Finding(
                code="root-mismatch",
                path=POLICY,
                message=f"{branch} shares no commit with {', '.join(there)}: its first policy is"
                " not the one that this server knows",
                hint=f"Push it under a name that is not protected, or begin it at {there[0]}.",
            )

    def _find_removal(self, update: Update) -> Iterator[Finding]:
        """What a protected branch has goes only where another protected one has all of it.

        Else whoever removes one, and pushes it anew, would be judged by what stood there before.
        """
        there = dict(self._list_protected())
        tip = there.get(update.ref.removeprefix(HEADS))
        if tip is None or update.ref in self._after:
            return
        left = [self._after[HEADS + name] for name in there if HEADS + name in self._after]
        if not any(find_fork(self.repository, tip, other) == tip for other in left):
            yield Finding(
                code="policy-removed",
                path=POLICY,
                message=f"{update.ref} is protected, and no other protected branch has all that"
                " this push removes with it",
                hint="Merge it into another protected branch first.",
            )

    @cached_property
    def _before(self) -> Mapping[str, str]:
        return list_tips(self.repository)

    @cached_property
    def _after(self) -> Mapping[str, str]:
        """Each ref as it will be, if the push is taken."""
        moved = {update.ref: update.new for update in self.updates}
        found = {ref: self._commit_of(ref, new) for ref, new in moved.items()}
        kept = {ref: tip for ref, tip in self._before.items() if ref not in moved}
        return kept | {ref: tip for ref, tip in found.items() if tip is not None}

    @cached_property
    def _policy(self) -> Policy | None:
        """That of the branch of HEAD; on an empty server, as it is pushed.

        Raises CannotJudge where HEAD names no branch that is there: any branch could say then
        what is protected.
        """
        tip = self.repository.head()
        if tip is None:
            named = self.repository.branch() or "HEAD"
            there = any(ref.startswith(HEADS) for ref in self._before)
            tip = None if there else self._after.get(HEADS + named)
            if tip is None:
                raise CannotJudge(
                    f"HEAD of this repository names {named}, which is not there, so nothing says"
                    " what is protected",
                    f"push {named} first, or name the protected branch here:"
                    " git symbolic-ref HEAD refs/heads/BRANCH",
                )
        return load_policy(self.repository.commit(tip)).policy

    @property
    def _protected(self) -> tuple[str, ...]:
        return self._policy.protected if self._policy is not None else ()

    def _find_lost(self, update: Update, new: str | None) -> tuple[Finding, ...]:
        """What the ref holds and no other would: asked only where it does not just grow."""
        old = self._commit_of(update.ref, update.old)
        if old is None:
            return ()
        before, after = self._find_held((old, new))
        return find_lost(before, after, update.ref)

    @cached_property
    def _find_held(self) -> Once[tuple[str, str | None], tuple[tuple[Held, ...], set[Held]]]:
        """What one commit holds and another may not, and what of it is anywhere afterwards."""

        def find(move: tuple[str, str | None]) -> tuple[tuple[Held, ...], set[Held]]:
            old, new = move
            if new is not None and find_fork(self.repository, old, new) == old:
                return (), set()
            before = tuple(self._list_held(self.repository.commit(old), new))
            after = {
                hold(self.repository.commit(tip), held.path, held.decision)
                for tip in (sorted(set(self._after.values())) if before else ())
                for held in before
            }
            return before, after

        return Once(find)

    def _list_held(self, tree: Tree, new: str | None) -> Iterator[Held]:
        """What stands in a tree, of decisions that do not stand just so where it is kept."""
        if self._policy is None:
            return
        kept = (self._after.get(HEADS + name) for name in self._protected)
        other = new or next(filter(None, kept), None)
        names = set(list_decisions(tree))
        if other is not None:
            paths = self.repository.changed_paths(tree, self.repository.commit(other), ROOT)
            names &= {path.split("/")[1] for path in paths if path != ROOT}
        sources = tree_sources(self._policy, tree).trusting()
        for decision in sorted(names):
            yield from list_signed_once(tree, decision, sources)


def _nothing(update: Update) -> Report:
    """A tag, a removed ref, or one to something that is no commit: it lands nowhere."""
    why = "nothing of it lands on a branch" if update.new else "the ref is removed"
    return Report(update.new or "nothing", update.old, 0, (), (), (), why=why)
