"""Answers to objections, from options or from questions at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from accord.cli import output
from accord.cli.asking import answered_twice, ask, choose
from accord.errors import UsageError
from accord.flow.drafts import DraftFile, read_draft
from accord.flow.revise import sorted_objections, write_brief
from accord.model.resolution import Disposition, ObjectionAnswer
from accord.rules.counting import CountedRound


def gather_answers(
    round_: CountedRound, source: Path | None, addressed: Sequence[str], rebutted: Sequence[str]
) -> DraftFile | list[ObjectionAnswer]:
    """The file with the answers, or those that options give; the others are asked for.

    Raises UsageError on a pipe when one is missing, or an option answers nothing.
    """
    if source is not None:
        if addressed or rebutted:
            raise answered_twice("--addressed or --rebutted")
        return read_draft(source)
    given = {}
    for disposition, options in (("addressed", addressed), ("rebutted", rebutted)):
        for option in options:
            answer = _parse(option, cast("Disposition", disposition))
            given[answer.voter, answer.category] = answer
    for voter, category in given.keys() - round_.objections:
        raise UsageError(f"{voter} did not object {category or '(abstain)'}", write_brief(round_))
    answers = []
    for voter, category in sorted_objections(round_):
        if (voter, category) in given:
            answers.append(given[voter, category])
            continue
        if not answers and not given:
            output.tell(write_brief(round_))
        what = f"{voter}'s {category or 'abstention'}"
        flag = f"--addressed or --rebutted {voter}{':' + category if category else ''}=NOTE"
        disposition = choose(f"{what} is", flag, ("addressed", "rebutted"))
        answers.append(
            ObjectionAnswer(
                voter=voter,
                category=category,
                disposition=cast("Disposition", disposition),
                note=ask("How, or why not", flag),
            )
        )
    return answers


def _parse(option: str, disposition: Disposition) -> ObjectionAnswer:
    objection, equals, note = option.partition("=")
    voter, _, category = objection.partition(":")
    if not equals or not note.strip():
        raise UsageError(f"{option!r} has no note", "write VOTER:CATEGORY=NOTE")
    return ObjectionAnswer(
        voter=voter, category=category or None, disposition=disposition, note=note
    )
