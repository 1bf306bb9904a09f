"""Every status and every role: the packet that fits, or why there is none."""

from __future__ import annotations

import re

import pytest

from accord.errors import UsageError
from accord.flow.packet import build_packet
from accord.rules.evaluate import evaluate
from tests.rules.test_verbs import SITUATIONS
from tests.support import files as b
from tests.support.tables import table

VOTER = "implementer"
ROLES = (VOTER, b.AUTHORITY, b.DECIDER, b.OUTSIDER)
# What the voter, the authority, the decider and a member who took no part are given.
TURNS: dict[str, tuple[str, str, str, str]] = {
    "nothing at all": ("-", "-", "-", "-"),
    "a draft": ("-", "-", "-", "-"),
    "an open round": ("vote", "-", "-", "-"),
    "minor objections": ("-", "authority", "-", "-"),
    "an amendment": ("affirmation", "-", "rederivation", "rederivation"),
    "not affirmed": ("affirmation", "-", "rederivation", "rederivation"),
    "an asymmetry": ("affirmation", "-", "rederivation", "rederivation"),
    "an asymmetry that all acknowledged": (
        "affirmation",
        "authority",
        "rederivation",
        "rederivation",
    ),
    "a refusal": ("-", "authority", "-", "-"),
    "a refusal that is answered": ("-", "authority", "-", "-"),
    "a closed refusal": ("-", "authority", "-", "-"),
    "a retraction": ("-", "authority", "-", "-"),
    "no round left": ("-", "authority", "ruling", "-"),
    "a synthesis": ("-", "-", "ruling", "-"),
    "a correlated quorum": ("-", "authority", "ruling", "-"),
    "nobody voted": ("-", "-", "-", "-"),
    "one claim in all votes": ("-", "authority", "rederivation", "rederivation"),
    "an agreement": ("-", "-", "rederivation", "rederivation"),
    "an amended agreement": ("-", "-", "rederivation", "rederivation"),
    "a ruling against it": ("-", "-", "-", "-"),
    "a withdrawal": ("-", "-", "-", "-"),
    "an import": ("-", "-", "-", "-"),
}


def test_every_situation_is_there() -> None:
    assert TURNS.keys() == SITUATIONS.keys()


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_packet_fits(name: str) -> None:
    files, status, _ = SITUATIONS[name]
    judgement = evaluate(files)
    for member, phase in zip(ROLES, TURNS[name], strict=True):
        if phase == "-":
            with pytest.raises(UsageError) as refused:
                build_packet(files, judgement, member)
            assert re.search("accord |the voters are", refused.value.hint)
            continue
        packet = build_packet(files, judgement, member)
        assert packet.phase == phase
        assert bool(packet.form) is (phase in ("vote", "affirmation", "rederivation"))
        taken = status in ("accepted", "approved_with_amendments")
        assert ("decision was taken" in packet.text) is (taken and phase == "rederivation")


@table(
    ("name", "member", "words"),
    {
        "no synthesis": (
            "no round left",
            b.DECIDER,
            "no ruling is possible yet .* You cannot rule yet: .* Nothing is asked of you yet."
            " .* writes the synthesis: `accord synthesize ",
        ),
        "a synthesis": ("a synthesis", b.DECIDER, "a ruling is asked for .* `accord rule "),
        "provisional": ("one claim in all votes", b.OUTSIDER, "waits for a second look"),
        "after the end": (
            "an agreement",
            b.OUTSIDER,
            "A decision was taken, .* record does not change",
        ),
        "before the end": ("not affirmed", b.OUTSIDER, "Votes have agreed, and that may"),
        "to amend": (
            "minor objections",
            b.AUTHORITY,
            "1[.] Read the alternative .* `accord amend ",
        ),
        "to revise": (
            "a refusal",
            b.AUTHORITY,
            "What each objection asks for .* challenger, .* `accord revise ",
        ),
        "to synthesise": ("no round left", b.AUTHORITY, "to be written .* `accord synthesize "),
    },
)
def test_what_it_says(name: str, member: str, words: str) -> None:
    files, _, _ = SITUATIONS[name]
    text = build_packet(files, evaluate(files), member).text
    assert re.search(words, " ".join(text.split()))


def test_who_took_a_vote_back_is_told_with_the_reason() -> None:
    files, _, _ = SITUATIONS["a retraction"]
    text = build_packet(files, evaluate(files), b.AUTHORITY).text
    assert "### `implementer`: agree; retracted: MISALIGNED" in text
    assert "The log is another one." in text
