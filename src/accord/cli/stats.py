"""accord stats"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import click

from accord.analytics import count_statistics
from accord.cli import output
from accord.cli.context import Workspace, format_option, pass_workspace
from accord.cli.looking import look_at_all
from accord.errors import UsageError
from accord.model.finding import find_errors
from accord.model.statistics import Scope
from accord.render.json import record_to_plain, render_json
from accord.render.report import count
from accord.render.stats import render_stats
from accord.render.stats_table import render_csv
from accord.verify import Judged

_DAY = click.DateTime(formats=["%Y-%m-%d"])


@click.command("stats")
@click.option("--class", "class_", metavar="CLASS", help="Count decisions of this class only.")
@click.option("--since", type=_DAY, metavar="YYYY-MM-DD", help="Count this day and later ones.")
@click.option("--until", type=_DAY, metavar="YYYY-MM-DD", help="Count this day and earlier ones.")
@format_option("text", "json", "csv")
@pass_workspace
def command(
    workspace: Workspace,
    *,
    class_: str | None,
    since: datetime | None,
    until: datetime | None,
    output_format: str,
) -> None:
    """What the decisions here teach, in numbers.

    Who rejects what and for which reasons, how many rounds decisions take,
    whether refined proposals pass, whether challengers are heard, who never
    dissents. The day of a decision is that of its id. docs/statistics.md says
    what each number means, and what it does not prove.

    \b
      accord stats
      accord stats --class architecture --since 2026-01-01
      accord stats --format csv > decisions.csv
    """
    judged = look_at_all(workspace)
    scope = Scope(class_=class_, since=_day(since), until=_day(until))
    _check_scope(scope, workspace, judged)
    statistics = count_statistics((one.judgement for one in judged), scope)
    _tell_of_errors(judged)
    if output_format == "json":
        output.write_rendered(render_json(record_to_plain(statistics)))
    elif output_format == "csv":
        output.write(render_csv(statistics))
    else:
        output.write_page(render_stats(statistics, output.find_drawing()))


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.date().isoformat()


def _check_scope(scope: Scope, workspace: Workspace, judged: Sequence[Judged]) -> None:
    """A class that nobody knows and days that are none are slips, not questions."""
    if scope.since is not None and scope.until is not None and scope.until < scope.since:
        raise UsageError(
            f"there is no day since {scope.since} and until {scope.until}",
            "put the earlier day after --since",
        )
    there = {one.judgement.evaluation.class_ for one in judged} - {""}
    classes = sorted(there | workspace.policy.classes.keys())
    if scope.class_ is not None and scope.class_ not in classes:
        raise UsageError(
            f"there is no class {scope.class_!r}", f"the classes are {', '.join(classes)}"
        )


def _tell_of_errors(judged: Sequence[Judged]) -> None:
    broken = sum(bool(find_errors(one.findings)) for one in judged)
    if broken:
        output.tell(
            f"note: the files of {count(broken, 'decision')} have errors, and what does not count"
            " is not counted here; `accord verify --rev HEAD --tree-only` lists them"
        )
