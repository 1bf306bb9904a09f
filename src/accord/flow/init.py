"""`init`: a policy that works, and a repository that leaves signed files alone (section 3)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord.errors import Refused, UsageError
from accord.flow.members import POLICY_COMMENTS, read_public_key
from accord.model.finding import find_errors
from accord.model.ids import is_id
from accord.model.paths import POLICY
from accord.model.policy import DecisionClass, Key, Member, Policy, Role, Seats
from accord.rules.policy import check_policy
from accord.signing.keyring import check_keys
from accord.signing.ssh_keygen import generate_key
from accord.store.files import write_files
from accord.store.git import Repository
from accord.store.schema import schema_for
from accord.store.state import State
from accord.store.writer import dump_draft

ATTRIBUTES = """\
# accord: signed files are signed as they are stored, so git must not change their bytes.
decisions/** -text
decisions/**/record.yaml linguist-generated
decisions/ledger/** linguist-generated
docs/decisions/** linguist-generated
"""
IGNORES = {
    ".prettierignore": "decisions/\n",
    ".yamlfmt.yaml": "exclude:\n  - decisions/**\n",
}


@dataclass(frozen=True, slots=True)
class Founding:
    """Who takes part from the start. The last agent is the challenger if none is named."""

    agents: Sequence[str]
    authority: str
    decider: str | None
    challenger: str | None = None
    protected: str = "main"
    keys: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Founded:
    """What was written, and what the user still has to do."""

    paths: tuple[str, ...]
    keys: dict[str, Path] = field(default_factory=dict)
    advice: tuple[str, ...] = ()


def found(repository: Repository, founding: Founding, key_directory: Path | None) -> Founded:
    """Write policy, attributes and ignore files; nothing that is there is overwritten.

    With `key_directory` a key is generated there for every member without one, and git is told
    where it is. Raises UsageError when there is a policy, or when a member has no key.
    """
    root = repository.root
    if root is None:
        raise UsageError("nothing can be written in a bare repository", "work in a clone of it")
    if (root / POLICY).exists() or repository.index().find(POLICY) is not None:
        raise UsageError(f"there is a {POLICY} already", "`accord member` changes who takes part")
    project = secrets.token_hex(16)
    State.of_project(project, (root, repository.git_dir, repository.common_dir))
    public, generated = _gather_keys(founding, key_directory)
    policy = _build_policy(project, founding, public)
    findings = find_errors((*check_policy(policy), *check_keys(policy, POLICY)))
    if findings:
        _forget_keys(generated)
        raise Refused("these members make no policy that works; nothing was written", findings)
    files = {POLICY: dump_draft(policy, "policy", POLICY_COMMENTS, schema_for(POLICY, "policy"))}
    files |= _extend(root, ".gitattributes", ATTRIBUTES)
    for name, lines in IGNORES.items():
        files |= _extend(root, name, lines)
    advice = _advise(root, policy)
    write_files(root, files)
    repository.stage(files)
    for name, path in generated.items():
        repository.acting.ask("config", f"accord.{name}.key", str(path))
    return Founded(tuple(sorted(files)), generated, advice)


def _names(founding: Founding) -> list[str]:
    names = [*founding.agents, founding.authority]
    names += [founding.decider] if founding.decider else []
    names += [founding.challenger] if founding.challenger else []
    unique = list(dict.fromkeys(names))
    for name in unique:
        if not is_id(name):
            raise UsageError(f"{name!r} is no member id", "use a-z, 0-9, _ and -")
    return unique


def _gather_keys(
    founding: Founding, directory: Path | None
) -> tuple[dict[str, str], dict[str, Path]]:
    public = {name: read_public_key(key) for name, key in founding.keys}
    lacking = [name for name in _names(founding) if name not in public]
    if lacking and directory is None:
        raise UsageError(
            f"no key is given for {', '.join(lacking)}",
            "--generate-keys makes them, or --member-key NAME=FILE.pub names what is there",
        )
    generated: dict[str, Path] = {}
    for name in lacking if directory is not None else ():
        path = (directory or Path()) / name
        public[name] = generate_key(path, name).line
        generated[name] = path
    return public, generated


def _forget_keys(generated: dict[str, Path]) -> None:
    for path in generated.values():
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".pub").unlink(missing_ok=True)


def _build_policy(project: str, founding: Founding, keys: dict[str, str]) -> Policy:
    agents = list(dict.fromkeys(founding.agents))
    challenger = founding.challenger or agents[-1]
    voters = list(dict.fromkeys([*agents, challenger]))
    members: dict[str, Member] = {}
    for name in voters:
        roles: tuple[Role, ...] = ("voter", "challenger") if name == challenger else ("voter",)
        members[name] = Member(kind="agent", roles=roles, keys=(Key(ssh=keys[name]),))
    members[founding.authority] = Member(
        kind="agent", roles=("authority",), keys=(Key(ssh=keys[founding.authority]),)
    )
    if founding.decider:
        members[founding.decider] = Member(
            kind="human", roles=("decider",), keys=(Key(ssh=keys[founding.decider]),)
        )
    seats = Seats(min=min(3, len(voters)), max=len(voters), eligible=tuple(voters))
    return Policy(
        project=project,
        serial=1,
        protected=(founding.protected,),
        members=members,
        classes={
            "architecture": DecisionClass(
                description="Tech stack, architecture, system-wide design", voters=seats
            ),
            "governance": DecisionClass(description="Changes of this policy", voters=seats),
        },
        no_vote_needed=(
            "feature details",
            "implementation choices inside one member's domain",
            "bug fixes",
            "small refactors",
        ),
    )


def _extend(root: Path, name: str, lines: str) -> dict[str, bytes]:
    """A file with lines added at its end, unless it has them; what is there stays."""
    path = root / name
    before = path.read_bytes() if path.is_file() else b""
    if lines.encode() in before or (before and name.endswith(".yaml")):
        return {}
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    return {name: before + gap + lines.encode()}


def _advise(root: Path, policy: Policy) -> tuple[str, ...]:
    advice = []
    if (root / ".pre-commit-config.yaml").exists():
        advice.append(
            "Add the hooks accord-verify and accord-generate to .pre-commit-config.yaml, and"
            " `exclude: ^decisions/` to formatters such as end-of-file-fixer."
        )
    if (root / ".yamlfmt.yaml").exists() or (root / ".yamlfmt").exists():
        advice.append("Let yamlfmt leave decisions/ alone (exclude: decisions/**).")
    branch = policy.protected[0]
    advice.append(f"Commit this on {branch}; then take each decision on a branch of its own.")
    return tuple(advice)
