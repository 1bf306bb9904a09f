"""Guarded code: which decision allows which change."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model.policy import Guard
from accord.rules import globs
from accord.rules.globs import fits
from accord.rules.guards import (
    Changes,
    Content,
    Demand,
    Warrant,
    check_guarded,
    check_kept,
    find_guarded,
)
from accord.rules.spelling import covers
from tests.support.files import digest_of
from tests.support.tables import table

PATH = "src/db/orders.sql"
HERE, OTHER = (Content("100644", digest_of(word)) for word in ("here", "other"))
EXECUTABLE, LINK = HERE._replace(mode="100755"), HERE._replace(mode="120000")
SUBMODULE = Content("160000", "")
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


@table(
    ("glob", "path"),
    {
        "many stars": ("*a" * 500 + "b", "a" * 4000),
        "many folders": ("**/" * 300 + "b", "a/" * 2000),
        "stars over folders": ("a/**/" * 200 + "b", "a/" * 2000),
        "any character": ("*?" * 500 + "/", "a" * 4000),
    },
)
def test_the_work_is_the_length_of_the_path(
    glob: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[int] = []
    settle = globs._Matcher.settle

    def count(matcher: globs._Matcher, at: int) -> int:
        settled.append(at)
        return settle(matcher, at)

    monkeypatch.setattr(globs._Matcher, "settle", count)

    assert not fits(path, glob)
    assert len(settled) <= len(path) + 1


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
        "a link in the place of a folder": (AFFECTS, {"src": LINK}, (), "in force", "guarded-path"),
        "a decision about what is below a link": (
            AFFECTS,
            {"src": LINK},
            (NAMES,),
            "in force",
            None,
        ),
        "a link elsewhere": (AFFECTS, {"docs": LINK}, (), "in force", None),
        "a link": (ENACTS, {PATH: LINK}, (ENACTING,), "in force", "enacts-differs"),
        "made executable": (ENACTS, {PATH: EXECUTABLE}, (ENACTING,), "in force", "enacts-differs"),
        "an executable that is enacted": (
            ENACTS,
            {PATH: EXECUTABLE},
            (ENACTING._replace(enacts={PATH: EXECUTABLE}),),
            "in force",
            None,
        ),
        "a link that is enacted": (
            ENACTS,
            {PATH: LINK},
            (ENACTING._replace(enacts={PATH: LINK}),),
            "in force",
            None,
        ),
        "a mode that no decision enacts": (
            ENACTS,
            {PATH: HERE._replace(mode="100664")},
            (ENACTING,),
            "in force",
            "enacts-differs",
        ),
        "a submodule": (ENACTS, {PATH: SUBMODULE}, (ENACTING,), "in force", "enacts-differs"),
        "another case": (AFFECTS, {"SRC/db/x.sql": HERE}, (NAMES,), "in force", "guarded-path"),
        "another case that is decided": (
            AFFECTS,
            {"SRC/db/x.sql": HERE},
            (NAMES._replace(affects=("SRC/db/x.sql",)),),
            "in force",
            None,
        ),
        "backslashes": (AFFECTS, {"src\\db\\x.sql": HERE}, (NAMES,), "in force", "guarded-path"),
        "a link in another case": (AFFECTS, {"SRC": LINK}, (NAMES,), "in force", "guarded-path"),
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


@table(
    ("glob", "path", "expected"),
    {
        "as it is": ("src/db/**", "src/db/x", True),
        "another path": ("src/db/**", "lib/db/x", False),
        "another case": ("src/db/**", "SRC/dB/x", True),
        "another case in the glob": ("SRC/**", "src/x", True),
        "one letter and its two": ("straße/x", "STRASSE/x", True),
        "one letter for a question mark": ("src/?.py", "SRC/ß.py", True),
        "a sign that is a letter": ("src/k", "src/\u212a", True),
        "no dot on the i": ("ci/x", "cı/x", True),
        "letters and marks apart": ("caf\u00e9/x", "cafe\u0301/x", True),
        "marks with a question mark": ("caf?/x", "CAFE\u0301/x", True),
        "without the mark": ("caf\u00e9/x", "cafe/x", False),
        "backslashes": ("src/db/**", "src\\db\\x", True),
        "backslashes and steps": ("src/db/**", "docs\\..\\src\\.\\db\\x", True),
        "a dot at the end of a name": ("src/db/**", "src./db/x", True),
        "a space at the end of a name": ("src/db/*.sql", "src/db /x.sql .", True),
        "a stream": ("deploy.yml", "deploy.yml::$DATA", True),
        "letters that nobody sees": ("deploy.yml", "dep\u200cloy.yml", True),
        "a name that is not UTF-8": ("src/**", "SRC/\udcff", True),
    },
)
def test_what_file_systems_take_for_a_path(glob: str, path: str, expected: bool) -> None:
    assert bool(find_guarded((Guard(paths=(glob,), class_="a"),), path)) is expected


@given(st.text("aAäÄßsS/.", max_size=6), st.text("aAäÄßsS/.*?", max_size=6))
def test_no_spelling_guards_less(path: str, glob: str) -> None:
    assert not fits(path, glob) or covers(glob, path)
    assert covers(path, path.upper().lower())


def test_it_says_that_a_path_is_only_spelt_otherwise() -> None:
    (found,) = check_guarded((AFFECTS,), {"SRC/db/x": HERE}, ())
    assert "some file systems take it for a path of src/db/**" in found.message
    (found,) = check_guarded((AFFECTS,), {"src\\db\\x": HERE}, ())
    assert "with `/`" in found.hint


def test_it_says_which_mode_was_decided() -> None:
    (found,) = check_guarded((ENACTS,), {PATH: EXECUTABLE}, (ENACTING,))
    assert found.message.endswith(
        "enacts these bytes as a plain file, and here they are an executable"
    )


NAMED = NAMES._replace(found="named")


@table(
    ("guards", "warrants", "expected"),
    {
        "named, and not found otherwise": ((AFFECTS,), (NAMED,), ["2026-11-30-x"]),
        "one that arrives": ((AFFECTS,), (NAMES,), []),
        "another arrives besides": (
            (AFFECTS,),
            (NAMED, NAMES._replace(decision="2026-11-30-y")),
            [],
        ),
        "it allows nothing": ((AFFECTS,), (NAMED._replace(fault="is rejected"),), []),
        "of another class": ((AFFECTS,), (NAMED._replace(class_="small"),), []),
        "two guards and one name": (
            (AFFECTS, AFFECTS),
            (NAMED,),
            ["2026-11-30-x"],
        ),
        "named, and it enacts these bytes": (
            (ENACTS,),
            (ENACTING._replace(found="enacts"),),
            [],
        ),
    },
)
def test_what_a_squash_must_keep(
    guards: tuple[Guard, ...], warrants: tuple[Warrant, ...], expected: list[str]
) -> None:
    found = check_kept(guards, {PATH: HERE}, warrants, "Accord-Decision")
    assert [one.hint.rpartition(" ")[2] for one in found] == expected


def test_it_says_how_much_a_name_allows() -> None:
    (found,) = check_kept(
        (AFFECTS,), {PATH: HERE, "src/db/a.sql": HERE}, (NAMED,), "Accord-Decision"
    )
    assert (found.path, "(and 1 more)" in found.message) == ("src/db/a.sql", True)


def test_it_says_why_a_decision_that_names_it_does_not_count() -> None:
    (found,) = check_guarded((AFFECTS,), {PATH: HERE}, (NAMES._replace(fault="is rejected"),))
    assert found.message.endswith("; 2026-11-30-x is rejected")
    assert "Accord-Decision: ID" in found.hint
