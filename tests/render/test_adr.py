"""Pages of decisions, compared whole, and what nasty texts and templates cannot do to them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import UsageError
from accord.model.adr import Adr, IndexEntry, Link, PageCheck, Reference, Said, SecondLook, Standing
from accord.model.base import Record
from accord.model.page_format import find_format
from accord.model.proposal import Consequences, Option, Waiver
from accord.model.snapshot import DecisionFiles, RoundFiles
from accord.model.succession import Succession, View
from accord.render.adr import (
    Style,
    describe_front,
    describe_page,
    render_adr,
    render_index,
)
from accord.render.status import render_status
from accord.render.templates import Override
from accord.rules.adr import build_adr, build_entry
from accord.rules.evaluate import evaluate
from tests.golden import check_golden
from tests.render.test_markdown import HARMLESS_INLINE, PARSER, nasty_blocks, walk
from tests.rules.situations import CORRELATED, ESCALATED, REFUSED
from tests.support import aftermath as a
from tests.support import files as b

PAGE_END, INDEX_END = "\n\n<!-- accord/page/1 -->\n", "\n\n<!-- accord/index/1 -->\n"
OLDER, NEWER = "2026-01-02-older", "2026-12-03-newer"
TEXT = """\
Index **open** orders only:

- drop the full index after a week;
- watch `pg_stat_user_indexes`.

