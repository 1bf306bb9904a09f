"""A tree that stands alone: everything but order, and the rules of the time (section 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.paths import POLICY, ROOT
from accord.model.policy import Policy
from accord.rules.policy import check_policy
from accord.rules.roster import check_project
from accord.signing.authenticate import Timing
from accord.signing.keyring import KeyRing, check_keys
from accord.store.load import (
    LoadedPolicy,
    check_shared,
    find_id_clashes,
    list_decisions,
    list_shared,
    load_policy,
)
from accord.store.tree import Tree
from accord.verify.cited import measure_answers
from accord.verify.decision import Decisions, Judged, Sources
from accord.verify.report import DecisionLine, Report, place_findings, tell_unchanged
from accord.verify.sources import ALONE, Means, find_trust

NEEDS_HISTORY = (
    "order: a tree alone does not show that seals came before openings, or what was deleted",
    "policy: a tree alone does not show which policy was in force when a ballot was opened",
    "older decisions: a tree alone does not show how they stood when a ballot that continues or"
    " reopens one entered",
    "keys: they are judged by the times that files claim, not by when the files entered",
)
NEEDS_STEP = ("guarded paths: only a step shows what changed, and by which decision it may",)


def tree_sources(policy: Policy, tree: Tree, means: Means = ALONE) -> Sources:
    """How a tree that stands alone is judged: by a policy, usually its own, and claimed times."""

    def timing(_path: str, state: Literal["recorded", "running"]) -> Timing:
        return Timing.by_claim_recorded() if state == "recorded" else Timing.by_claim()

    ring = KeyRing.from_policy(policy, find_trust(policy, tree), means.memory.prove)
    return Sources(policy, ring, timing, means)


def judge_tree(
    tree: Tree,
    means: Means = ALONE,
    judge: Callable[[Decisions, Sequence[str]], Account] | None = None,
) -> Report:
    """Judge every decision of a tree by the policy that is in it.

    `judge` is how; None means one decision after another.
    """
    loaded = load_policy(tree)
    names = list_decisions(tree)
    shared = list_shared(tree, frozenset(names))
    findings = [
        *loaded.findings,
        *check_shared(tree, shared),
        *find_id_clashes(names),
        *find_missing_policy(loaded, names),
    ]
    if loaded.policy is None:
        files = len(tree.list(ROOT))
        placed = place_findings(tree, findings)
        return Report(tree.id, None, files, (), placed, (), why=tell_unchanged(tree))
    findings += [*check_policy(loaded.policy), *check_keys(loaded.policy, POLICY)]
    sources = tree_sources(loaded.policy, tree, means)
    judged = (judge or judge_decisions)(Decisions(tree, sources), names)
    return Report(
        tree=tree.id,
        base=None,
        files=judged.files + len(shared),
        decisions=judged.lines,
        findings=place_findings(tree, [*findings, *judged.findings]),
        not_measured=(
            *(NEEDS_HISTORY if names else ()),
            *(NEEDS_STEP if loaded.policy.guarded else ()),
            *judged.not_measured,
        ),
    )


class Account(NamedTuple):
    """What is left to say of decisions that were judged."""

    files: int
    lines: tuple[DecisionLine, ...]
    findings: tuple[Finding, ...]
    not_measured: tuple[str, ...]


def judge_decisions(decisions: Decisions, names: Iterable[str]) -> Account:
    """Judge some decisions of a tree, one after another; their files are not kept."""
    files = 0
    find = decisions.sources.means.find_artifact
    lines: list[DecisionLine] = []
    findings: list[Finding] = []
    not_measured: list[str] = []
    for name in names:
        one = decisions.judge(name)
        files += count_files([one])
        lines.append(line_of(one))
        cited, unmeasured = measure_answers(one.judgement, (decisions.tree,), find)
        findings += (*one.findings, *cited)
        not_measured += (*one.not_measured, *unmeasured)
        for round_ in one.judgement.rounds:
            findings += check_project(round_.ballot, decisions.sources.policy)
        decisions.release(name)
    return Account(files, tuple(lines), tuple(findings), tuple(not_measured))


def find_missing_policy(loaded: LoadedPolicy, names: tuple[str, ...]) -> tuple[Finding, ...]:
    """Decisions without a policy say nothing: nobody knows who may vote."""
    if loaded.digest is not None or loaded.findings or not names:
        return ()
    return (
        Finding(
            code="policy-invalid",
            path=POLICY,
            message="there are decisions, and no policy that says who decides",
            hint="Restore decisions/policy.yaml, or start with accord init.",
        ),
    )


def count_files(judged: list[Judged]) -> int:
    """How many files were looked at, signatures and evidence included."""
    return sum(
        len(one.loaded.files)
        + len(one.loaded.evidence)
        + sum(len(file.signatures) for file in one.loaded.files)
        for one in judged
    )


def line_of(judged: Judged) -> DecisionLine:
    """The line of a report about one decision."""
    evaluation = judged.judgement.evaluation
    return DecisionLine(evaluation.decision, evaluation.status, evaluation.verdict)
