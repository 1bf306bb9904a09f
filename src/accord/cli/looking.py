"""What reading verbs do alike: judge a decision of the tree that is looked at."""

from __future__ import annotations

from collections.abc import Iterable

from accord.cli.context import Workspace
from accord.cli.decisions import list_decisions
from accord.flow.clock import read_clock
from accord.flow.enacted import find_enacted
from accord.model.succession import Succession
from accord.render.enacted import EnactedFile
from accord.rules.successors import find_successions, read_successor
from accord.verify import Judged, Sources
from accord.verify.run import read_base
from accord.verify.sources import means_of
from accord.verify.step import judge_in_step, judge_upon, step_sources


def judge(workspace: Workspace, decision: str) -> Judged:
    """One decision as it is staged, with what the step from HEAD may not do to it."""
    base = read_base(workspace.repository)
    return judge_in_step(base, workspace.tree, decision, sources_of(workspace))


def look(workspace: Workspace, decision: str) -> Judged:
    """The same without the step: where it stands."""
    base = read_base(workspace.repository)
    return judge_upon(base, workspace.tree, [decision], sources_of(workspace))[0]


def look_at_all(workspace: Workspace) -> list[Judged]:
    """Every decision, in the order of their ids. Without a policy there is nothing to look at."""
    base, sources = read_base(workspace.repository), sources_of(workspace)
    return judge_upon(base, workspace.tree, list_decisions(workspace.tree), sources)


def find_succession(workspace: Workspace, decision: str) -> Succession | None:
    """What newer decisions make of this one. Only those that name it are judged."""
    naming = workspace.repository.mentions.list_naming(workspace.tree, decision)
    newer = [look(workspace, name) for name in naming]
    return find_successions_of(newer).get(decision)


def find_successions_of(judged: Iterable[Judged]) -> dict[str, Succession]:
    """What some decisions make of older ones."""
    successors = (read_successor(one.judgement) for one in judged)
    return find_successions(one for one in successors if one is not None)


def show_enacted(workspace: Workspace, judged: Judged) -> tuple[EnactedFile, ...]:
    """What the decision would bring into force, upon what HEAD has; nothing before a round."""
    rounds = judged.judgement.rounds
    if not rounds:
        return ()
    base = read_base(workspace.repository)
    return find_enacted(workspace.repository, base, workspace.tree, rounds[-1])


def sources_of(workspace: Workspace) -> Sources:
    """What is staged is judged by the policy in force."""
    repository = workspace.repository
    return step_sources(
        read_base(repository), workspace.tree, workspace.policy, read_clock(), means_of(repository)
    )
