"""The pages that a step touches or makes due, held against their records (sections 9 and 11).

Only those are rendered, so what needs jinja2 is imported when there is one. A page depends on
nothing but its decision, the older ones that it links to and the template: that of the base, or
one that the same step brings by a governance decision.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.paths import ADR_TEMPLATE, TEMPLATES, page_of
from accord.rules.adr import has_page
from accord.rules.pages import Page, Standing, There, check_page, find_touched, refuse_template
from accord.store.load import list_decisions
from accord.store.tree import REGULAR, Tree, read_plain
from accord.verify.decision import Judged


class Step(NamedTuple):
    """A step, and how to ask about it.

    `trust` is that of the policy in force: at its first use the step brings the first one.
    `judge` judges a decision of the head; `enacts` says whether a governance decision that is in
    force enacts these bytes at a path.
    """

    base: Tree
    head: Tree
    changed: Collection[str]
    trust: Literal["base", "first use"]
    judge: Callable[[str], Judged]
    enacts: Callable[[str, str], bool]


class Account(NamedTuple):
    """What was found; how many pages were judged; templates that could not be filled in.

    `refused` are the templates that nobody enacted: they are never in force.
    """

    findings: tuple[Finding, ...]
    refused: tuple[str, ...]
    pages: int = 0
    notes: tuple[str, ...] = ()


def judge_pages(step: Step) -> Account:
    """Judge what a step does to pages, and to the templates that they are made by."""
    templates = [path for path in step.changed if path.startswith(TEMPLATES)]
    faults = tuple(found for path in templates for found in _check_template(step, path))
    refused = tuple(found.path for found in faults)
    names = find_touched(step.changed)
    if not names:
        return Account(faults, refused)
    brought = ADR_TEMPLATE in templates and ADR_TEMPLATE not in refused
    found, notes = _judge(step, names, (step.base, step.head) if brought else (step.base,))
    return Account((*faults, *found), refused, len(names), notes)


def _check_template(step: Step, path: str) -> tuple[Finding, ...]:
    if step.trust == "first use":
        return ()  # what comes with the first policy is trusted on first use, as that is
    data = read_plain(step.head, path)
    digest = None if data is None else digest_bytes(data)
    enacted = digest is not None and step.enacts(path, digest)
    return () if enacted else (refuse_template(path, digest),)


def _judge(
    step: Step, names: Sequence[str], sources: Sequence[Tree]
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """What is wrong with some pages, by the templates of some trees, and templates that fail."""
    from accord.verify.library import Library

    library = Library(step.base, step.head, step.judge)
    templates = [library.override(tree, ADR_TEMPLATE) for tree in sources]
    there = frozenset(list_decisions(step.head))
    found: list[Finding] = []
    for name in names:
        adr = library.adr(name) if name in there else None
        page = Page(
            decision=name,
            standing=_stand(step.judge(name)) if name in there else "absent",
            before=_read(step.base, page_of(name)),
            after=_read(step.head, page_of(name)),
            due=[] if adr is None else [one for t in templates for one in library.pages(adr, t)],
            first=step.trust == "first use",
        )
        found += check_page(page)
    notes = (f"{error.message}; accord's own took its place" for error in library.faults.values())
    return tuple(found), tuple(notes)


def _stand(judged: Judged) -> Standing:
    if has_page(judged.judgement):
        return "ended"
    return "imported" if judged.judgement.evaluation.status == "imported" else "begun"


def _read(tree: Tree, path: str) -> There:
    entry = tree.find(path)
    if entry is None:
        return None
    return tree.read(path) if entry.mode == REGULAR else "no plain file"
