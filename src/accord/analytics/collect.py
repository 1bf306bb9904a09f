"""All counts together."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analytics.challengers import count_hits
from accord.analytics.dissent import count_answers, find_never_dissenting
from accord.analytics.pairs import find_pairs
from accord.analytics.refinement import count_refinement
from accord.analytics.rejections import count_rejections
from accord.analytics.resolved import count_resolved
from accord.analytics.rounds import count_outcomes, count_rounds, count_statuses
from accord.analytics.scope import select
from accord.model.statistics import TOO_FEW_BELOW, Scope, Statistics
from accord.rules.evaluate import Judgement


def count_statistics(judgements: Iterable[Judgement], scope: Scope) -> Statistics:
    """What the decisions of a scope teach."""
    selected = select(judgements, scope)
    rejections = count_rejections(selected)
    pairs = find_pairs(selected)
    return Statistics(
        scope=scope,
        too_few_below=TOO_FEW_BELOW,
        decisions=len(selected),
        rounds=sum(len(judgement.rounds) for judgement in selected),
        votes=rejections.of,
        voters=len(count_answers(selected)),
        pairs=pairs.of,
        rejections=rejections,
        rounds_per_decision=count_rounds(selected),
        outcomes_by_class=count_outcomes(selected),
        statuses_by_class=count_statuses(selected),
        refinement=count_refinement(selected),
        challengers=count_hits(selected),
        never_dissenting=find_never_dissenting(selected),
        always_agreeing=pairs.always,
        resolved_by_refinement=count_resolved(selected),
    )
