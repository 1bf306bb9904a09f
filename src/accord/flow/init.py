"""`init`: a policy that works, and a repository that leaves signed files alone (section 3)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord.errors import AccordError, Refused, UsageError
from accord.flow.attributes import UNTOUCHED
from accord.flow.members import read_public_key, render_policy
from accord.model.finding import find_errors
from accord.model.ids import is_id
from accord.model.paths import POLICY
from accord.model.policy import (
    GOVERNANCE,
    DecisionClass,
    Guard,
    Key,
    Member,
    Policy,
    Role,
    Seats,
)
from accord.rules.policy import check_policy
from accord.signing.keyring import check_keys
from accord.signing.ssh_keygen import generate_key
from accord.store.default_branch import guess_default
from accord.store.files import write_files
from accord.store.git import Repository
from accord.store.state import State
from accord.verify.protected import list_doubts

ATTRIBUTES = f"""\
# accord: signed files are signed as they are stored, so git must not change their bytes.
# Keep this below lines that set a filter, such as those of Git LFS: the last line counts.
{UNTOUCHED}
decisions/**/record.yaml linguist-generated
decisions/ledger/** linguist-generated
docs/decisions/** linguist-generated
"""
IGNORES = {
    ".prettierignore": "decisions/\n",
    ".yamlfmt.yaml": "exclude:\n  - decisions/**\n",
}
# Who can change what judges a change can get past it.
GATE = (
    ".github/workflows/**",
    ".github/actions/**",
    ".gitlab-ci.yml",
    ".gitlab/**",
    ".pre-commit-config.yaml",
)
# Other names under which a formatter looks for its settings: a second file would hide the first.
_OTHER_NAMES = {
    ".yamlfmt.yaml": (".yamlfmt", ".yamlfmt.yml", "yamlfmt.yaml", "yamlfmt.yml"),
}


@dataclass(frozen=True, slots=True)
class Founding:
    """Who takes part from the start. The last agent is the challenger if none is named.

    `protected` is the branch that decisions arrive on, None for the one that git says. `guarded`
    are globs of paths that only a governance decision may change.
    """

    agents: Sequence[str]
    authority: str
    decider: str | None
    challenger: str | None = None
    protected: str | None = None
    guarded: tuple[str, ...] = ()
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
    protected = founding.protected or guess_default(repository)
    if protected is None:
        raise UsageError(
            "no branch is checked out, and there are several", "name the one: --protected BRANCH"
        )
    project = secrets.token_hex(16)
    State.of_project(project, (root, repository.git_dir, repository.common_dir))
    if key_directory is not None:
        key_directory = key_directory.expanduser().resolve()
        _refuse_inside(repository, root, key_directory)
    public, generated = _gather_keys(founding, key_directory)
    policy = _build_policy(project, founding, public, protected)
    findings = find_errors((*check_policy(policy), *check_keys(policy, POLICY)))
    if findings:
        _forget_keys(generated)
        raise Refused("these members make no policy that works; nothing was written", findings)
    files = {POLICY: render_policy(policy)}
    files |= _extend(root, ".gitattributes", ATTRIBUTES)
    for name, lines in IGNORES.items():
        if not any((root / other).exists() for other in _OTHER_NAMES.get(name, ())):
            files |= _extend(root, name, lines)
    advice = (*_advise(root, policy), *(f"Note: {one}." for one in list_doubts(repository, policy)))
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
    _refuse_two_seats(founding)
    return unique


def _refuse_two_seats(founding: Founding) -> None:
    """Who opens rounds or rules does not vote, and who opens does not rule."""
    seats = {
        founding.authority: "the authority",
        founding.decider: "the decider",
    }
    if founding.authority == founding.decider:
        raise UsageError(
            f"{founding.authority} cannot be authority and decider", "name two members"
        )
    for name in (*founding.agents, founding.challenger):
        if name is not None and name in seats:
            raise UsageError(
                f"{name} cannot be a voter and {seats[name]}", "name another member for one of them"
            )


def _refuse_inside(repository: Repository, root: Path, directory: Path) -> None:
    """Private keys are not for committing; the git directory is nobody else's."""
    git = (repository.git_dir.resolve(), repository.common_dir.resolve())
    if directory.is_relative_to(root.resolve()) and not any(map(directory.is_relative_to, git)):
        raise UsageError(
            f"{directory} is in the working tree: a private key there is soon committed",
            "make them elsewhere with --key-dir",
        )


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
    try:
        for name in lacking if directory is not None else ():
            path = (directory or Path()) / name
            public[name] = generate_key(path, name).line
            generated[name] = path
    except AccordError:
        _forget_keys(generated)
        raise
    return public, generated


def _forget_keys(generated: dict[str, Path]) -> None:
    for path in generated.values():
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".pub").unlink(missing_ok=True)


def _build_policy(project: str, founding: Founding, keys: dict[str, str], protected: str) -> Policy:
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
        protected=(protected,),
        members=members,
        classes={
            "architecture": DecisionClass(
                description="Tech stack, architecture, system-wide design", voters=seats
            ),
            GOVERNANCE: DecisionClass(description="Changes of this policy", voters=seats),
        },
        no_vote_needed=(
            "feature details",
            "implementation choices inside one member's domain",
            "bug fixes",
            "small refactors",
        ),
        guarded=(Guard(paths=founding.guarded, class_=GOVERNANCE),) if founding.guarded else (),
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
    else:
        advice.append(
            "`accord hook install` lets git refuse what is wrong before it is committed or pushed;"
            " accord has hooks for pre-commit too."
        )
    advice.append(
        "Hooks are a courtesy. The gate is the check of what merges: `accord ci --install github`"
        " (or gitlab) puts it in place; on a server of yours, `accord hook install` there."
    )
    if any((root / name).exists() for name in (*_OTHER_NAMES, *_OTHER_NAMES[".yamlfmt.yaml"])):
        advice.append("Let yamlfmt leave decisions/ alone (exclude: decisions/**).")
    branch = policy.protected[0]
    advice.append(f"Commit this on {branch}; then take each decision on a branch of its own.")
    return tuple(advice)
