"""One step: a head that is judged against the base that it will follow (section 9).

Policy, members and keys come from the base. What the base has is trusted to have been judged
when it entered; what is new is judged by the base's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.paths import (
    ADR_INDEX,
    POLICY,
    ROOT,
    SHARED,
    directory_of,
    with_signatures,
)
from accord.model.policy import GOVERNANCE, Policy
from accord.model.snapshot import NOTHING_SETTLED, Settled
from accord.rules.order import find_logged_orders
from accord.rules.policy import check_policy
from accord.rules.rederivations import find_listed
from accord.rules.step import DecisionStep, is_changed
from accord.rules.transition import (
    check_arrival,
    check_policy_change,
    check_shared_files,
    check_step,
)
from accord.signing.authenticate import Timing
from accord.signing.keyring import KeyRing, check_keys
from accord.store.load import (
    LoadedPolicy,
    check_shared,
    find_id_clashes,
    find_shared,
    list_decisions,
    load_policy,
)
from accord.store.mentions import Mention
from accord.store.tree import Tree
from accord.verify.cited import measure_answers
from accord.verify.decision import Decisions, Judged, Sources
from accord.verify.in_force import NO_PAST, InForce, Past, find_in_force
from accord.verify.report import DecisionLine, Report, place_findings
from accord.verify.sources import ALONE, Means, find_trust
from accord.verify.tree import count_files, find_missing_policy, line_of


def step_sources(
    base: Tree, head: Tree, policy: Policy, as_of: str, means: Means = ALONE
) -> Sources:
    """How a head is judged: what is new by the base's policy as of now, the rest as it entered.

    `as_of` is the RFC 3339 time of the step: the commit's, or now for what is staged.
    """

    def timing(path: str, _state: Literal["recorded", "running"]) -> Timing:
        # A signature that comes later than its file makes the file new: it says who vouches.
        same = all(base.find(one) == head.find(one) for one in with_signatures(path))
        return Timing.in_base() if same else Timing.new(as_of)

    ring = KeyRing.from_policy(policy, find_trust(policy, base, head), means.memory.prove)
    return Sources(policy, ring, timing, means)


def judge_step(
    base: Tree,
    head: Tree,
    changed: Iterable[str],
    as_of: str,
    *,
    means: Means = ALONE,
    branch: str | None = None,
    past: Past = NO_PAST,
) -> Report:
    """Judge the paths that differ between base and head: those below `decisions/`, and the index.

    `branch` is the name of the branch that the result lands on, None where it is not known:
    a protected branch takes only what is decided. `past` is what the history of the base says
    where it has no policy. Raises CannotJudge when the policy of the base cannot be read.
    """
    changed = tuple(changed)
    paths = [path for path in changed if path == ROOT or path.startswith(f"{ROOT}/")]
    if not paths and ADR_INDEX not in changed:
        return Report(head.id, base.id, 0, (), (), ())
    trusted = find_in_force(base, head, past)
    in_force = trusted.policy
    before, after = load_policy(base), load_policy(head)
    touched = sorted({path.split("/")[1] for path in paths if path.count("/") >= 2})
    there, was_there = frozenset(list_decisions(head)), frozenset(list_decisions(base))
    names = tuple(name for name in touched if name in there)
    shared = find_shared(paths, (there | was_there).intersection(touched))
    findings = [
        *trusted.findings,
        *_check_policies(before, after),
        *find_missing_policy(after, names),
        *check_shared(head, shared),
    ]
    if in_force is None:
        return Report(head.id, base.id, len(paths), (), place_findings(head, findings), ())
    sources = step_sources(base, head, in_force, as_of, means)
    gone = [name for name in touched if name in was_there - there]
    judged: list[Judged] = []
    lines: list[DecisionLine] = []
    trees = _Trees.of(base, head, sources)
    for name in (*names, *gone):
        one = _judge_in_step(trees, name)
        findings += one.findings
        if name in names:
            judged.append(one)
            arrival = check_arrival(one.judgement, in_force)
            lines.append(replace(line_of(one), held_up=bool(arrival)))
            if branch in in_force.protected:
                findings += arrival
    if names:
        findings += find_id_clashes(sorted(there))
    generated = [path for path in shared if path.startswith(SHARED)]
    index = [path for path in changed if path == ADR_INDEX]
    findings += check_shared_files([*generated, *index], branch, in_force)
    if POLICY in paths and before.policy is not None:
        findings += _judge_policy_change(trees.head, before.policy, after)
    return Report(
        tree=head.id,
        base=base.id,
        files=count_files(judged) + len(shared),
        decisions=tuple(lines),
        findings=place_findings(head, findings),
        not_measured=(
            *past.not_measured,
            *(sentence for one in judged for sentence in one.not_measured),
        ),
        notes=(
            *_note_first_use(trusted, after),
            *(sentence for one in judged for sentence in one.notes),
        ),
    )


def _note_first_use(trusted: InForce, after: LoadedPolicy) -> tuple[str, ...]:
    if trusted.trust == "base" or trusted.findings:
        return ()
    return (f"the first policy is trusted on first use: {after.digest}",)


def _check_policies(before: LoadedPolicy, after: LoadedPolicy) -> tuple[Finding, ...]:
    if before.digest is not None and after.digest is None and not after.findings:
        return (
            Finding(
                code="policy-removed",
                path=POLICY,
                message="the policy was removed",
                hint="Restore it: without a policy nobody knows who may decide.",
            ),
        )
    if after.digest == before.digest:
        return ()
    if after.policy is None:
        return after.findings
    return (*check_policy(after.policy), *check_keys(after.policy, POLICY))


def judge_in_step(base: Tree, head: Tree, name: str, sources: Sources) -> Judged:
    """One decision of a head, with what the step from the base may not do to it."""
    return _judge_in_step(_Trees.of(base, head, sources), name)


def _judge_in_step(trees: _Trees, name: str) -> Judged:
    before, after = _list_files(trees.base.tree, name), _list_files(trees.head.tree, name)
    earlier = trees.base.judge(name) if before else None
    judged = trees.head.judge(name, _find_settled(earlier, before, after))
    policy = trees.head.sources.policy
    in_force = policy if trees.base.tree.find(POLICY) is not None else None
    step = DecisionStep(
        name, earlier.judgement if earlier else None, judged.judgement, before, after, in_force
    )
    entering = {path for path, oid in after.items() if before.get(path) != oid}
    find = trees.head.sources.means.find_artifact
    cited, unmeasured = measure_answers(
        judged.judgement, (trees.head.tree, trees.base.tree), find, entering
    )
    return replace(
        judged,
        findings=(*judged.findings, *check_step(step), *cited),
        not_measured=(*judged.not_measured, *unmeasured),
        notes=(*judged.notes, *find_logged_orders(step)),
    )


def judge_upon(base: Tree, head: Tree, names: Iterable[str], sources: Sources) -> list[Judged]:
    """Decisions of a head as they stand on top of the base: what enters counts if it may."""
    return list(map(judging_upon(base, head, sources), names))


def judging_upon(base: Tree, head: Tree, sources: Sources) -> Callable[[str], Judged]:
    """How a decision of a head is judged on top of the base, one after the other."""
    trees = _Trees.of(base, head, sources)
    return lambda name: _judge_upon(trees, name)


def _judge_upon(trees: _Trees, name: str) -> Judged:
    before, after = _list_files(trees.base.tree, name), _list_files(trees.head.tree, name)
    if before == after:
        return trees.head.judge(name)
    earlier = trees.base.judge(name) if before else None
    return trees.head.judge(name, _find_settled(earlier, before, after))


def _list_files(tree: Tree, name: str) -> dict[str, str]:
    return {entry.path: entry.oid for entry in tree.list(directory_of(name))}


class _Trees(NamedTuple):
    """The decisions of a base, and those of a head upon it."""

    base: Decisions
    head: Decisions

    @classmethod
    def of(cls, base: Tree, head: Tree, sources: Sources) -> _Trees:
        """What the base holds counts; what the head brings is judged as `sources` say."""
        return cls(Decisions(base, sources.trusting()), Decisions(head, sources))


def _find_settled(
    earlier: Judged | None, before: Mapping[str, str], after: Mapping[str, str]
) -> Settled:
    if earlier is None:
        return NOTHING_SETTLED
    rounds = earlier.judgement.rounds
    paths = {round_.ballot.path for round_ in rounds}
    return Settled(
        ballots=frozenset(path for path in paths if not is_changed(path, before, after)),
        # Those of the record of the base, whatever becomes of it in the head.
        looks=find_listed(earlier.files),
        redactions=frozenset(
            file.path
            for file in earlier.files.redactions
            if file.path in earlier.judgement.counted and not is_changed(file.path, before, after)
        ),
    )


def _judge_policy_change(
    head: Decisions, before: Policy, after: LoadedPolicy
) -> tuple[Finding, ...]:
    if after.policy is None or after.digest is None:
        return ()
    enacted = _find_enacted(head, after.digest)
    return check_policy_change(before, after.policy, after.digest, enacted)


def _find_enacted(head: Decisions, digest: str) -> frozenset[str]:
    """The digest, if an accepted governance decision of the head brings that policy into force."""
    mention = Mention("enacts", digest)
    for name in sorted(head.sources.means.mentions.find(head.tree, (mention,))[mention]):
        judged = head.judge(name)
        latest = judged.judgement.rounds[-1:]
        evaluation = judged.judgement.evaluation
        if evaluation.class_ != GOVERNANCE or evaluation.directive.word != "PROCEED":
            continue
        for round_ in latest:
            text = round_.amendment or round_.proposal
            if any(entry.path == POLICY and entry.digest == digest for entry in text.record.enacts):
                return frozenset({digest})
    return frozenset()
