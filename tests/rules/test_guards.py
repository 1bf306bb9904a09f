"""Guarded code: which decision allows which change."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from accord.model.policy import Guard
from accord.rules.globs import fits
from accord.rules.guards import Changes, Demand, Warrant, check_guarded, find_guarded
from tests.support.files import digest_of
from tests.support.tables import table

PATH = "src/db/orders.sql"
HERE, OTHER = digest_of("here"), digest_of("other")
AFFECTS = Guard(paths=("src/db/**",), class_="architecture")
ENACTS = Guard(paths=("src/db/**",), class_="architecture", by="enacts")
NAMES = Warrant("2026-11-30-x", "architecture", affects=("src/db/*.sql",))
ENACTING = Warrant("2026-11-30-x", "architecture", enacts={PATH: HERE})


@table(
    ("glob", "path", "expected"),
    {
        "itself": ("src/a.py", "src/a.py", True),
        "no part of it": ("src", "src/a.py", False),
        "a star within a name": ("src/*.py", "src/a.py", True),
        "not over a slash": ("src/*.py", "src/b/a.py", False),
        "a star may stand for nothing": ("src/a*.py", "src/a.py", True),
        "all below": ("src/**", "src/b/a.py", True),
        "not the folder itself": ("src/**", "src", False),
        "not a neighbour": ("src/**", "src2/a.py", False),
        "any folders": ("**/a.py", "src/b/a.py", True),
        "no folder": ("**/a.py", "a.py", True),
        "folders between": ("src/**/a.py", "src/b/c/a.py", True),
        "no folder between": ("src/**/a.py", "src/a.py", True),
        "no half name before": ("**/a.py", "src/ba.py", False),
        "two stars in a name": ("src/a**", "src/ab/c", True),
        "many stars are two": ("src/*****", "src/a/b", True),
        "one character": ("src/?.py", "src/ä.py", True),
        "no slash for one": ("src?a.py", "src/a.py", False),
        "a bracket is a bracket": ("src/[a].py", "src/a.py", False),
        "another case": ("src/A.py", "src/a.py", False),
        "a line feed": ("src/*", "src/a\nb", True),
    },
)
def test_a_glob(glob: str, path: str, expected: bool) -> None:
    assert fits(path, glob) is expected


_PARTS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@given(
    st.lists(st.sampled_from(["a", "b", "/", "*", "**", "?"]), max_size=8),
    st.text("ab/", max_size=8),
)
def test_it_is_what_an_expression_says(parts: list[str], path: str) -> None:
    glob = re.sub(r"\*{3,}", "**", "".join(parts))
    tokens = re.findall(r"(?:(?<=/)|\A)\*\*/|\*\*|\*|\?|.", glob)
    expression = "".join(_PARTS.get(one, re.escape(one)) for one in tokens)
    assert fits(path, glob) is (re.fullmatch(expression, path) is not None)


def test_no_glob_takes_long() -> None:
    """What would be tried in some 10^20 ways by an expression."""
    assert not fits("a" * 400, "*a" * 12 + "b")


def test_each_guard_counts() -> None:
    other = Guard(paths=("**/*.sql",), class_="governance")
    unlike = Guard(paths=("docs/**",), class_="governance")
    assert find_guarded((AFFECTS, other, unlike), PATH) == (AFFECTS, other)
    codes = [one.code for one in check_guarded((AFFECTS, other), {PATH: HERE}, (NAMES,))]
    assert codes == ["guarded-path"]


@table(
    ("guard", "changes", "warrants", "demand", "expected"),
    {
        "nothing changed": (AFFECTS, {}, (), "in force", None),
        "what is not guarded": (AFFECTS, {"README.md": HERE}, (), "in force", None),
        "no decision": (AFFECTS, {PATH: HERE}, (), "in force", "guarded-path"),
        "one that names it": (AFFECTS, {PATH: HERE}, (NAMES,), "in force", None),
        "one of two": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(fault="is rejected"), NAMES),
            "in force",
            None,
        ),
        "of another class": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(class_="small"),),
            "in force",
            "guarded-path",
        ),
        "that names something else": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(affects=("docs/**",)),),
            "in force",
            "guarded-path",
        ),
        "that is not decided": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(fault="is open", under_way=True),),
            "in force",
            "guarded-path",
        ),
        "that is under way, where that will do": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(fault="is open", under_way=True),),
            "under way",
            None,
        ),
        "that was rejected, where one under way will do": (
            AFFECTS,
            {PATH: HERE},
            (NAMES._replace(fault="is rejected"),),
            "under way",
            "guarded-path",
        ),
        "these bytes": (ENACTS, {PATH: HERE}, (ENACTING,), "in force", None),
        "other bytes": (ENACTS, {PATH: OTHER}, (ENACTING,), "in force", "enacts-differs"),
        "a link in the place of a folder": (AFFECTS, {"src": ""}, (), "in force", "guarded-path"),
        "a decision about what is below a link": (AFFECTS, {"src": ""}, (NAMES,), "in force", None),
        "a link elsewhere": (AFFECTS, {"docs": ""}, (), "in force", None),
        "a link": (ENACTS, {PATH: ""}, (ENACTING,), "in force", "enacts-differs"),
        "named is not enacted": (ENACTS, {PATH: HERE}, (NAMES,), "in force", "guarded-path"),
        "enacted is not named": (AFFECTS, {PATH: HERE}, (ENACTING,), "in force", "guarded-path"),
        "gone and named": (ENACTS, {PATH: None}, (NAMES,), "in force", None),
        "gone and not named": (ENACTS, {PATH: None}, (ENACTING,), "in force", "guarded-path"),
    },
)
def test_a_change(
    guard: Guard,
    changes: Changes,
    warrants: tuple[Warrant, ...],
    demand: Demand,
    expected: str | None,
) -> None:
    found = check_guarded((guard,), changes, warrants, demand)
    assert [one.code for one in found] == ([expected] if expected else [])


def test_it_says_why_a_decision_that_names_it_does_not_count() -> None:
    (found,) = check_guarded((AFFECTS,), {PATH: HERE}, (NAMES._replace(fault="is rejected"),))
    assert found.message.endswith("; 2026-11-30-x is rejected")
    assert "Accord-Decision: ID" in found.hint
