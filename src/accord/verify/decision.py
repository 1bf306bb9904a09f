"""One decision of a tree, judged: load, authenticate, evaluate, and hold the record against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.policy import Policy
from accord.model.snapshot import DecisionFiles, Predecessor, Settled
from accord.rules.artifacts import FindArtifact, check_artifacts
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.record import build_record, check_record
from accord.signing.authenticate import Timing
from accord.signing.keyring import KeyRing
from accord.store.load import LoadedDecision, load_decision
from accord.store.tree import Tree
from accord.store.writer import dump
from accord.verify.predecessors import find_predecessors
from accord.verify.snapshot import authenticate_decision


def no_artifact(_artifact: str, _revision: str) -> Literal["absent"] | None:
    """For trees that come without a repository: no commit is at hand."""
    return None


@dataclass(frozen=True, slots=True)
class Sources:
    """What a tree is judged by: the policy in force, how keys are timed, where artifacts are.

    `timing` says of a path, and whether its decision is recorded, how its key is judged.
    """

    policy: Policy
    ring: KeyRing
    timing: Callable[[str, Literal["recorded", "running"]], Timing]
    find_artifact: FindArtifact = no_artifact


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision: its files, what the rules say of them, and every finding about it.

    `record` is the record that its files give, None while it has not ended.
    """

    loaded: LoadedDecision
    files: DecisionFiles
    judgement: Judgement
    findings: tuple[Finding, ...]
    record: bytes | None
    not_measured: tuple[str, ...] = field(default=())


def judge_decision(
    tree: Tree, decision: str, sources: Sources, settled: Settled | None = None
) -> Judged:
    """Judge one decision of a tree.

    `settled` is what stood before the step that is judged: a ballot that enters is held against
    all older decisions that may have refused its text. None: the tree stands alone, and nothing
    in it enters.
    """
    return _judge(tree, decision, sources, settled, frozenset())


def _judge(
    tree: Tree, decision: str, sources: Sources, settled: Settled | None, seen: frozenset[str]
) -> Judged:
    loaded = load_decision(tree, decision)
    recorded: Literal["recorded", "running"] = (
        "recorded" if any(file.location.kind == "record" for file in loaded.files) else "running"
    )
    snapshot = authenticate_decision(
        loaded, sources.ring, lambda path: sources.timing(path, recorded)
    )
    files = snapshot.files

    def judge_other(other: str) -> Judgement:
        return _judge(tree, other, sources, None, seen | {decision}).judgement

    settled = _settle(files) if settled is None else settled
    predecessors: Mapping[str, Predecessor] = find_predecessors(
        tree, files, settled, judge_other, seen
    )
    judgement = evaluate(files, predecessors, settled)
    record = _dump_record(files, judgement)
    artifacts, not_measured = _check_evidence(loaded, files, sources)
    return Judged(
        loaded=loaded,
        files=files,
        judgement=judgement,
        findings=(
            *snapshot.findings,
            *artifacts,
            *judgement.findings,
            *check_record(files, judgement, digest_bytes(record) if record else None),
        ),
        record=record,
        not_measured=not_measured,
    )


def _settle(files: DecisionFiles) -> Settled:
    """All that stands there, as settled."""
    return Settled(
        ballots=frozenset(round_.ballot.path for round_ in files.rounds if round_.ballot)
    )


def _dump_record(files: DecisionFiles, judgement: Judgement) -> bytes | None:
    if not judgement.evaluation.ended or judgement.evaluation.status == "imported":
        return None
    return dump(build_record(files, judgement), "record")


def _check_evidence(
    loaded: LoadedDecision, files: DecisionFiles, sources: Sources
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    findings: list[Finding] = []
    unmeasured: list[str] = []
    for round_ in files.rounds:
        if round_.draft is None:
            continue
        found, ids = check_artifacts(
            round_.draft.record, round_.draft.path, loaded.evidence, sources.find_artifact
        )
        findings += found
        unmeasured += ids
    if not unmeasured:
        return tuple(findings), ()
    return tuple(findings), (
        f"evidence of {loaded.id}: the commits of {', '.join(sorted(set(unmeasured)))} are not"
        " at hand",
    )
