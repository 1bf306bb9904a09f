"""The reading side: from trees to a report, by way of authenticated snapshots and the rules."""

from accord.verify.decision import Judged, Sources, judge_decision
from accord.verify.report import DecisionLine, Report
from accord.verify.step import judge_step
from accord.verify.tree import judge_tree

__all__ = [
    "DecisionLine",
    "Judged",
    "Report",
    "Sources",
    "judge_decision",
    "judge_step",
    "judge_tree",
]
