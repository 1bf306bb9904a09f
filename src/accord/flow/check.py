"""`check`: a deterministic command is run, and its result is signed (section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from accord.errors import UsageError
from accord.flow.check_place import Place, Stand, find_stand
from accord.flow.command import Ran, run_command
from accord.flow.publish import Change, Published, Saving, alone, publish, sign_record
from accord.flow.session import Session
from accord.model.escalation import Check
from accord.model.evidence import Input, is_uri
from accord.model.ids import digest_bytes
from accord.model.paths import next_file_number, path_of
from accord.model.proposal import CheckPlan
from accord.rules.checks import find_parts, is_decider
from accord.rules.counting import CountedRound
from accord.signing.base import Signer


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be run: under which name, and on what.

    With an empty `argv` it is the check that the proposal declares under this name. `inputs` are
    paths; none means the load-bearing artifacts. `expected_exit` is that of a passing run.
    `tools` are programs whose version is noted.
    """

    name: str
    argv: Sequence[str] = ()
    inputs: Sequence[str] = ()
    expected_exit: int = 0
    tools: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A check that is ready to be run: the command, its pinned inputs, what passes, and where."""

    trial: Trial
    round_: CountedRound
    plan: CheckPlan
    stand: Stand

    @property
    def subject(self) -> tuple[str, str, CheckPlan]:
        """What its result is about."""
        return self.round_.ballot.digest, self.round_.text_digest, self.plan


def prepare_check(session: Session, decision: str, trial: Trial, signer: str) -> Prepared:
    """What will be run, if this member may sign it.

    Raises UsageError when no round is open to it, when the member's word would not count, and
    when an input is not here as it was voted on.
    """
    round_ = session.require("check", decision).rounds[-1]
    for part in find_parts(round_, signer):
        raise UsageError(
            f"{signer} {part}, so a check that {signer} signs resolves nothing",
            "let somebody run and sign it who did not agree, propose or open",
        )
    declared = {plan.name: plan for plan in round_.proposal.record.checks}
    plan = _find_plan(trial, declared)
    if plan is not declared.get(trial.name) and not is_decider(round_, signer):
        raise UsageError(
            f"the proposal does not declare this check {trial.name}, and {signer} is no decider",
            _tell_declared(decision, declared),
        )
    stand = find_stand(session, round_.proposal.record, plan)
    inputs = tuple(_pin(stand, round_, entry) for entry in plan.inputs or _choose(round_))
    pinned = CheckPlan(
        name=plan.name, argv=plan.argv, inputs=inputs, expected_exit=plan.expected_exit
    )
    return Prepared(trial, round_, pinned, stand)


def run_check(
    session: Session, prepared: Prepared, signer: Signer, saving: Saving
) -> tuple[Ran, Published]:
    """Run it, and sign what came out.

    Others may write while it runs. Raises UsageError when it changed one of its inputs, or when
    it is no more about what stands.
    """
    ballot = prepared.round_.ballot.record
    with prepared.stand.entered(prepared.plan.inputs) as place:
        found = place.describe()
        ran = run_command(prepared.plan.argv, place.root, prepared.trial.tools)
        for path in _find_changed(place, prepared.plan.inputs):
            raise UsageError(
                f"the command changed its input {path}, so what it found is of nothing",
                "restore the file, and use a command that only reads",
            )
    with alone(session, f"check {ballot.decision}") as here:
        _require_subject(here, prepared, signer.member)
        check = Check(
            decision=ballot.decision,
            round=prepared.round_.number,
            by=signer.member,
            at=here.clock(),
            ballot=prepared.round_.ballot.digest,
            text_digest=prepared.round_.text_digest,
            name=prepared.plan.name,
            argv=prepared.plan.argv,
            inputs=prepared.plan.inputs,
            environment=ran.environment | found,
            exit_code=ran.exit_code,
            output=digest_bytes(ran.output),
            passed=ran.exit_code == prepared.plan.expected_exit,
        )
        taken = (file.path for file in here.judge(ballot.decision).files.checks)
        number = next_file_number(taken, check.name)
        path = path_of("check", ballot.decision, name=check.name, number=number)
        files = sign_record(check, "check", path, signer)
        word = "passes" if check.passed else "fails"
        change = Change(ballot.decision, f"{ballot.decision}: check {check.name} {word}", files)
        return ran, publish(here, change, saving)


def _require_subject(session: Session, prepared: Prepared, signer: str) -> None:
    decision = prepared.round_.ballot.record.decision
    if prepare_check(session, decision, prepared.trial, signer).subject != prepared.subject:
        raise UsageError(
            f"{decision} moved on while the command ran: what it found is of the text before",
            "run the check again",
        )


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recorded check, run again: what differs from the record, in words."""

    check: Check
    output: bytes
    differences: tuple[str, ...]
    environment: tuple[str, ...]


