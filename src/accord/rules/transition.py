"""What one step may change: from a base that is trusted to a head that is judged (section 9).

**Frozen protects what counts.** A file that is unauthenticated, unbound, stale or incomplete
takes nobody's place and may be removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from accord.model.evaluation import ENDED
from accord.model.finding import Finding
from accord.model.paths import POLICY, find_location, path_of
from accord.model.policy import MERGE_DEFAULT, Policy
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.order import check_order
from accord.rules.policy import key_material
from accord.rules.roster import check_against_policy
from accord.rules.rounds import check_roster_holds, find_silenced
from accord.rules.step import DecisionStep


def check_step(step: DecisionStep) -> tuple[Finding, ...]:
    """Everything that this step may not do to this decision, its order included."""
    return (*check_result(step), *check_left_out(step), *check_order(step))


def check_result(step: DecisionStep) -> tuple[Finding, ...]:
    """What the result of a step may not hold, in whatever order its commits came."""
    return (
        *_tell_broken(step),
        *_check_ended(step),
        *_check_first(step),
        *_check_ballots(step),
        *_check_silenced(step),
    )


def check_left_out(step: DecisionStep) -> tuple[Finding, ...]:
    """What counted in the base, and a ballot or a close that enters says nothing of.

    It is asked of one commit upon another, where who wrote it had found what it leaves out. What
    a merge joined, or another branch had meanwhile, is late, in whatever order commits came.
    """
    return (*_check_left_out(step), *_check_closes(step))


def find_broken(step: DecisionStep) -> tuple[str, ...]:
    """The files that counted in the base and are changed, or gone, in the head.

    What a decider took out of the head is gone and not broken.
    """
    counted = step.base.counted if step.base else frozenset()
    redacted = step.head.redacted - step.after.keys()
    there = sorted(counted & step.before.keys() - redacted)
    return tuple(path for path in there if step.is_new(path))


def tell_broken(path: str, before: Mapping[str, str], after: Mapping[str, str]) -> Finding:
    """That a file which counts was changed or deleted; `before` and `after` name its objects."""
    if path not in after:
        return Finding(
            code="signed-file-deleted",
            path=path,
            message="a file that counts was deleted or renamed",
            hint="Restore it: what was signed and counted stays.",
        )
    same = before[path] == after[path]
    return Finding(
        code="frozen-file-changed",
        path=path,
        message=f"{'the signature of ' if same else ''}a file that counts was changed",
        hint="Restore it as it was; what is different needs a new round or decision.",
    )


def _tell_broken(step: DecisionStep) -> Iterator[Finding]:
    return (tell_broken(path, step.before, step.after) for path in find_broken(step))


def _check_ended(step: DecisionStep) -> Iterator[Finding]:
    """What has ended and is recorded takes in only late votes, re-derivations and redactions."""
    record = path_of("record", step.decision)
    if step.base is None or not step.base.evaluation.ended or record not in step.before:
        return
    late = {vote.path for round_ in step.head.rounds for vote in round_.late}
    for path in sorted(path for path in step.after if path not in step.before):
        location = find_location(path)
        if location is None or location.path in late or location.kind == "rederivation":
            continue
        if location.kind == "redaction" and location.path in step.head.counted:
            continue
        yield Finding(
            code="decision-ended",
            path=path,
            message=f"the decision has ended ({step.base.evaluation.status}); this cannot enter"
            " any more",
            hint="Drop the commit that brings it (git rebase -i); to decide again, start a new"
            " decision (accord reopen).",
        )


def _check_first(step: DecisionStep) -> Iterator[Finding]:
    """No policy was there before: what comes with the first one has been decided by nobody."""
    for path in sorted(path for path in step.after if step.policy is None and step.is_new(path)):
        location = find_location(path)
        # A ballot has a finding of its own, and a record has to be that of an import.
        if location is None or location.kind in {"proposal", "evidence", "record", "round"}:
            continue
        yield Finding(
            code="unexpected-file",
            path=path,
            message="only drafts and imports come with the first policy",
            hint="Commit the policy first; then decide by it.",
        )


def _check_ballots(step: DecisionStep) -> Iterator[Finding]:
    for round_ in step.head.rounds:
        if step.enters(round_.ballot.path):
            if step.policy is None:
                yield _too_early(round_)
                continue
            yield from check_against_policy(round_.ballot, step.policy)
            if round_.ballot.record.rules.anchored:
                yield from _check_anchored(round_)


def _check_silenced(step: DecisionStep) -> Iterator[Finding]:
    """Who dissents stays on the roster, whether or not the ballot says that it found it.

    What comes in one step with the ballot may have come before it: nobody can tell.
    """
    rounds = step.head.rounds
    for position, round_ in enumerate(rounds):
        if step.enters(round_.ballot.path):
            silenced = find_silenced(rounds[:position])
            yield from check_roster_holds(silenced, round_, "dissenter-dropped", "dissented")


def _check_left_out(step: DecisionStep) -> Iterator[Finding]:
    """A ballot says what it found. What the base counted was there, and it cannot leave it out."""
    for before, after in zip(
        step.base.rounds if step.base else (), step.head.rounds[1:], strict=False
    ):
        if not step.enters(after.ballot.path):
            continue
        for file in (*before.votes.values(), *before.late, *before.retracted.values()):
            if file.path in step.after and file.path not in step.head.counted:
                yield Finding(
                    code="round-not-allowed",
                    path=after.ballot.path,
                    field="previous",
                    message=f"`previous` leaves out {file.path}, which was there and counted",
                    hint="Drop the commit that brings it (git rebase -i), and open the round"
                    " with accord open, which lists all that it finds.",
                )


def _check_closes(step: DecisionStep) -> Iterator[Finding]:
    """A close says what it found. It cannot make late what counted before it."""
    for before, after in zip(step.base.rounds if step.base else (), step.head.rounds, strict=False):
        if after.close is None or not step.enters(after.close.path):
            continue
        counted = after.close.record.counted
        listed = {
            *counted.votes.values(),
            *counted.seals.values(),
            *counted.affirmations.values(),
        }
        standing = (before.votes, before.seals, before.affirmed, before.retracted)
        for file in (one for kind in standing for one in kind.values()):
            if file.path in step.after and file.digest not in listed:
                yield Finding(
                    code="frozen-file-changed",
                    path=after.close.path,
                    field="counted",
                    message=f"`counted` leaves out {file.path}, which was there and counted",
                    hint="Drop the commit that brings it (git rebase -i), and close the round"
                    " with accord close, which lists all that it finds.",
                )


def _too_early(round_: CountedRound) -> Finding:
    return Finding(
        code="ballot-not-from-policy",
        path=round_.ballot.path,
        message="no policy was in force when this ballot entered: the first one comes with it",
        hint="Commit the policy first; then open rounds.",
    )


def _check_anchored(round_: CountedRound) -> Iterator[Finding]:
    for file in (*round_.seals.values(), *round_.votes.values()):
        yield Finding(
            code="ballot-not-anchored",
            path=file.path,
            message="the class counts seals and votes only once the ballot is in the base",
            hint="Merge the ballot first, then vote on top of it.",
        )


def check_arrival(judgement: Judgement, policy: Policy) -> tuple[Finding, ...]:
    """Whether a decision may stand on a protected branch as it is."""
    evaluation = judgement.evaluation
    allowed: Iterable[str] = MERGE_DEFAULT
    anchored = False
    if judgement.rounds:
        rules = judgement.rounds[-1].ballot.record.rules
        allowed, anchored = rules.merge, rules.anchored
    elif evaluation.class_ in policy.classes:
        allowed = policy.classes[evaluation.class_].merge
        anchored = policy.classes[evaluation.class_].anchored
    undecided = evaluation.status not in ENDED
    if evaluation.status in allowed or (undecided and anchored):
        return ()
    takes = f"and a protected branch takes only {', '.join(allowed)}"
    if evaluation.status == "imported":
        return (
            Finding(
                code="undecided-on-protected-branch",
                path=path_of("record", evaluation.decision),
                message=f"{evaluation.decision} is imported, {takes}",
                hint=f"If imports are wanted, let `merge` of class {evaluation.class_} name"
                " imported.",
            ),
        )
    return (
        Finding(
            code="undecided-on-protected-branch",
            path=path_of("proposal", evaluation.decision, round_number=max(evaluation.round, 1)),
            message=f"{evaluation.decision} is {evaluation.status}, {takes}",
            hint="Keep it on a branch of its own until it is decided.",
        ),
    )


def check_shared_files(
    shared: Iterable[str], branch: str | None, policy: Policy
) -> tuple[Finding, ...]:
    """What belongs to all decisions is refreshed on a protected branch, or branches conflict.

    `shared` are the paths of such files that a step changes; `branch` is where it lands, None
    where that is not known: then nothing is said.
    """
    if branch is None or branch in policy.protected:
        return ()
    return tuple(
        Finding(
            code="shared-file-in-change",
            path=path,
            message="it belongs to all decisions, and this branch is not protected: two"
            " branches that touch it conflict",
            hint="Take it out of this change, unless a merge brought it; it is refreshed on"
            f" {' or '.join(policy.protected)}.",
        )
        for path in shared
    )


def check_policy_change(
    before: Policy, after: Policy, digest: str, enacted: frozenset[str]
) -> tuple[Finding, ...]:
    """What forbids a changed policy.

    `digest` is that of the new file, `enacted` the digests of policies that an accepted
    governance decision, judged by the old policy, brings into force.
    """
    faults: list[tuple[str, str, str, str]] = []
    if after.serial != before.serial + 1:
        faults.append(
            (
                "policy-serial",
                "serial",
                f"the serial goes from {before.serial} to {after.serial}",
                f"A changed policy has serial {before.serial + 1}.",
            )
        )
    if after.project != before.project:
        faults.append(
            ("policy-serial", "project", "the project id was changed", "Restore the project id.")
        )
    if digest not in enacted:
        faults.append(
            (
                "policy-change-unapproved",
                "",
                "no accepted governance decision enacts this policy",
                "Restore it; then propose the new one in class governance, with enacts:"
                f" {POLICY} and its digest, {digest}.",
            )
        )
    faults += [
        (
            "policy-change-unapproved",
            f"members.{name}",
            sentence,
            "Restore it: members and keys are retired or revoked, never removed or handed on.",
        )
        for name, sentence in _find_removed(before, after)
    ]
    return tuple(
        Finding(code=code, path=POLICY, field=field, message=sentence, hint=hint)
        for code, field, sentence, hint in faults
    )


def _find_removed(before: Policy, after: Policy) -> Iterator[tuple[str, str]]:
    owners = {
        key_material(key): name for name, member in after.members.items() for key in member.keys
    }
    for name, member in before.members.items():
        if name not in after.members:
            yield name, f"the member {name} was removed"
            continue
        for key in member.keys:
            owner = owners.get(key_material(key))
            if owner is None:
                yield name, f"a key of {name} was removed"
            elif owner != name:
                yield name, f"a key of {name} was given to {owner}"
