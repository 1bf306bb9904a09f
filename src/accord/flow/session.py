"""Where a writing verb works: the repository, the policy in force, the trees, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.flow.clock import Clock, read_clock
from accord.model.policy import Policy
from accord.model.proposal import Proposal
from accord.model.snapshot import Predecessor
from accord.rules.evaluate import Judgement
from accord.rules.verbs import Verb, find_refusal
from accord.store.git import Repository
from accord.store.state import State
from accord.store.tree import Tree
from accord.verify import Judged, Sources
from accord.verify.decision import Decisions
from accord.verify.in_force import require_policy
from accord.verify.run import read_base
from accord.verify.sources import means_of
from accord.verify.step import judge_upon, step_sources


@dataclass(frozen=True, slots=True)
class Session:
    """All that a verb needs.

    `root` is the working tree; `base` what HEAD holds, `tree` what is staged: verbs read that,
    the working directory is only where drafts are typed. `policy` is that of the base, or the
    staged one while there is none yet.
    """

    repository: Repository
    root: Path
    base: Tree
    tree: Tree
    policy: Policy
    state: State
    clock: Clock

    def judge(self, decision: str) -> Judged:
        """One decision as it is staged."""
        return judge_upon(self.base, self.tree, [decision], self.sources(self.tree))[0]

    def require(self, verb: Verb, decision: str) -> Judgement:
        """The judgement of a decision that takes a verb. Raises UsageError when it takes none."""
        judged = self.judge(decision)
        refusal = find_refusal(verb, judged.files, judged.judgement)
        if refusal is not None:
            raise UsageError(refusal.cause, refusal.way_out)
        return judged.judgement

    def hand_to(self, decision: str, proposal: Proposal) -> dict[str, Predecessor]:
        """What older decisions hand down to a draft that is about to be opened."""
        return Decisions(self.tree, self.sources(self.tree)).hand_to(decision, (proposal,))

    def sources(self, head: Tree) -> Sources:
        """How a head on top of this base is judged now."""
        return step_sources(self.base, head, self.policy, self.clock(), means_of(self.repository))

    def renewed(self) -> Session:
        """The same place, read again: after something was written or committed."""
        return open_session(self.repository, self.clock, self.state)


def open_session(
    repository: Repository, clock: Clock = read_clock, state: State | Path | None = None
) -> Session:
    """Start to work in a repository; `state` as a path says where sealed votes are kept.

    Raises UsageError in a bare repository or without a policy, Refused or CannotJudge when the
    policy is broken.
    """
    if repository.root is None:
        raise UsageError(
            "nothing can be written in a bare repository", "work in a clone of it instead"
        )
    base, tree = read_base(repository), repository.index()
    policy = require_policy(repository, base, tree)
    if not isinstance(state, State):
        outside = (repository.root, repository.git_dir, repository.common_dir)
        state = State.of_project(policy.project, outside, state)
    return Session(repository, repository.root, base, tree, policy, state, clock)