def replay_checks(session: Session, decision: str, name: str | None) -> Iterator[Replayed]:
    """Run the last counted run of each check again, or of one. Nothing is written.

    Raises UsageError when there is none, or when its inputs are not here.
    """
    judgement = session.judge(decision).judgement
    checks = [file.record for file in judgement.ways.checks if name in (None, file.record.name)]
    if not checks:
        raise UsageError(
            f"{decision} has no counted check" + (f" {name}" if name else ""),
            f"`accord show {decision}` says which there are",
        )
    for check in sorted(checks, key=lambda check: check.name):
        plan = CheckPlan(name=check.name, argv=check.argv)
        yield _replay(find_stand(session, judgement.rounds[-1].proposal.record, plan), check)


def _replay(stand: Stand, check: Check) -> Replayed:
    with stand.entered(check.inputs) as place:
        return _replay_in(place, check)


def _replay_in(place: Place, check: Check) -> Replayed:
    for entry in check.inputs:
        if _find_changed(place, (entry,)):
            raise _not_here(entry)
    tools = [
        key.removeprefix("version of ")
        for key in check.environment
        if key.startswith("version of ")
    ]
    now = place.describe()
    ran = run_command(check.argv, place.root, tools)
    environment = ran.environment | now
    differences = [
        f"the command changed its input {path}" for path in _find_changed(place, check.inputs)
    ]
    if ran.exit_code != check.exit_code:
        differences.append(f"exit code {ran.exit_code}, recorded {check.exit_code}")
    if digest_bytes(ran.output) != check.output:
        differences.append("another output")
    return Replayed(
        check,
        ran.output,
        tuple(differences),
        tuple(
            f"{key}: {environment.get(key, 'not there')}, recorded {told}"
            for key, told in sorted(check.environment.items())
            if environment.get(key) != told
        ),
    )


def _find_plan(trial: Trial, declared: dict[str, CheckPlan]) -> CheckPlan:
    plan = declared.get(trial.name)
    given = tuple(Input(artifact=path) for path in trial.inputs)
    otherwise = given or trial.expected_exit not in (0, plan.expected_exit if plan else 0)
    if plan is not None and tuple(trial.argv) in ((), plan.argv) and not otherwise:
        return plan
    if not trial.argv:
        raise UsageError(
            f"the proposal declares no check {trial.name}"
            if plan is None
            else f"the check {trial.name} has its inputs and exit code from the proposal",
            "say the command after --"
            if plan is None
            else "leave out --input and --expect, or say the command after --",
        )
    return CheckPlan(
        name=trial.name,
        argv=tuple(trial.argv),
        inputs=given,
        expected_exit=trial.expected_exit,
    )


def _tell_declared(decision: str, declared: dict[str, CheckPlan]) -> str:
    if not declared:
        return "only a decider's word makes a check count that no proposal declares"
    names = ", ".join(f"`accord check run {decision} {name}`" for name in sorted(declared))
    return f"run one that it declares ({names}), or let a decider run this one"


def _choose(round_: CountedRound) -> tuple[Input, ...]:
    """What a check reads that names nothing: the load-bearing artifacts, or else all primaries."""
    entries = [
        entry
        for entry in round_.proposal.record.evidence
        if entry.kind == "primary" and entry.artifact and not is_uri(entry.artifact)
    ]
    heavy = [entry for entry in entries if entry.load_bearing]
    return tuple(
        Input(artifact=entry.artifact or "", revision=entry.revision, digest=entry.digest)
        for entry in heavy or entries
    )


def _pin(stand: Stand, round_: CountedRound, entry: Input) -> Input:
    """An input with its digest, which must be that of the file as it is here.

    A path that the proposal lists as evidence means those bytes.
    """
    listed = [one for one in round_.proposal.record.evidence if one.artifact == entry.artifact]
    here = stand.digest(entry.artifact)
    expected = {entry.digest} if entry.digest else {one.digest for one in listed if one.digest}
    if here is None or (expected and here not in expected):
        raise _not_here(entry)
    revision = next((one.revision for one in listed if one.digest == here), entry.revision)
    return Input(artifact=entry.artifact, revision=entry.revision or revision, digest=here)


def _find_changed(place: Place, inputs: Iterable[Input]) -> tuple[str, ...]:
    """The inputs that are not here any more as they were pinned."""
    return tuple(
        entry.artifact
        for entry in inputs
        if entry.digest not in (None, place.digest(entry.artifact))
    )


def _not_here(entry: Input) -> UsageError:
    at = f" (it is that of {entry.revision[:12]})" if entry.revision else ""
    return UsageError(
        f"{entry.artifact} is not here as it was voted on{at}",
        "check it out, or run this in a worktree of that commit: `git worktree add`",
    )
