"""What one step may change: from a base that is trusted to a head that is judged (section 9).

**Frozen protects what counts.** A file that is unauthenticated, unbound, stale or incomplete
takes nobody's place and may be removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from accord.model.evaluation import ENDED
from accord.model.finding import Finding
from accord.model.ids import digest_map, moment
from accord.model.paths import POLICY, find_location, path_of, with_signatures
from accord.model.policy import MERGE_DEFAULT, Policy
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement
from accord.rules.policy import key_material
from accord.rules.roster import check_against_policy


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """One decision before and after a step. `before` and `after` map paths to object ids.

    `base` is None when the decision is new; `policy` is that of the base, None where it has none:
    the step that brings the first policy brings only drafts and imports besides.
    """

    decision: str
    base: Judgement | None
    head: Judgement
    before: Mapping[str, str]
    after: Mapping[str, str]
    policy: Policy | None

    def is_new(self, path: str) -> bool:
        """Whether the file or its signature entered, or was changed, in this step."""
        return is_changed(path, self.before, self.after)

    def enters(self, path: str) -> bool:
        """Whether a file begins to count with this step, even if its bytes were there before."""
        return self.base is None or path not in self.base.counted or self.is_new(path)


def is_changed(path: str, before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether a file or a signature of it differs between two trees."""
    return any(before.get(one) != after.get(one) for one in with_signatures(path))


def check_step(step: DecisionStep) -> tuple[Finding, ...]:
    """Everything that this step may not do to this decision."""
    return (
        *_check_frozen(step),
        *_check_ended(step),
        *_check_first(step),
        *_check_ballots(step),
        *_check_left_out(step),
        *_check_closes(step),
        *(finding for round_ in step.head.rounds for finding in _check_openings(step, round_)),
    )


def _check_frozen(step: DecisionStep) -> Iterator[Finding]:
    counted = step.base.counted if step.base else frozenset()
    for path in sorted(counted & step.before.keys()):
        if path not in step.after:
            yield Finding(
                code="signed-file-deleted",
                path=path,
                message="a file that counts was deleted or renamed",
                hint="Restore it: what was signed and counted stays.",
            )
        elif step.is_new(path):
            same = step.before[path] == step.after[path]
            yield Finding(
                code="frozen-file-changed",
                path=path,
                message=f"{'the signature of ' if same else ''}a file that counts was changed",
                hint="Restore it as it was; what is different needs a new round or decision.",
            )


def _check_ended(step: DecisionStep) -> Iterator[Finding]:
    """What has ended and is recorded takes in only late votes and re-derivations."""
    record = path_of("record", step.decision)
    if step.base is None or not step.base.evaluation.ended or record not in step.before:
        return
    late = {vote.path for round_ in step.head.rounds for vote in round_.late}
    for path in sorted(path for path in step.after if path not in step.before):
        location = find_location(path)
        if location is None or location.path in late or location.kind == "rederivation":
            continue
        yield Finding(
            code="decision-ended",
            path=path,
            message=f"the decision has ended ({step.base.evaluation.status}); this cannot enter"
            " any more",
            hint="Start a new decision that reopens it (reopens: or supersedes:).",
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
                    hint="Open the round with accord open, which lists all that it finds.",
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
                    hint="Close the round with accord close, which lists all that it finds.",
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


def _check_openings(step: DecisionStep, round_: CountedRound) -> Iterator[Finding]:
    opened = [vote for _, vote in sorted(round_.votes.items()) if step.is_new(vote.path)]
    if not opened:
        return
    if round_.ballot.record.rules.ballots == "open":
        yield from _check_seen(step, round_)
        return
    unsealed = sorted(set(round_.roster) - round_.seals.keys()) if round_.close is None else []
    fresh = any(step.is_new(seal.path) for seal in round_.seals.values())
    for vote in opened:
        if unsealed:
            yield Finding(
                code="revealed-before-sealed",
                path=vote.path,
                message=f"the vote was opened before {', '.join(unsealed)} had sealed",
                hint="Open votes when all seals are in: accord does it by itself.",
            )
        elif fresh and not is_order_affirmed(round_) and not is_order_logged(round_):
            yield Finding(
                code="seal-order-unproven",
                path=vote.path,
                message="seals and openings arrive in one step, so nothing shows their order",
                hint="Commit the seals before the openings, or let the affirmations prove it.",
            )


def find_logged_orders(step: DecisionStep) -> tuple[str, ...]:
    """The rounds whose order nothing shows but the times of a log, in sentences."""
    return tuple(
        f"{step.decision}, round {round_.number}: that all sealed before anybody opened is shown"
        " by the times of the log alone"
        for round_ in step.head.rounds
        if any(step.is_new(vote.path) for vote in round_.votes.values())
        if any(step.is_new(seal.path) for seal in round_.seals.values())
        if is_order_logged(round_) and not is_order_affirmed(round_)
    )


def is_order_logged(round_: CountedRound) -> bool:
    """Whether Sigstore's log has the last seal before the first opening.

    A vote is signed when it is opened. Within one second the log shows no order.
    """
    if round_.seals.keys() != set(round_.roster) or not round_.votes:
        return False
    seals = [seal.signed_at for seal in round_.seals.values()]
    votes = [vote.signed_at for vote in round_.votes.values()]
    known = [moment(time) for time in (*seals, *votes) if time is not None]
    if len(known) < len(seals) + len(votes):
        return False
    return max(known[: len(seals)]) < min(known[len(seals) :])


def is_order_affirmed(round_: CountedRound) -> bool:
    """Whether affirmations of all voters name the same seals, those that stand there."""
    seals = digest_map({voter: seal.digest for voter, seal in round_.seals.items()})
    named = {file.record.seals for file in round_.affirmed.values()}
    return named == {seals} and round_.affirmed.keys() == set(round_.roster)


def _check_seen(step: DecisionStep, round_: CountedRound) -> Iterator[Finding]:
    there = {voter for voter, vote in round_.votes.items() if vote.path in step.before}
    for voter, vote in sorted(round_.votes.items()):
        if step.is_new(vote.path) and there - {voter}:
            yield Finding(
                code="saw-other-votes",
                path=vote.path,
                message=f"the votes of {', '.join(sorted(there - {voter}))} could be read before"
                " this one was cast",
                hint="Sealed ballots keep votes independent (ballots: sealed).",
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
            message=f"it belongs to all decisions, and {branch} is no protected branch: two"
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
                "Propose it in class governance with enacts: decisions/policy.yaml and this"
                f" digest, {digest}.",
            )
        )
    faults += [
        (
            "policy-change-unapproved",
            f"members.{name}",
            sentence,
            "Members and keys are retired or revoked, never removed or handed on.",
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
