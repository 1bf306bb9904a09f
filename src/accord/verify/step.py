"""One step: a head that is judged against the base that it will follow (section 9).

Policy, members and keys come from the base. What the base has is trusted to have been judged
when it entered; what is new is judged by the base's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from accord.model.policy import Policy
from accord.model.snapshot import NOTHING_SETTLED, Settled
from accord.rules.order import find_logged_orders
from accord.rules.pages import find_touched
from accord.rules.rederivations import find_listed
from accord.rules.step import DecisionStep, is_changed
from accord.rules.transition import (
    check_arrival,
    check_shared_files,
    check_step,
    find_broken,
)
from accord.signing.authenticate import Timing
from accord.signing.keyring import KeyRing
from accord.store.load import (
    LoadedPolicy,
    check_shared,
    find_id_clashes,
    find_shared,
    list_decisions,
    load_policy,
)
from accord.store.restored import RestoredTree
from accord.store.tree import Tree
from accord.verify.cited import measure_answers
from accord.verify.decision import Decisions, Judged, Sources
from accord.verify.in_force import NO_PAST, InForce, Past, Upon, find_in_force
from accord.verify.pages import Step as PageStep
from accord.verify.pages import judge_pages
from accord.verify.policy_step import check_policy_file, is_enacted, judge_policy
from accord.verify.protected import Shared
from accord.verify.report import DecisionLine, Report, place_findings, sort_findings, tell_unchanged
from accord.verify.sources import ALONE, Means, find_trust
from accord.verify.tree import count_files, find_missing_policy, line_of

State = Literal["recorded", "running"]
Rules = Callable[[DecisionStep], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was judged.

    `arrivals` says by decision why a protected branch does not take it as it is; `left` is what
    the next step is judged upon: a file that counts stands there whatever this step did to it,
    and a policy that nobody enacted is not in force. `templates` are those that nobody enacted,
    each with the tree that has what is in force instead.
    """

    report: Report
    arrivals: Mapping[str, tuple[Finding, ...]]
    left: Upon
    templates: Mapping[str, Tree] = field(default_factory=dict)

    def arrived(self) -> Report:
        """The report of a step after which nothing more is to come."""
        found = (one for findings in self.arrivals.values() for one in findings)
        return replace(self.report, findings=sort_findings([*self.report.findings, *found]))


def combine(tip: Tree, taken: Sequence[Taken]) -> Report:
    """Steps that follow one another, as one report.

    A decision stands where its last step left it, and only there is asked whether it may arrive.
    """
    arrivals: dict[str, tuple[Finding, ...]] = {}
    lines: dict[str, DecisionLine] = {}
    for one in taken:
        arrivals |= one.arrivals
        lines |= {line.id: line for line in one.report.decisions}
    reports = [one.report for one in taken]
    found = (finding for report in reports for finding in report.findings)
    late = (finding for findings in arrivals.values() for finding in findings)
    return Report(
        tree=tip.id,
        base=None,
        files=sum(report.files for report in reports),
        decisions=tuple(
            line for name, line in sorted(lines.items()) if tip.list(directory_of(name))
        ),
        findings=sort_findings([*found, *late]),
        not_measured=tuple(
            dict.fromkeys(sentence for report in reports for sentence in report.not_measured)
        ),
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        guarded=sum(report.guarded for report in reports),
        why=tell_unchanged(tip),
    )


def step_sources(
    base: Tree, head: Tree, policy: Policy, as_of: str, means: Means = ALONE
) -> Sources:
    """How a head is judged: what is new by the base's policy as of now, the rest as it entered.

    `as_of` is the RFC 3339 time of the step: the commit's, or now for what is staged. A key that
    another protected branch revokes signs nothing that is new; what stands there is not new.
    """
    shared = means.share(policy, head)
    ring = KeyRing.from_policy(shared.policy, find_trust(policy, base, head), means.memory.prove)
    timing = _time_entries(base, head, as_of, shared)
    return Sources(policy, ring, timing, means, shared)


def entering(sources: Sources, base: Tree, head: Tree, as_of: str) -> Sources:
    """The same policy and keys, for another head upon another base."""
    timing = _time_entries(base, head, as_of, sources.shared)
    return replace(sources, timing=timing)


def _time_entries(
    base: Tree, head: Tree, as_of: str, shared: Shared | None
) -> Callable[[str, State], Timing]:
    def timing(path: str, _state: State) -> Timing:
        # A signature that comes later than its file makes the file new: it says who vouches.
        same = all(base.find(one) == head.find(one) for one in with_signatures(path))
        there = shared is not None and shared.has(head, path)
        return Timing.in_base() if same or there else Timing.new(as_of)

    return timing


def judge_step(
    base: Tree,
    head: Tree,
    changed: Iterable[str],
    as_of: str,
    *,
    means: Means = ALONE,
    branch: str | None = None,
    past: Past = NO_PAST,
    rules: Rules = check_step,
) -> Report:
    """Judge the paths that differ between base and head, as one step; see `take_step`.

    `past` is what the history of the base says where it has no policy. Raises CannotJudge when
    the policy of the base cannot be read.
    """
    changed = tuple(changed)
    if not _is_judged(changed):
        return _nothing(base, head)
    upon = Upon(base, find_in_force(base, head, past))
    taken = take_step(upon, head, changed, as_of, means=means, branch=branch, rules=rules)
    report = taken.arrived()
    return replace(report, not_measured=(*past.not_measured, *report.not_measured))


