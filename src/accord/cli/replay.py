"""accord replay"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import click

from accord.cli import output
from accord.cli.context import Workspace, decision_argument, format_option, pass_workspace
from accord.cli.looking import look
from accord.errors import Refused, UsageError
from accord.flow.drafts import read_draft
from accord.model.ballot import Rules
from accord.model.policy import Accounting, Policy
from accord.render.json import render_json
from accord.render.replay import render_replay, replay_to_plain
from accord.rules.roster import fill_rules
from accord.simulate.replay import Assumption, replay
from accord.store.parse import parse_file
from accord.verify import Judged


@click.command("replay")
@decision_argument
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="A claim that was never made, or a voter that was not asked.",
)
@click.option(
    "--accounting",
    type=click.Choice(["strict", "collapsed", "disjoint"]),
    help="Count independent votes another way.",
)
@click.option("--f", "f", type=click.IntRange(0, 1000), help="How many voters may be wrong.")
@click.option(
    "--policy",
    "policy",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Judge by the same class of another policy file.",
)
@format_option("text", "json")
@pass_workspace
def command(
    workspace: Workspace,
    *,
    decision: str,
    without: Sequence[str],
    accounting: str | None,
    f: int | None,
    policy: Path | None,
    output_format: str,
) -> None:
    """Ask what would have been, after the fact.

    A decision is judged again as if a claim had not been made, a voter not
    been asked, or by other rules, and shown beside what was decided. Nothing
    is written, and no status changes.

    \b
      accord replay partial-index --without tool-summary
      accord replay partial-index --without otto --accounting disjoint
      accord replay partial-index --policy stricter-policy.yaml
    """
    judged = look(workspace, workspace.find(decision))
    rules = _read_rules(policy, judged) if policy is not None else None
    assumption = Assumption(without, cast("Accounting | None", accounting), f, rules)
    what_if = replay(judged.files, judged.judgement, assumption)
    decided = judged.judgement.evaluation
    if output_format == "json":
        plain = replay_to_plain(decided, what_if.evaluation, what_if.assumed)
        output.write_rendered(render_json(plain))
    else:
        output.write_page(render_replay(decided, what_if.evaluation, what_if.assumed))


def _read_rules(path: Path, judged: Judged) -> Rules:
    """The rules of the decision's class in a policy file."""
    draft = read_draft(path)
    policy, findings = parse_file(draft.data, draft.name, "policy")
    if not isinstance(policy, Policy):
        raise Refused("the policy cannot be read", findings)
    name = judged.judgement.evaluation.class_
    if name not in policy.classes:
        raise UsageError(
            f"{draft.name} has no class {name}",
            f"its classes are {', '.join(sorted(policy.classes))}",
        )
    return fill_rules(policy.classes[name], policy.categories)
