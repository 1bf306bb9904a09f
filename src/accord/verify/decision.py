"""One decision of a tree, judged: load, authenticate, evaluate, and hold the record against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.paths import directory_of
from accord.model.policy import Policy
from accord.model.proposal import Proposal
from accord.model.snapshot import DecisionFiles, Predecessor, Settled
from accord.rules.artifacts import check_artifacts
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.predecessors import find_chain, hand_down
from accord.rules.record import build_record, check_record
from accord.rules.redactions import count_redactions
from accord.rules.rederivations import find_listed
from accord.signing.authenticate import Timing
from accord.signing.keyring import KeyRing
from accord.store.load import LoadedDecision, load_decision
from accord.store.tree import Tree
from accord.store.writer import dump, encode
from accord.verify.cited import check_own_blobs
from accord.verify.predecessors import find_entering, find_names, find_rivals, names_of
from accord.verify.protected import Shared
from accord.verify.snapshot import Snapshot, authenticate_decision
from accord.verify.sources import ALONE, Means


@dataclass(frozen=True, slots=True)
class Sources:
    """What a tree is judged by: the policy in force, how keys are timed, and by what means.

    `timing` says of a path, and whether its decision is recorded, how its key is judged; `shared`
    is what other protected branches say of the keys, None where none was asked.
    """

    policy: Policy
    ring: KeyRing
    timing: Callable[[str, Literal["recorded", "running"]], Timing]
    means: Means = ALONE
    shared: Shared | None = None

    def trusting(self) -> Sources:
        """The same for a tree all of which was there before, and was judged when it entered."""
        return replace(self, timing=lambda _path, _state: Timing.in_base())


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision: its files, what the rules say of them, and every finding about it.

    `record` is the record that its files give, None while it has not ended; `notes` is what the
    reader should know besides; `continued` are the
    older decisions that it takes up, and those that they took up, the latest first.
    """

    loaded: LoadedDecision
    files: DecisionFiles
    judgement: Judgement
    findings: tuple[Finding, ...]
    record: bytes | None
    not_measured: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    continued: tuple[Judgement, ...] = field(default=())


def judge_decision(
    tree: Tree, decision: str, sources: Sources, settled: Settled | None = None
) -> Judged:
    """Judge one decision of a tree; see `Decisions.judge`."""
    return Decisions(tree, sources).judge(decision, settled)


