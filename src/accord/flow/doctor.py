"""`doctor`: what this machine and this repository need for accord to work.

Everything is looked at, from the programs to the keys at hand; what one check finds never keeps
the next from looking.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from accord.errors import AccordError
from accord.flow.attributes import UNTOUCHED, find_altered
from accord.flow.session import Session, open_session
from accord.model.finding import find_errors
from accord.model.paths import POLICY, ROOT, path_of
from accord.model.policy import Policy
from accord.rules.policy import check_policy
from accord.signing.discover import find_signers
from accord.signing.keyring import check_keys
from accord.store.git import OLDEST_GIT, Repository
from accord.store.load import load_policy
from accord.store.merge import OLDEST_GIT_TO_MERGE
from accord.verify.protected import find_unprotected_here, list_doubts

Grade = Literal["ok", "warn", "fail"]


class Symptom(NamedTuple):
    """One thing that was looked at, and what mends it."""

    grade: Grade
    text: str
    remedy: str = ""


class Program(NamedTuple):
    """A program that accord runs, and the oldest version that will do."""

    name: str
    ask: tuple[str, ...]
    oldest: tuple[int, int]
    package: str


PROGRAMS = (
    Program("git", ("git", "version"), OLDEST_GIT, "git"),
    # ssh-keygen does not tell its version; ssh comes with it and does.
    Program("ssh-keygen", ("ssh", "-V"), (8, 2), "openssh-client"),
)


def examine(start: Path) -> Iterator[Symptom]:
    """Look at everything, from the machine to the keys at hand."""
    for program in PROGRAMS:
        yield examine_program(program)
    yield from _examine_merging()
    yield _examine_reader()
    try:
        repository = Repository.discover(start)
        yield Symptom("ok", f"repository {repository.root or repository.git_dir}")
        if repository.root is None:
            yield Symptom("warn", "it is bare: accord reads here, and writes in a clone only")
            yield from _examine_bare(repository)
            return
        session = open_session(repository)
    except AccordError as error:
        yield Symptom("fail", error.message, error.hint)
        return
    yield from _examine_policy(session)
    yield from _examine_protected(session.repository, session.policy)
    yield from _examine_keys(session)
    yield _examine_attributes(session)
    yield _examine_hooks(session)
    yield from _examine_state(session)


def examine_program(program: Program) -> Symptom:
    """Whether a program is there and not too old."""
    oldest = ".".join(map(str, program.oldest))
    remedy = f"install {program.package} {oldest} or newer"
    found = shutil.which(program.name)
    if found is None:
        return Symptom("fail", f"{program.name} is not there", remedy)
    version = _ask_version(program.ask)
    numbers = _find_numbers(version)
    if not numbers:
        return Symptom("warn", f"{found} does not tell its version", remedy)
    if numbers < program.oldest:
        return Symptom("fail", f"{found} is too old: {version}", remedy)
    return Symptom("ok", f"{found}: {version}")


def _ask_version(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    return (done.stdout or done.stderr).decode("utf-8", "replace").split(",")[0].strip()


def _examine_merging() -> Iterator[Symptom]:
    """Only a newer git says what a merge would give that nobody has made."""
    version = _ask_version(("git", "version"))
    numbers = _find_numbers(version)
    if OLDEST_GIT <= numbers < OLDEST_GIT_TO_MERGE:
        oldest = ".".join(map(str, OLDEST_GIT_TO_MERGE))
        yield Symptom(
            "warn",
            f"{version} cannot merge aside: `accord ci` cannot judge a branch that is behind its"
            " target",
            f"install git {oldest} or newer",
        )


def _find_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"[0-9]+", version)[:2])


def _examine_reader() -> Symptom:
    if find_spec("_ruamel_yaml") is None:
        return Symptom(
            "fail",
            "the C part of ruamel.yaml is missing, so nothing can be judged",
            "pip install 'ruamel.yaml[oldlibyaml]'",
        )
    return Symptom("ok", "the YAML reader has its C part")


def _examine_policy(session: Session) -> Iterator[Symptom]:
    findings = (*check_policy(session.policy), *check_keys(session.policy, POLICY))
    for finding in findings:
        grade: Grade = "fail" if finding.severity == "error" else "warn"
        yield Symptom(grade, f"{POLICY}: {finding.message}", finding.hint)
    if not find_errors(findings):
        members = len(session.policy.members)
        yield Symptom("ok", f"{POLICY}: serial {session.policy.serial}, {members} members")


def _examine_bare(repository: Repository) -> Iterator[Symptom]:
    head = repository.head()
    policy = load_policy(repository.commit(head)).policy if head else None
    if policy is not None:
        yield from _examine_protected(repository, policy)


def _examine_protected(repository: Repository, policy: Policy) -> Iterator[Symptom]:
    """Whether the branches that the policy protects are there, and the default is one of them."""
    missing = find_unprotected_here(repository, policy)
    for sentence in missing:
        what, _, remedy = sentence.partition(". ")
        yield Symptom("fail", what, remedy)
    doubts = list(list_doubts(repository, policy))
    for doubt in doubts:
        yield Symptom("warn", doubt, "protect it by a governance decision, or give it that name")
    if not missing and not doubts:
        yield Symptom("ok", f"protected branches: {', '.join(policy.protected)}")


def _examine_keys(session: Session) -> Iterator[Symptom]:
    signers = find_signers(session.repository, session.policy)
    for name, signer in sorted(signers.items()):
        place = signer.file or f"the ssh-agent ({signer.public.fingerprint})"
        yield Symptom("ok", f"you can sign as {name} with {place}")
    accounts = {
        name: key.sigstore
        for name, member in sorted(session.policy.members.items())
        for key in member.keys
        if key.sigstore is not None and not (key.valid_until or key.revoked_from)
    }
    for name, account in accounts.items():
        yield Symptom(
            "ok",
            f"{name} signs with an account: {account.identity} (issuer {account.issuer});"
            f" `accord … --as {name} --sigstore` asks for it in a browser, or takes the token of a"
            " CI job",
        )
    if not signers and not accounts:
        some = min(session.policy.members, default="MEMBER")
        yield Symptom(
            "warn",
            "no key of any member is at hand: you can read, and not sign",
            f"git config accord.{some}.key PATH",
        )


def _examine_attributes(session: Session) -> Symptom:
    altered = find_altered(session)
    if altered is None:
        return Symptom("ok", "git leaves the bytes of decisions/ alone")
    return Symptom(
        "fail",
        f"git may change the bytes of {altered.path}, which breaks signatures and digests:"
        f" its attribute {altered.attribute} is {altered.value}",
        f"add `{UNTOUCHED}` as the last line of .gitattributes, then"
        f" `git add --renormalize {ROOT}`",
    )


def _examine_hooks(session: Session) -> Symptom:
    """Whether git would run accord before a commit: by its own hook, or by pre-commit's."""
    answer = session.repository.reading.ask("rev-parse", "--git-path", "hooks/pre-commit")
    hook = session.root / answer.text
    config = session.root / ".pre-commit-config.yaml"
    listed = config.is_file() and b"accord-verify" in config.read_bytes()
    script = hook.read_bytes() if hook.is_file() else b""
    if b"accord" in script or (listed and b"pre-commit" in script):
        return Symptom("ok", f"{hook} runs accord before a commit")
    if listed:
        return Symptom(
            "warn",
            ".pre-commit-config.yaml lists accord-verify, and pre-commit is not installed here",
            "pre-commit install",
        )
    return Symptom(
        "warn",
        "no hook runs accord before a commit",
        "`accord hook install`; or add accord-verify and accord-generate to"
        " .pre-commit-config.yaml, then `pre-commit install`",
    )


def _examine_state(session: Session) -> Iterator[Symptom]:
    """Where sealed votes are kept, and those that were never opened."""
    directory = session.state.directory
    yield Symptom("ok", f"sealed votes are kept in {directory}, for you alone")
    for vote in sorted((directory / "votes").glob("*/*/*.yaml")):
        decision, round_, file = vote.relative_to(directory / "votes").parts
        if not round_.isdecimal():
            continue
        voter = file.split(".")[0]
        if _is_over(session, decision, int(round_), voter):
            continue
        yield Symptom(
            "warn",
            f"a sealed vote of {voter} in round {round_} of {decision} is not open yet",
            f"accord reveal {decision} --as {voter}",
        )


def _is_over(session: Session, decision: str, round_number: int, voter: str) -> bool:
    """Whether a kept vote has nothing to wait for: it is open, or its decision has its record."""
    there = (
        path_of("vote", decision, round_number=round_number, name=voter),
        path_of("record", decision),
    )
    return any(session.tree.find(path) is not None for path in there)
