"""A job, judged: the report, and where the decisions of the change stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from accord.ci.job import Job, Nothing, Proposed, Step, Whole
from accord.model.evaluation import Evaluation, Waiting
from accord.model.policy import Policy
from accord.model.succession import Succession
from accord.rules.successors import find_successions, read_successor
from accord.rules.waiting import find_waiting
from accord.store.git import Repository
from accord.store.history import time_of_step
from accord.store.load import load_policy
from accord.store.merge import merging
from accord.verify.budget import Budget
from accord.verify.guarded import find_at_risk
from accord.verify.history import judge_history
from accord.verify.in_force import find_in_force
from accord.verify.protected import find_unprotected_here, list_doubts
from accord.verify.range import judge_between, note_nothing
from accord.verify.report import Report
from accord.verify.run import note_branch
from accord.verify.shared import warn_of_stale
from accord.verify.sources import means_of
from accord.verify.step import judge_upon, step_sources


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is said of a job. `lines` and `successions` are what `accord status` shows."""

    report: Report
    lines: Sequence[tuple[Evaluation, Sequence[Waiting]]] = ()
    successions: Mapping[str, Succession] = field(default_factory=dict)


def judge_job(repository: Repository, job: Job, root: str | None = None) -> Outcome:
    """Judge what a job is about; `root` is the digest that the first policy of a history has.

    Raises CannotJudge when something of it is not at hand.
    """
    match job:
        case Nothing():
            return Outcome(Report("nothing", None, 0, (), (), (), (job.why,), why=job.why))
        case Whole():
            report = judge_history(repository, job.head, job.branch, root)
            policy = load_policy(repository.commit(job.head)).policy
            told = warn_of_stale(repository, report, job.head, job.branch)
            return Outcome(_doubt(repository, told, policy, job.branch))
        case Step():
            outcome = _judge_step(repository, job, root)
            if job.merge == "asked for":  # a pull request leaves them alone
                return outcome
            told = warn_of_stale(repository, outcome.report, job.head, job.branch)
            return replace(outcome, report=told)
        case Proposed():
            with merging(repository, job.target, job.head) as merge:
                step = Step(job.target, merge.commit, job.branch, "asked for")
                outcome = _judge_step(merge.repository, step, root)
            return _note_merge(outcome, merge.commit, job)


def _note_merge(outcome: Outcome, commit: str, job: Proposed) -> Outcome:
    """Findings name the commit, and nobody would find it."""
    if commit == job.head:
        return outcome
    note = (
        f"{commit[:12]} is the merge of {job.head[:12]} into {job.target[:12]} as git would make"
        " it; it is in no repository"
    )
    report = outcome.report
    return replace(outcome, report=replace(report, notes=(*report.notes, note)))


def _judge_step(repository: Repository, job: Step, root: str | None) -> Outcome:
    """The report of a step, and where those decisions stand that it touches."""
    Budget(repository).require(job.base, job.head)
    report = judge_between(repository, job.base, job.head, job.branch, root)
    base, head = repository.commit(job.base), repository.commit(job.head)
    noted = note_nothing(_warn_of_squash(repository, report, job), job.base, job.head)
    told = note_branch(noted, job.branch)
    policy = find_in_force(base, head).policy
    told = _doubt(repository, told, policy, job.branch)
    if policy is None:
        return Outcome(told)
    names = [line.id for line in report.decisions]
    as_of = time_of_step(repository, job.base, job.head)
    sources = step_sources(base, head, policy, as_of, means_of(repository))
    judged = judge_upon(base, head, names, sources)
    successors = (read_successor(one.judgement) for one in judged)
    return Outcome(
        told,
        [(one.judgement.evaluation, find_waiting(one.files, one.judgement)) for one in judged],
        find_successions(one for one in successors if one is not None),
    )


def _doubt(
    repository: Repository, report: Report, policy: Policy | None, branch: str | None
) -> Report:
    """A report, with why nothing is judged by it where no branch is protected."""
    if policy is None:
        return report
    unmeasured = find_unprotected_here(repository, policy, branch)
    notes = (f"note: {doubt}" for doubt in list_doubts(repository, policy))
    return replace(
        report,
        not_measured=(*report.not_measured, *unmeasured),
        notes=(*report.notes, *notes),
    )


def _warn_of_squash(repository: Repository, report: Report, job: Step) -> Report:
    """With the decisions that are lost when what is asked for is squashed without their names."""
    if job.merge == "made":
        return report
    step = (job.base, job.head)
    found = find_at_risk(repository, step, repository.commit(job.head), job.branch)
    return replace(report, findings=(*report.findings, *found))
