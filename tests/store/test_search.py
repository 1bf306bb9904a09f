"""Searching: whatever reads as a text is found, and little else."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from accord.errors import CannotJudge
from accord.model.paths import AMENDMENTS, PROPOSALS
from accord.store.git import Repository
from accord.store.search import grep_expressions, matches, may_hold, pick_words
from tests.store.strategies import texts
from tests.support.repos import Repo
from tests.support.tables import table

Style = Literal["|", ">", '"', "'"] | None
STYLES: tuple[Style, ...] = ("|", ">", '"', "'", None)


@given(texts(), st.sampled_from(STYLES), st.integers(2, 80))
@example("a word that is too long for its line", '"', 4)
@example("wörter", '"', 80)
def test_a_file_that_another_tool_wrote_is_found_too(text: str, style: Style, width: int) -> None:
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_style, yaml.width, yaml.allow_unicode = style, width, width % 2 == 0
    written = StringIO()
    yaml.dump({"text": text}, written)
    assert may_hold(written.getvalue().encode(), [text])


@table(
    ("data", "found"),
    {
        "all its words": (b"text: Keep 3 copies of each page\n", True),
        "over two lines": (b"text: >\n  Keep 3 copies\n  of each page\n", True),
        "one word less": (b"text: Keep copies of each page\n", False),
        "a letter escaped": (b'text: "\\x4Beep"\n', True),
        "a word that is broken": (b'text: "Ke\\\n  ep"\n', True),
        "a quote escaped": (b'text: "say \\"no\\""\n', False),
        "nothing of it": (b"text: no\n", False),
        "empty": (b"", False),
    },
)
def test_all_words_of_a_text_are_looked_for(data: bytes, found: bool) -> None:
    assert may_hold(data, ["another one", "Keep 3 copies of each page"]) is found


def test_the_words_that_say_most_are_looked_for() -> None:
    text = "we will keep 3 copies of every single page for at least twelve months, from 2027 on"
    words = pick_words(text)
    assert set(words[:2]) == {"2027", "3"}
    assert len(words) == 8
    assert "we" not in words


def test_a_text_without_words_may_be_anywhere() -> None:
    assert may_hold(b"text: ?\n", ["?!"])
    assert not may_hold(b"", ["?!"])
    assert grep_expressions(["?!"]) == (r"\\[xuU]", r"\\$", "")


@table(
    ("path", "expected"),
    {
        "a proposal": ("decisions/2026-11-30-one/rounds/1/proposal.yaml", True),
        "an amendment": ("decisions/2026-11-30-one/rounds/1/amendment.yaml", False),
        "deeper": ("decisions/x/2026-11-30-one/rounds/1/proposal.yaml", False),
        "not as deep": ("decisions/2026-11-30-one/proposal.yaml", False),
        "longer": ("decisions/2026-11-30-one/rounds/1/proposal.yaml.sig", False),
    },
)
def test_a_star_is_one_name(path: str, expected: bool) -> None:
    assert matches(path, PROPOSALS) is expected
    assert matches(path, AMENDMENTS) is ("amendment" in path)


def test_configuration_changes_no_search(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo")
    path = "decisions/2026-11-30-one/rounds/1/proposal.yaml"
    commit = repo.commit({path: b"text: one two\n", ".gitattributes": b"decisions/** binary\n"})
    for name, value in {
        "grep.patternType": "perl",
        "grep.lineNumber": "true",
        "grep.fullName": "true",
        "color.grep": "always",
    }.items():
        repo.git("config", name, value)
    tree = Repository.discover(repo.path).commit(commit)
    assert tree.search([PROPOSALS], ["one two"]) == (path,)
    assert tree.search([PROPOSALS], ["one three"]) == ()


def test_a_file_that_is_missing_may_hold_anything(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo")
    commit = repo.commit({"decisions/2026-11-30-one/rounds/1/proposal.yaml": b"text: one\n"})
    blob = repo.blob(b"text: one\n")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    tree = Repository.discover(repo.path).commit(commit)
    with pytest.raises(CannotJudge, match="cannot search"):
        tree.search([PROPOSALS], ["one"])