class Decisions:
    """The decisions of one tree, each read once and judged once, however many others name it.

    Names form long chains, and whoever writes files can make circles of them: nothing here
    recurses along names, and what stands in a circle hands nothing down within it.
    """

    def __init__(self, tree: Tree, sources: Sources) -> None:
        self.tree = tree
        self.sources = sources
        self._files: dict[str, tuple[LoadedDecision, Snapshot]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._followed: dict[str, tuple[str, ...]] = {}
        self._standing: dict[str, Judged] = {}
        self._handed: dict[str, Predecessor] = {}
        self._released: set[str] = set()

    def release(self, decision: str) -> None:
        """Let go of the files of a decision that was judged; what it hands down is kept.

        It is read and judged again when another one asks for more, and stays from then on: so
        none is judged more than twice, and those that nobody names need no room.
        """
        if decision not in self._released:
            self._released.add(decision)
            self._files.pop(decision, None)
            self._standing.pop(decision, None)

    def judge(self, decision: str, settled: Settled | None = None) -> Judged:
        """Judge one decision.

        `settled` is what stood before the step that is judged: a ballot that enters is held
        against all older decisions that may have refused its text. None: the tree stands
        alone, and nothing in it enters.
        """
        if settled is None:
            return self._stand(decision)
        files = self._read(decision)[1].files
        entering = find_entering(files, settled)
        if not entering:
            return self._evaluate(decision, self._hand_all(self._follow(decision)), settled)
        return self._evaluate(decision, self.hand_to(decision, entering), settled)

    def hand_to(self, decision: str, entering: tuple[Proposal, ...]) -> dict[str, Predecessor]:
        """What older decisions hand down to ballots on these proposals, opened or still drafts.

        These are those that the decision names and those that have the same text.
        """
        named = names_of(entering) - {decision}
        names = {*self._find_names(decision), *filter(self._is_there, named)}
        texts = {proposal.text for proposal in entering}
        rivals = find_rivals(self.sources.means.mentions, self.tree, texts, names)
        handed = self._hand_all(names.union(*rivals.by_text.values()) - {decision})
        for target, others in rivals.by_target.items():
            running = frozenset(filter(self._is_running, others - {decision}))
            handed[target] = replace(handed[target], redecided_by=running)
        return handed

    def _stand(self, decision: str) -> Judged:
        """Where a decision stands, after all that it names, directly or not."""
        pending = [decision]
        while pending:
            name = pending[-1]
            ahead = [older for older in self._follow(name) if older not in self._standing]
            pending += ahead
            if not ahead:
                pending.pop()
                if name not in self._standing:
                    handed = self._hand_all(self._follow(name))
                    self._standing[name] = self._evaluate(name, handed, None)
        return self._standing[decision]

    def _follow(self, decision: str) -> tuple[str, ...]:
        """What a decision names, without what leads back to it."""
        if decision not in self._followed:
            self._followed[decision] = tuple(
                older for older in self._find_names(decision) if not self._leads(older, decision)
            )
        return self._followed[decision]

    def _leads(self, start: str, target: str) -> bool:
        """Whether names lead from one decision to another."""
        seen, pending = {start}, [start]
        while pending:
            for name in self._find_names(pending.pop()):
                if name == target:
                    return True
                if name not in seen:
                    seen.add(name)
                    pending.append(name)
        return False

    def _find_names(self, decision: str) -> tuple[str, ...]:
        if decision not in self._names:
            named = sorted(find_names(self._read(decision)[1].files))
            self._names[decision] = tuple(filter(self._is_there, named))
        return self._names[decision]

    def _is_there(self, decision: str) -> bool:
        return bool(self.tree.list(directory_of(decision)))

    def _is_running(self, decision: str) -> bool:
        """Whether a round of it was opened, and it has not ended."""
        judgement = self._stand(decision).judgement
        return bool(judgement.rounds) and not judgement.evaluation.ended

    def _hand_all(self, decisions: Iterable[str]) -> dict[str, Predecessor]:
        """What these hand down, and what they continue, and so on."""
        handed: dict[str, Predecessor] = {}
        pending = sorted(decisions)
        while pending:
            name = pending.pop()
            if name not in handed:
                handed[name] = self._hand_down(name)
                pending += handed[name].continues.intersection(self._follow(name))
        return handed

    def _hand_down(self, decision: str) -> Predecessor:
        if decision not in self._handed:
            judgement = self._stand(decision).judgement
            self._handed[decision] = hand_down(decision, judgement.evaluation, judgement.rounds)
        return self._handed[decision]

    def _read(self, decision: str) -> tuple[LoadedDecision, Snapshot]:
        if decision not in self._files:
            loaded = load_decision(self.tree, decision, self.sources.means.memory)
            kinds = {file.location.kind for file in loaded.files}
            recorded: Literal["recorded", "running"] = (
                "recorded" if "record" in kinds else "running"
            )
            snapshot = authenticate_decision(
                loaded, self.sources.ring, lambda path: self.sources.timing(path, recorded)
            )
            self._files[decision] = loaded, snapshot
        return self._files[decision]

    def _evaluate(
        self, decision: str, handed: Mapping[str, Predecessor], settled: Settled | None
    ) -> Judged:
        loaded, snapshot = self._read(decision)
        files = snapshot.files
        settled = _settle(files) if settled is None else settled
        judgement = evaluate(files, handed, settled)
        redactions = count_redactions(
            files, judgement, loaded.evidence, self.sources.policy, settled
        )
        judgement = redactions.mark(judgement)
        record = _dump_record(files, judgement)
        evidence = {**redactions.gone, **loaded.evidence}
        artifacts, not_measured = _check_evidence(files, evidence, self.tree, self.sources)
        chain = find_chain(
            (round_.proposal.record.continues for round_ in reversed(judgement.rounds)), handed
        )
        return Judged(
            loaded=loaded,
            files=files,
            judgement=judgement,
            findings=(
                *snapshot.findings,
                *redactions.findings,
                *artifacts,
                *judgement.findings,
                *_check_alone(loaded, judgement),
                *check_record(files, judgement, digest_bytes(record) if record else None),
            ),
            record=record,
            not_measured=not_measured,
            continued=tuple(self._stand(older.id).judgement for older in chain),
        )


def _settle(files: DecisionFiles) -> Settled:
    """All that stands there, as settled."""
    return Settled(
        ballots=frozenset(round_.ballot.path for round_ in files.rounds if round_.ballot),
        looks=find_listed(files),
        redactions=frozenset(file.path for file in files.redactions),
    )


def _check_alone(loaded: LoadedDecision, judgement: Judgement) -> tuple[Finding, ...]:
    """An import has no proposal that could list evidence (section 8)."""
    if judgement.evaluation.status != "imported":
        return ()
    return tuple(
        Finding(
            code="unexpected-file",
            path=path,
            message="an import is a record alone, and no evidence stands beside it",
            hint="Let its source, by path and digest, say where it comes from; remove the file.",
        )
        for path in sorted(loaded.evidence)
    )


def _dump_record(files: DecisionFiles, judgement: Judgement) -> bytes | None:
    if not judgement.evaluation.ended or judgement.evaluation.status == "imported":
        return None
    record, there = build_record(files, judgement), files.record
    if there is not None and there.record is not None:
        data = encode(record, "record")
        if digest_bytes(data) == there.digest:  # it was read already
            return data
    return dump(record, "record")


def _check_evidence(
    files: DecisionFiles, evidence: Mapping[str, str], tree: Tree, sources: Sources
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    findings: list[Finding] = []
    unmeasured: list[str] = []
    for round_ in files.rounds:
        if round_.draft is None:
            continue
        found, ids = check_artifacts(
            round_.draft.record, round_.draft.path, evidence, sources.means.find_artifact
        )
        findings += (*found, *check_own_blobs(round_.draft, evidence, tree))
        unmeasured += ids
    if not unmeasured:
        return tuple(findings), ()
    return tuple(findings), (
        f"evidence of {files.id}: the commits of {', '.join(sorted(set(unmeasured)))} are not"
        " at hand",
    )
