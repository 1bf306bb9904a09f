"""Claims that stand in the text, where nobody can withhold them (section 3.3)."""

from __future__ import annotations

from accord.rules.echoes import check_echoes
from tests.support import files as b
from tests.support.tables import table

CLAIM = "Fine.\nThe migration keeps all\nrows of the table. It was measured."


@table(
    ("claim", "text", "echoes"),
    {
        "other words": (CLAIM, "Index open orders only.", 0),
        "a sentence": (CLAIM, "We index.\nThe migration keeps all rows of the table.", 1),
        "in other lines, case and signs": (
            CLAIM,
            "Since *the migration* keeps\nALL rows of the table, we index.",
            1,
        ),
        "two of them, told once": (
            CLAIM + "\n\nNobody has ever seen it fail",
            CLAIM + " Nobody has ever seen it fail!",
            1,
        ),
        "a short one": ("It was measured.", "It was measured.", 0),
        "a part of a word": (
            "he migration keeps all rows of",
            "The migration keeps all rows off",
            0,
        ),
    },
)
def test_echoes(claim: str, text: str, echoes: int) -> None:
    proposal = b.make_proposal(text=text, evidence=(b.SCHEMA, b.change(b.SUMMARY, text=claim)))
    found = list(check_echoes(proposal, "p.yaml"))
    assert len(found) == echoes
    assert {(one.code, one.field) for one in found} <= {("claim-in-text", "evidence[1].text")}


def test_claims_of_which_only_the_file_is_known_are_not_read() -> None:
    filed = b.change(b.SUMMARY, text=None, artifact="docs/summary.md")
    assert list(check_echoes(b.make_proposal(evidence=(filed,)), "p.yaml")) == []
