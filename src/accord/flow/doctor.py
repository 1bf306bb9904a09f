"""`doctor`: what this machine and this repository need for accord to work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from accord.errors import AccordError
from accord.flow.identity import find_all
from accord.flow.session import Session, open_session
from accord.model.paths import POLICY
from accord.rules.policy import check_policy
from accord.store.git import Repository

Grade = Literal["ok", "warn", "fail"]


class Symptom(NamedTuple):
    """One thing that was looked at, and the command that mends it."""

    grade: Grade
    text: str
    remedy: str = ""


def examine(start: Path) -> Iterator[Symptom]:
    """Look at everything, from the machine to the keys at hand."""
    yield from _examine_programs()
    try:
        repository = Repository.discover(start)
        yield Symptom("ok", f"repository {repository.root or repository.git_dir}")
        session = open_session(repository)
    except AccordError as error:
        yield Symptom("fail", error.message, error.hint)
        return
    yield from _examine_policy(session)
    yield from _examine_keys(session)
    yield from _examine_files(session)


def _examine_programs() -> Iterator[Symptom]:
    for program, package in (("git", "git"), ("ssh-keygen", "openssh-client")):
        found = shutil.which(program)
        if found:
            yield Symptom("ok", f"{program} at {found}")
        else:
            yield Symptom("fail", f"{program} is not there", f"install it (package {package})")
    if find_spec("_ruamel_yaml") is None:
        yield Symptom(
            "fail",
            "the C part of ruamel.yaml is missing, so nothing can be judged",
            "pip install 'ruamel.yaml[oldlibyaml]'",
        )
    else:
        yield Symptom("ok", "the YAML reader has its C part")


def _examine_policy(session: Session) -> Iterator[Symptom]:
    findings = check_policy(session.policy)
    for finding in findings:
        grade: Grade = "fail" if finding.severity == "error" else "warn"
        yield Symptom(grade, f"{POLICY}: {finding.message}", finding.hint)
    if not findings:
        members = len(session.policy.members)
        yield Symptom("ok", f"{POLICY}: serial {session.policy.serial}, {members} members")


def _examine_keys(session: Session) -> Iterator[Symptom]:
    signers = find_all(session)
    for name in sorted(session.policy.members):
        if name in signers:
            yield Symptom("ok", f"can sign as {name}")
    if not signers:
        some = min(session.policy.members, default="MEMBER")
        yield Symptom(
            "warn",
            "no key of any member is at hand: you can read, and not sign",
            f"git config accord.{some}.key PATH",
        )


def _examine_files(session: Session) -> Iterator[Symptom]:
    answer = session.repository.reading.ask("check-attr", "text", "--", f"{POLICY}")
    if answer.text.endswith(": unset"):
        yield Symptom("ok", "git leaves the bytes of decisions/ alone")
    else:
        yield Symptom(
            "fail",
            "git may change the bytes of decisions/ on checkout, which breaks signatures",
            "add `decisions/** -text` to .gitattributes",
        )
    config = session.root / ".pre-commit-config.yaml"
    if config.is_file() and b"accord-verify" in config.read_bytes():
        yield Symptom("ok", ".pre-commit-config.yaml runs accord-verify")
    else:
        yield Symptom(
            "warn",
            "no hook runs accord-verify",
            "add it to .pre-commit-config.yaml, and run `pre-commit install`",
        )
    yield Symptom("ok", f"sealed votes are kept in {session.state.directory}")
