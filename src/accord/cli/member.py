"""accord member"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click
import msgspec

from accord.cli import output
from accord.cli.completion import complete_member
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.errors import UsageError
from accord.flow.members import Newcomer, add_member, read_public_key, retire_member, rotate_key
from accord.flow.session import open_session
from accord.model.policy import Key, Kind, Policy, Role, SigstoreIdentity
from accord.render.escape import escape
from accord.render.json import render_json
from accord.signing.keyring import allowed_signers

_KEY = click.option("--key", metavar="FILE|LINE", help="The public key, as a file or as a line.")
_IDENTITY = click.option(
    "--identity", metavar="ID", help="Instead of a key: the Sigstore identity, exactly."
)
_ISSUER = click.option(
    "--issuer", metavar="URL", help="With --identity: the OIDC issuer that vouches for it."
)
_NAME = click.argument("name", metavar="MEMBER", shell_complete=complete_member)


@click.group("member")
def command() -> None:
    """Add, list and retire members; rotate their keys.

    Every change raises the policy's serial. The first policy is in force when
    it is committed; a later one when a governance decision enacts it.
    """


@command.command("list")
@format_option("text", "json", "allowed-signers")
@pass_workspace
def list_members(workspace: Workspace, *, output_format: str) -> None:
    """Show who takes part, and with which keys.

    With --format allowed-signers anybody verifies a vote with stock ssh-keygen.

    \b
      accord member list --format allowed-signers > allowed
      ssh-keygen -Y verify -f allowed -I implementer -n accord \\
          -s vote.yaml.sig < vote.yaml
    """
    policy = workspace.policy
    if output_format == "allowed-signers":
        output.write(allowed_signers(policy))
    elif output_format == "json":
        members = [
            {"id": name, **msgspec.to_builtins(member)}
            for name, member in sorted(policy.members.items())
        ]
        output.write_rendered(render_json(members))
    else:
        output.write(_describe(policy))


def _describe(policy: Policy) -> str:
    width = max((len(name) for name in policy.members), default=0)
    lines = []
    for name, member in sorted(policy.members.items()):
        valid = [key for key in member.keys if not key.valid_until and not key.revoked_from]
        keys = f"{len(valid)} valid of {len(member.keys)} keys"
        lines.append(f"{name:{width}}  {member.kind:5}  {', '.join(member.roles):18}  {keys}\n")
    return "".join(escape(line.rstrip("\n")) + "\n" for line in lines)


@command.command("add")
@click.argument("name", metavar="MEMBER")
@click.option("--kind", type=click.Choice(["human", "agent"]), default="agent", show_default=True)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(["voter", "challenger", "authority", "decider"]),
    help="Repeatable; by default voter.",
)
@_KEY
@_IDENTITY
@_ISSUER
@pass_workspace
def add(
    workspace: Workspace,
    *,
    name: str,
    kind: str,
    roles: Sequence[str],
    key: str | None,
    identity: str | None,
    issuer: str | None,
) -> None:
    """Add a member with a key, or with an account that signs by Sigstore.

    \b
      accord member add reviewer --role voter --key reviewer.pub
      accord member add dana --kind human --identity dana@example.org \\
          --issuer https://accounts.google.com
    """
    session = open_session(workspace.repository)
    newcomer = Newcomer(
        name,
        cast("Kind", kind),
        cast("tuple[Role, ...]", roles or ("voter",)),
        _read_key(key, identity, issuer),
    )
    output.write(add_member(session, newcomer) + "\n")


@command.command("rotate")
@_NAME
@_KEY
@_IDENTITY
@_ISSUER
@pass_workspace
def rotate(
    workspace: Workspace, *, name: str, key: str | None, identity: str | None, issuer: str | None
) -> None:
    """Give a member a new key or account; the old ones end now.

    \b
      accord member rotate reviewer --key new.pub
    """
    session = open_session(workspace.repository)
    output.write(rotate_key(session, name, _read_key(key, identity, issuer)) + "\n")


def _read_key(key: str | None, identity: str | None, issuer: str | None) -> Key:
    if key is not None and identity is None and issuer is None:
        return Key(ssh=read_public_key(key))
    if key is None and identity is not None and issuer is not None:
        return Key(sigstore=SigstoreIdentity(identity=identity, issuer=issuer))
    raise UsageError("name a key, or an identity and its issuer", "--key, or --identity --issuer")


@command.command("retire")
@_NAME
@pass_workspace
def retire(workspace: Workspace, *, name: str) -> None:
    """End a member's keys and votes. It stays in the policy: it has signed.

    \b
      accord member retire reviewer
    """
    output.write(retire_member(open_session(workspace.repository), name) + "\n")
