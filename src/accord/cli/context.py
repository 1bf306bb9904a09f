"""What verbs share: the repository, found when first asked for, and the common options.

A verb that decides something takes `signer_options` and `commit_options`; one that reads takes
`format_option`; one about a decision takes `decision_argument` and finds it with `Workspace.find`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from accord.cli.completion import complete_decision, complete_member
from accord.errors import UsageError

if TYPE_CHECKING:
    from accord.model.policy import Policy
    from accord.signing.sigstore import Keyless
    from accord.store.git import Repository
    from accord.store.tree import Tree

Callback = TypeVar("Callback", bound=Callable[..., object])


@dataclass
class Workspace:
    """Where a verb works. Nothing is read before it is asked for."""

    start: Path = field(default_factory=Path.cwd)

    @cached_property
    def repository(self) -> Repository:
        """The repository around the current directory; a usage error when there is none."""
        from accord.store.git import Repository

        return Repository.discover(self.start)

    @cached_property
    def tree(self) -> Tree:
        """What reading verbs look at: what is staged, and in a bare repository HEAD."""
        if self.repository.root is not None:
            return self.repository.index()
        head = self.repository.head()
        if head is None:
            raise UsageError("this bare repository has no commit yet: there is nothing to read")
        return self.repository.commit(head)

    @cached_property
    def policy(self) -> Policy:
        """The policy in force: that of HEAD, or the staged one while there is none yet.

        Raises UsageError when there is neither, Refused or CannotJudge when it is broken.
        """
        from accord.verify.in_force import require_policy
        from accord.verify.run import read_base

        return require_policy(self.repository, read_base(self.repository), self.tree)

    def find(self, part: str) -> str:
        """The id of the decision of which `part` is a unique part (section 10)."""
        from accord.cli.decisions import find_decision, list_decisions

        return find_decision(list_decisions(self.tree), part)


pass_workspace = click.make_pass_decorator(Workspace, ensure=True)
"""Hand the verb its `Workspace` as first argument."""

decision_argument = click.argument("decision", metavar="ID", shell_complete=complete_decision)
"""The argument ID, as `decision`: any unique part of an id."""


def format_option(*formats: str) -> Callable[[Callback], Callback]:
    """`--format`, as `output_format`; the first of `formats` is the default."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to print the result.",
    )


def signer_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--as MEMBER`, `--key PATH` and `--sigstore`, together as `wish`."""

    @click.option(
        "--as",
        "as_member",
        metavar="MEMBER",
        shell_complete=complete_member,
        help="Who signs. By default the member whose key is at hand.",
    )
    @click.option(
        "--key",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="The SSH key that signs. Else git config accord.MEMBER.key, user.signingkey,"
        " ssh-agent.",
    )
    @click.option(
        "--sigstore",
        is_flag=False,
        flag_value="production",
        metavar="[INSTANCE]",
        help="Sign with an account instead of a key: production, staging, or the file of a client"
        " trust config.",
    )
    @click.option(
        "--identity-token",
        metavar="TOKEN|@FILE",
        help="With --sigstore: the OIDC token, else that of the CI job, else by the browser.",
    )
    @wraps(function)
    def command(
        *arguments: object,
        as_member: str | None,
        key: Path | None,
        sigstore: str | None,
        identity_token: str | None,
        **options: object,
    ) -> object:
        from accord.flow.identity import Wish

        if key is not None and sigstore is not None:
            raise UsageError("--key and --sigstore exclude each other")
        if identity_token is not None and sigstore is None:
            raise UsageError("--identity-token goes with --sigstore")
        wish = Wish(as_member, key, _read_keyless(sigstore, identity_token))
        return function(*arguments, wish=wish, **options)

    return command


def _read_keyless(instance: str | None, token: str | None) -> Keyless | None:
    if instance is None:
        return None
    from accord.cli.output import tell
    from accord.signing.sigstore import Keyless

    return Keyless(instance, _read_token(token), tell)


def _read_token(token: str | None) -> str | None:
    """A token, or what is in a file: others can see the arguments of a process."""
    if token is None or not token.startswith("@"):
        return token
    try:
        return Path(token[1:]).read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise UsageError(f"{token[1:]} cannot be read as a token: {error}") from error


def commit_options(function: Callback) -> Callback:
    """`--commit` and `--push`, as `commit` and `push`; to push is also to commit."""
    commit = click.option("--commit", is_flag=True, help="Commit what was written.")
    push = click.option("--push", is_flag=True, help="Commit and push what was written.")
    return commit(push(function))


allow_option = click.option(
    "--allow-secret-like",
    "allowed",
    metavar="PATH[:LINE]",
    multiple=True,
    help="What looks like a key or token there is none. Said in the commit message.",
)
"""The way past the look for secrets, as `allowed`."""