def take_step(
    upon: Upon,
    head: Tree,
    changed: Iterable[str],
    as_of: str,
    *,
    means: Means = ALONE,
    branch: str | None = None,
    rules: Rules = check_step,
) -> Taken:
    """Judge the paths that differ, those below `decisions/` and pages, upon what stands there.

    `branch` is the name of the branch that the result lands on, None where it is not known: a
    protected branch takes only what is decided. `rules` are those that hold between the two:
    whoever looks at each commit too asks them for the order.
    """
    changed = tuple(changed)
    base, trusted = upon
    if not _is_judged(changed):
        return Taken(_nothing(base, head), {}, Upon(head, trusted))
    paths = [path for path in changed if path == ROOT or path.startswith(f"{ROOT}/")]
    after = load_policy(head)
    touched = sorted({path.split("/")[1] for path in paths if path.count("/") >= 2})
    there, was_there = frozenset(list_decisions(head)), frozenset(list_decisions(base))
    names = tuple(name for name in touched if name in there)
    shared = find_shared(paths, (there | was_there).intersection(touched))
    findings = [
        *trusted.findings,
        *find_missing_policy(after, names),
        *check_shared(head, shared),
    ]
    if trusted.policy is None:
        findings += check_policy_file(upon, after)
        placed = place_findings(head, findings)
        report = Report(head.id, base.id, len(paths), (), placed, ())
        return Taken(report, {}, Upon(head, trusted))
    sources = step_sources(base, head, trusted.policy, as_of, means)
    gone = [name for name in touched if name in was_there - there]
    judged: list[Judged] = []
    lines: list[DecisionLine] = []
    arrivals: dict[str, tuple[Finding, ...]] = {}
    restored: dict[str, Tree] = {}
    trees = _Trees.of(base, head, sources)
    ruled_by = trusted.policy if trusted.trust == "base" else None
    for name in (*names, *gone):
        step, one = _judge_decision(trees, name, ruled_by, rules)
        findings += one.findings
        broken = (place for path in find_broken(step) for place in with_signatures(path))
        restored |= dict.fromkeys(broken, base)
        if name in names:
            judged.append(one)
            arrival = check_arrival(one.judgement, trusted.policy)
            lines.append(replace(line_of(one), held_up=bool(arrival)))
            protected = branch in trusted.policy.protected
            arrivals[name] = place_findings(head, arrival) if protected else ()
    if names:
        findings += find_id_clashes(sorted(there))
    generated = [path for path in shared if path.startswith(SHARED)]
    index = [path for path in changed if path == ADR_INDEX]
    findings += check_shared_files([*generated, *index], branch, trusted.policy)
    faults, in_force = judge_policy(upon, trees.head, after)
    known = {one.loaded.id: one for one in judged}
    pages = judge_pages(
        PageStep(
            base,
            head,
            changed,
            trusted.trust,
            lambda name: known.get(name) or trees.head.judge(name),
            lambda path, digest: is_enacted(trees.head, path, digest),
        )
    )
    templates = dict.fromkeys(pages.refused, base)
    restored |= templates
    report = Report(
        tree=head.id,
        base=base.id,
        files=count_files(judged) + len(shared) + pages.pages,
        decisions=tuple(lines),
        findings=place_findings(head, [*findings, *faults, *pages.findings]),
        not_measured=tuple(sentence for one in judged for sentence in one.not_measured),
        notes=(
            *_note_first_use(trusted, after),
            *(sentence for one in judged for sentence in one.notes),
            *pages.notes,
        ),
    )
    left = RestoredTree(head, restored) if restored else head
    after_it = Upon(left, replace(in_force, trust="base", findings=()))
    return Taken(report, arrivals, after_it, templates)


def _is_judged(changed: Sequence[str]) -> bool:
    ours = any(p in (ROOT, ADR_INDEX) or p.startswith(f"{ROOT}/") for p in changed)
    return ours or bool(find_touched(changed))


def _nothing(base: Tree, head: Tree) -> Report:
    return Report(head.id, base.id, 0, (), (), (), why=tell_unchanged(head))


def _note_first_use(trusted: InForce, after: LoadedPolicy) -> tuple[str, ...]:
    if trusted.trust == "base" or trusted.findings:
        return ()
    return (f"the first policy is trusted on first use: {after.digest}",)


def judge_in_step(base: Tree, head: Tree, name: str, sources: Sources) -> Judged:
    """One decision of a head, with what the step from the base may not do to it."""
    trees = _Trees.of(base, head, sources)
    policy = sources.policy if base.find(POLICY) is not None else None
    return _judge_decision(trees, name, policy, check_step)[1]


def make_step(
    base: Decisions, head: Decisions, name: str, policy: Policy | None
) -> tuple[DecisionStep, Judged]:
    """What a step does to one decision, and where it leaves it.

    `policy` is the one in force before it, None where it brings the first one.
    """
    before, after = _list_files(base.tree, name), _list_files(head.tree, name)
    earlier = base.judge(name) if before else None
    judged = head.judge(name, _find_settled(earlier, before, after))
    step = DecisionStep(
        name, earlier.judgement if earlier else None, judged.judgement, before, after, policy
    )
    return step, judged


def _judge_decision(
    trees: _Trees, name: str, policy: Policy | None, rules: Rules
) -> tuple[DecisionStep, Judged]:
    """A step of one decision, and all that is to be said of it."""
    step, judged = make_step(trees.base, trees.head, name, policy)
    entering = {path for path, oid in step.after.items() if step.before.get(path) != oid}
    find = trees.head.sources.means.find_artifact
    both = (trees.head.tree, trees.base.tree)
    cited, unmeasured = measure_answers(judged.judgement, both, find, entering)
    return step, replace(
        judged,
        findings=(*judged.findings, *rules(step), *cited),
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