```sql
CREATE INDEX open_orders ON orders (id) WHERE state = 'open';
```
"""
PROPOSAL: dict[str, Any] = {
    "text": TEXT,
    "context": "Open orders are 2 % of the table.\n\nThe full index is 40 GB & growing.",
    "options": (
        Option(name="partial index", pros=("small",), cons=("only for open orders",)),
        Option(name="partitioning by year"),
    ),
    "consequences": Consequences(
        good=("40 GB less",), bad=("reports on closed orders are slower",)
    ),
    "affects": ("db/**",),
}
DISSENT: dict[str, Any] = {
    **b.MAJOR,
    "categories": ("YAGNI", "SCOPE_CREEP"),
    "rationale": "Nobody has asked for this.\n\n# Stop\n\n<b>Two</b> indexes drift.",
}


def agreement() -> DecisionFiles:
    minor = {**b.MINOR, "rationale": "The full index has to go some day."}
    votes: dict[str, Any] = {"challenger": minor, "implementer": {}, "reviewer": {}}
    return b.decide(b.affirm_all(b.amend(b.cast(b.open_round(PROPOSAL), **votes))))


def second_round() -> DecisionFiles:
    votes: dict[str, Any] = {
        "challenger": DISSENT, "implementer": b.ABSTAIN, "reviewer": {},
    }  # fmt: skip
    first = b.resolve(
        b.cast(b.open_round(PROPOSAL), **votes),
        b.answer("challenger"),
        b.answer("challenger", "SCOPE_CREEP", disposition="rebutted", note="It is the objective."),
        b.answer("implementer", None, note="The log is attached now."),
    )
    smaller = PROPOSAL | {"round": 2, "text": "Index open orders only, and **nothing** else."}
    return b.decide(first, b.affirm_all(b.cast_all(b.follow(first, smaller))))


def rejected() -> DecisionFiles:
    synthesis = a.synthesis_file(ESCALATED)
    ruling = a.ruling_file(
        ESCALATED, synthesis, ruling="reject", reason="The challenger is right.\nAsk in spring."
    )
    return b.decide(ESCALATED, synthesis=synthesis, ruling=ruling)


def withdrawn() -> DecisionFiles:
    return b.decide(REFUSED, withdrawal=a.withdrawal_file(REFUSED))


def checked() -> DecisionFiles:
    return b.decide(CORRELATED, checks=(a.check_file(CORRELATED),))


def page_of(decision: DecisionFiles) -> Adr:
    return build_adr(decision, evaluate(decision), {})


PAGES: dict[str, Adr] = {
    "amended": page_of(agreement()),
    "second-round": page_of(second_round()),
    "rejected": page_of(rejected()),
    "withdrawn": page_of(withdrawn()),
    "by-a-check": page_of(checked()),
    "accepted": page_of(b.decide(b.agreed())),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_madr_page(name: str) -> None:
    check_golden(f"adr.{name}.md", render_adr(PAGES[name], "madr"))


@pytest.mark.parametrize("name", ["second-round", "accepted"])
def test_a_nygard_page(name: str) -> None:
    check_golden(f"adr.{name}.nygard.md", render_adr(PAGES[name], "nygard"))


def entry_of(decision: DecisionFiles, succession: Succession | None = None) -> IndexEntry:
    newer = {NEWER: Reference(decision=NEWER, page=f"{NEWER}.md")}
    entry = build_entry(decision, evaluate(decision), newer, succession)
    assert entry is not None
    return entry


ENTRIES = (
    entry_of(agreement()),
    IndexEntry(
        title="Use | one <formatter>",
        decided_at="2026-12-02T09:00:00Z",
        page=Reference(decision="2026-12-01-one-formatter", page="2026-12-01-one-formatter.md"),
        standing=Standing(
            status="accepted", view="under_redecision", by=Reference(decision="2026-12-05-again")
        ),
    ),
    IndexEntry(
        title="An older page",
        decided_at="2020-01-01T00:00:00Z",
        page=Reference(decision="2020-01-01-older", page="../../docs/adr/1 (old).md"),
        standing=Standing(status="imported"),
    ),
)


def test_the_index() -> None:
    check_golden("adr.index.md", render_index(ENTRIES, None))
    check_golden("adr.index.empty.md", render_index((), None))


def test_the_index_does_not_depend_on_an_order() -> None:
    assert render_index(ENTRIES[::-1], None) == render_index(ENTRIES, None)


def test_what_a_ruling_accepted_over_a_doubt_keeps_the_word() -> None:
    synthesis = a.synthesis_file(CORRELATED)
    ruling = a.ruling_file(CORRELATED, synthesis, ruling="accept")
    ruled = b.decide(CORRELATED, synthesis=synthesis, ruling=ruling)
    status = "accepted by ruling over CORRELATED_QUORUM"
    assert f"| {status} |" in render_index((entry_of(ruled),), None)
    page = render_adr(page_of(ruled), "madr")
    assert f'status: "{status}"' in page
    assert f"**{status.capitalize().replace('correlated_quorum', 'CORRELATED_QUORUM')}**." in page
    ended = render_status([(evaluate(ruled).evaluation, ())]).text()
    assert f"1 {status}" in " ".join(ended.split())


STANDINGS: dict[View | None, str] = {
    None: "accepted",
    "superseded": f"superseded by [{NEWER}]({NEWER}.md)",
    "reversed": f"reversed by [{NEWER}]({NEWER}.md)",
    "upheld": f"accepted, upheld against [{NEWER}]({NEWER}.md)",
    "under_redecision": f"accepted, being decided anew by [{NEWER}]({NEWER}.md)",
}


@pytest.mark.parametrize("view", STANDINGS)
def test_the_index_says_what_became_of_a_decision(view: View | None) -> None:
    succession = Succession(view=view, by=NEWER) if view else None
    index = render_index([entry_of(b.decide(b.agreed()), succession)], None)
    assert f" | {STANDINGS[view]} |\n" in index


def test_a_page_says_how_it_was_decided_and_no_more() -> None:
    page = PAGES["accepted"]
    assert describe_front(page)["status"] == '"accepted"'
    assert "- Status: Accepted.\n" in render_adr(page, "madr")
    assert "## Status\n\nAccepted\n" in render_adr(page, "nygard")


RELATIONS = {
    "accepted": ["Supersedes", "Reverses", "Continues"],
    "rejected": ["Was to supersede", "Was to reverse", "Continues"],
}


@pytest.mark.parametrize("status", RELATIONS)
def test_the_newer_page_names_the_older_one(status: str) -> None:
    page = page_of(rejected() if status == "rejected" else b.decide(b.agreed()))
    to = Reference(decision=OLDER)
    links = tuple(
        Link(relation=relation, to=to) for relation in ("supersedes", "reopens", "continues")
    )

    told = describe_page(msgspec.structs.replace(page, links=links))["links"]

    assert told == [f"{word} `{OLDER}`." for word in RELATIONS[status]]


def test_conditions_are_told() -> None:
    page = msgspec.structs.replace(
        PAGES["accepted"],
        waiver=Waiver(kind="trivially_reversible", justification="One *revert*."),
        warnings=("a claim is in every winner's evidence",),
        checks=(PageCheck(name="plan", who="outsider", command=("make", "a b"), passed=False),),
        second_looks=(
            SecondLook(who="outsider", confirms=True, rationale="I see the same."),
            SecondLook(who="erin", confirms=False, rationale="I do not."),
        ),
        affects=("db/**",),
        enacts=("decisions/policy.yaml",),
    )

    assert describe_page(page)["conditions"] == [
        r"A waiver was asked for: trivially reversible. One \*revert\*.",
        "Warning: a claim is in every winner's evidence.",
        "The check `plan`, run by `outsider`, failed: `make 'a b'`.",
        "A second look by `outsider` confirms: I see the same.",
        "A second look by `erin` contradicts: I do not.",
        "It governs `db/**`.",
        "It enacts `decisions/policy.yaml`.",
    ]
    bare = msgspec.structs.replace(page, waiver=Waiver(kind="trivially_reversible"))
    assert describe_page(bare)["conditions"][0] == "A waiver was asked for: trivially reversible."  # type: ignore[index]


def test_an_acknowledged_asymmetry_is_a_condition() -> None:
    files = b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
    files = b.affirm_all(files, asymmetry_acknowledged=True)
    synthesis = a.synthesis_file(files)
    page = page_of(b.decide(files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis)))

    told = describe_page(page)["conditions"]
    assert "Not all read the same evidence; acknowledged by `challenger`, `implementer` and" in str(
        told
    )


# ---------------------------------------------------------------------- nasty texts


def replace_texts(value: Any, text: str) -> Any:
    """The page with every free text of its authors replaced."""
    free = {
        "title", "context", "text", "name", "rationale", "alternative", "note", "closed",
        "justification", "sentence", "detail",
    }  # fmt: skip
    lists = {"pros", "cons", "good", "bad", "warnings", "command"}
    if isinstance(value, Record):
        fields: dict[str, Any] = {}
        for field in value.__struct_fields__:
            old = getattr(value, field)
            if field in free and old is not None:
                fields[field] = text
            elif field in lists:
                fields[field] = (text, text)
            else:
                fields[field] = replace_texts(old, text)
        return msgspec.structs.replace(value, **fields)
    if isinstance(value, tuple):
        return tuple(replace_texts(item, text) for item in value)
    return value


WHOLE = msgspec.structs.replace(
    PAGES["second-round"],
    reason=Said(who="dana", text="x"),
    synthesis=Said(who="orchestrator", text="x"),
    amendments=(Said(who="reviewer", text="x"),),
    waiver=Waiver(kind="trivially_reversible", justification="x"),
    second_looks=(SecondLook(who="erin", confirms=False, rationale="x"),),
    checks=(PageCheck(name="plan", who="erin", command=("x",), passed=True),),
)
STYLES: dict[Style, list[str]] = {
    "madr": [
        "h1", "h2", "h2", "h2", "h3", "h3", "h2", "h3", "h3", "h2", "h3", "h3", "h3", "h3", "h3",
    ],
    "nygard": ["h1", "h2", "h2", "h2", "h2"],
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
@given(nasty_blocks)
def test_no_text_breaks_out_of_its_place(style: Style, text: str) -> None:
    page = render_adr(replace_texts(WHOLE, text), style)
    body = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    body = body.removesuffix(PAGE_END)
    tokens = list(walk(PARSER.parse(body)))
    types = {token.type for token in tokens}

    assert [token.tag for token in tokens if token.type == "heading_open"] == STYLES[style]
    assert types.isdisjoint(
        {
            "html_block",
            "html_inline",
            "link_open",
            "image",
            "table_open",
            "hr",
            "code_block",
            "s_open",
        }
    )
    harmless = HARMLESS_INLINE | {"strong_open", "strong_close"}
    assert {child.type for token in tokens for child in token.children or ()} <= harmless
    assert page.endswith(PAGE_END)
    assert find_format(page.encode(), "page") == 1
    assert page.count("<!-- accord/") == 1
    assert "\n\n\n" not in page
    if style == "madr":
        front = page.split("---\n")[1]
        assert [row.split(":")[0] for row in front.splitlines()] == [
            "status", "date", "decision-makers", "consulted", "informed",
        ]  # fmt: skip


@given(nasty_blocks)
def test_no_title_breaks_out_of_the_index(text: str) -> None:
    entries = [replace_texts(entry, text) for entry in ENTRIES]
    index = render_index(entries, None)
    assert find_format(index.encode(), "index") == 1
    tokens = list(walk(PARSER.parse(index.removesuffix(INDEX_END))))
    types = [token.type for token in tokens]

    assert (types.count("tr_open"), types.count("td_open")) == (4, 9)
    assert {"html_block", "html_inline", "image"}.isdisjoint(types)
    links = [token.attrs["href"] for token in tokens if token.type == "link_open"]
    assert len(links) <= 3
    assert all(str(href).endswith(".md") for href in links)


# ---------------------------------------------------------------------- own templates

ROW = ("date", "decision", "title", "link", "status")

PATH = "decisions/templates/adr.md.j2"


def fill(text: str) -> str:
    return render_adr(PAGES["amended"], Override(PATH, text))


def test_a_repository_may_have_its_own_template() -> None:
    page = fill("# {{ page.title }} ({{ front.date }})\n")
    assert page == f"# Use a partial index (2026-11-30){PAGE_END}"


def test_its_template_may_extend_those_of_the_package() -> None:
    page = fill('{% extends "adr-nygard.md.j2" %}\n{% block foot %}\nOurs.\n{% endblock %}')

    assert page.startswith("# Use a partial index\n\nDate: ")
    assert page.endswith(f"\n\nOurs.{PAGE_END}")


def test_the_index_may_have_its_own_template() -> None:
    own = Override(
        "decisions/templates/adr-index.md.j2",
        "{% for row in index.rows %}\n* {{ row.decision }}\n{% endfor %}\n",
    )
    assert render_index(ENTRIES[:2], own) == f"* `2026-12-01-one-formatter`\n* `{b.ID}`{INDEX_END}"


BROKEN = {
    "a tag that is not closed": ("a\n{% for x in y %}\n", "line 2", "end of template"),
    "an unknown word": ("a\n\n{{ page.titel }}\n", "line 3", "'titel'"),
    "an unknown value": ("{{ pages }}", "line 1", "'pages' is undefined"),
    "a division": ("a\n{{ 1 // 0 }}", "line 2", "ZeroDivisionError"),
    "a call of nothing": ("{{ page.title() }}", "line 1", "not callable"),
    "a way out": ("{{ ''.__class__.__mro__ }}", "line 1", "unsafe"),
    "an endless loop": ("{% for i in range(999999999) %}{% endfor %}", "line 1", "Range"),
    "itself": ('\n{% include "decisions/templates/adr.md.j2" %}', "line 2", "Recursion"),
    "another file": ('{% include "../README.md" %}', "line 1", "there is no template ../README.md"),
    "another template": ('{% include "vote.yaml.j2" %}', "line 1", "there is no template vote"),
    "no filter": ("{{ page.title | nonsense }}", "line 1", "nonsense"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_template_is_named_with_its_line(name: str) -> None:
    text, number, reason = BROKEN[name]

    with pytest.raises(UsageError) as refused:
        fill(text)

    assert refused.value.message.startswith(f"{PATH}, {number}: the template cannot be filled in:")
    assert reason in refused.value.message
    assert "mend it and commit it" in refused.value.hint


def test_the_words_that_a_template_may_use_are_explained() -> None:
    page = (Path(__file__).parents[2] / "docs" / "adr.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
    words = [word for row in rows for word in re.findall("`([a-z_]+)`", row)]
    told = page.split("`front` holds")[1].split("A page is given")[0]

    assert words == list(describe_page(WHOLE))
    assert re.findall("`([a-z_]+)`", told) == [
        *describe_front(WHOLE), "index", "rows", *ROW, "source",
    ]  # fmt: skip


@given(st.permutations(("challenger", "implementer", "reviewer")))
def test_a_page_does_not_depend_on_the_order_of_files(order: list[str]) -> None:
    files = b.agreed()
    votes = {vote.signer: vote for vote in files.votes}
    shuffled = RoundFiles(
        number=1,
        proposal=files.proposal,
        ballot=files.ballot,
        votes=tuple(votes[voter] for voter in order),
        affirmations=files.affirmations,
    )

    assert render_adr(page_of(b.decide(shuffled)), "madr") == render_adr(
        page_of(b.decide(files)), "madr"
    )
