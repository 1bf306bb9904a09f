"""accord redact"""

from __future__ import annotations

import click

from accord.cli import output
from accord.cli.actions import Desk, at_desk
from accord.cli.asking import ask
from accord.cli.context import decision_argument
from accord.flow.redact import Redacted, find_evidence, redact
from accord.render.escape import escape
from accord.rules.redactions import find_redactors


@click.command("redact")
@decision_argument
@click.argument("path")
@click.option("--reason", help="Why. Do not repeat what is taken out: this stays.")
@at_desk
def command(desk: Desk, *, decision: str, path: str, reason: str | None) -> None:
    """Take the bytes of evidence out of the tree, and keep their digest.

    For a secret or a person's data that evidence holds. A human decider
    signs it, also after the decision has ended. Every signature, count and
    record stays as it is. It cannot be undone. PATH is the file, its name
    below evidence/, or its id in the proposal.

    It takes nothing out of git's history, clones, backups and packets:
    docs/redaction.md says how to do that. Revoke a secret first.

    \b
      accord redact partial-index output.txt --reason "a token" --commit
    """
    decision = desk.find(decision)
    session = desk.session
    judged = session.judge(decision)
    path = find_evidence(judged, path)
    reason = reason or ask("Why", "--reason")
    decider = desk.actor(find_redactors(session.policy, judged.judgement), "redact")
    done = redact(session, decision, path, reason, decider, desk.saving)
    desk.tell(done.published)
    _warn(done)


def _warn(done: Redacted) -> None:
    for copy in done.copies:
        output.tell(f"the same bytes still stand at {escape(copy)}")
    output.tell(
        "The bytes are out of this tree, not out of git: older commits hold them, and so do"
        " clones, forks, backups, and packets that were printed. Revoke a secret now."
    )
    output.tell(
        "To purge history too, once this has landed everywhere:"
        f" git filter-repo --invert-paths --path {escape(done.path)}"
        " (all later commit ids change; docs/redaction.md says what that means)."
    )
