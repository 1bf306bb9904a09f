"""The formats that other programs read: whole pages, and what nobody may smuggle through."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model.finding import CODES, Finding
from accord.render.github import render_github
from accord.render.gitlab import render_gitlab
from accord.render.json import (
    decision_to_plain,
    record_to_plain,
    render_json,
    render_json_line,
    report_to_plain,
    status_to_plain,
)
from accord.render.rdjsonl import render_rdjsonl
from accord.render.sarif import render_sarif
from tests.golden import check_golden
from tests.render import examples
from tests.render.examples import FINDINGS, HOSTILE, Judged

REPORT = Judged(
    tree="8b1c2d3e4a5b6c7d8e9f",
    findings=FINDINGS,
    not_measured=("which vote came first: a tree alone shows no order",),
)
FORMATS = {
    "json": lambda report: render_json(report_to_plain(report)),
    "github": render_github,
    "sarif": render_sarif,
    "gitlab": render_gitlab,
    "rdjsonl": render_rdjsonl,
}
INVISIBLE = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
finding_texts = st.text(st.characters(categories=["L", "P", "Zs", "Cc", "Cf", "Cs"]), max_size=30)
any_finding = st.builds(
    Finding,
    code=st.sampled_from(sorted(CODES)),
    path=finding_texts,
    message=finding_texts,
    hint=finding_texts,
    line=st.none() | st.integers(1, 9),
    column=st.none() | st.integers(1, 9),
)


@pytest.mark.parametrize("name", FORMATS)
def test_format(name: str) -> None:
    check_golden(f"report.{name}.txt", FORMATS[name](REPORT))


VOTE = "decisions/2026-11-30-x/rounds/1/votes/reviewer.yaml"
CAUSED = Judged(
    tree="8b1c2d3e4a5b6c7d8e9f",
    findings=(
        Finding(
            code="record-early",
            path="decisions/2026-11-30-x/record.yaml",
            message="the record says accepted, and the decision stands at open",
            hint="Remove it.",
        ),
        Finding(
            code="frozen-file-changed", path=VOTE, message="it was changed", hint="Restore it."
        ),
    ),
    not_measured=(),
)


@pytest.mark.parametrize("name", FORMATS)
def test_causes_come_first_and_what_follows_names_them(name: str) -> None:
    printed = FORMATS[name](CAUSED)

    assert printed.index("it was changed") < printed.index("the record says")
    follows = printed[printed.index("the record says") :]
    assert "frozen-file-changed" in follows
    assert VOTE in follows


def test_what_follows_is_not_annotated_with_a_hint_that_would_do_harm() -> None:
    assert "Remove it" not in render_github(CAUSED)


@pytest.mark.parametrize("name", FORMATS)
def test_no_findings(name: str) -> None:
    check_golden(f"report.empty.{name}.txt", FORMATS[name](Judged(files=0, decisions=())))


@pytest.mark.parametrize("name", FORMATS)
@given(finding=any_finding)
def test_text_of_files_stays_text(name: str, finding: Finding) -> None:
    written = FORMATS[name](Judged(findings=(finding,)))

    assert not re.search(INVISIBLE, written)
    if name == "github":
        assert [line[:2] for line in written.splitlines()] == ["::", "::"]
    elif name != "rdjsonl":
        json.loads(written)


def test_json_says_what_the_files_say() -> None:
    finding = Finding(code="path-invalid", path=HOSTILE, message="a ☃")

    plain = json.loads(render_json(report_to_plain(Judged(findings=(finding,)))))

    assert plain["findings"][0]["path"] == HOSTILE
    assert "a ☃" in render_json(report_to_plain(Judged(findings=(finding,))))


def test_github_shows_ten_of_a_level_and_counts_the_rest() -> None:
    errors = [Finding(code="unsigned", path=f"f{n:02}", message="m") for n in range(12)]
    warnings = [Finding(code="unpinned", path=f"f{n:02}", message="m") for n in range(3)]

    lines = render_github(Judged(findings=(*errors, *warnings))).splitlines()

    levels = [re.match("::([a-z]+) ", line)[1] for line in lines]  # type: ignore[index]
    assert (levels.count("error"), levels.count("warning"), levels.count("notice")) == (10, 3, 1)
    assert lines[-1].endswith(
        "12 errors and 3 warnings; 2 of them are not shown here, run `accord verify` to see all"
    )


def test_gitlab_fingerprints_tell_equal_findings_apart_and_ignore_lines() -> None:
    here = Finding(code="unsigned", path="a", message="m", line=1)
    below = Finding(code="unsigned", path="a", message="m", line=7)

    twice = json.loads(render_gitlab(Judged(findings=(here, below))))
    moved = json.loads(render_gitlab(Judged(findings=(below,))))

    assert twice[0]["fingerprint"] != twice[1]["fingerprint"]
    assert twice[0]["fingerprint"] == moved[0]["fingerprint"]


def test_show_prints_the_evaluation_and_who_is_waited_for() -> None:
    plain = decision_to_plain(examples.CORRELATED, examples.WAIT_RULING)

    check_golden("show.json.txt", render_json(plain))


def test_status_prints_a_line_a_decision() -> None:
    plain = status_to_plain(examples.OPEN, examples.WAIT_VOTES)

    keys = ["id", "title", "class", "round", "status", "verdict", "ruled_over", "waiting_for"]
    assert list(plain) == [*keys, "succession"]
    assert plain["waiting_for"] == [
        {"member": wait.member, "action": wait.action, "command": wait.command}
        for wait in examples.WAIT_VOTES
    ]


def test_a_record_keeps_the_keys_of_its_file() -> None:
    assert record_to_plain(examples.PROPOSAL)["class"] == "architecture"
    assert render_json_line({"a": [1, None]}) == '{"a": [1, null]}\n'
