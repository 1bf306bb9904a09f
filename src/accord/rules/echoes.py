"""Claims whose words stand in the text that is voted on, so that nobody can vote without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.model.finding import Finding
from accord.model.proposal import Proposal

_END = re.compile(r"(?<=[.!?\u3002])\s+|\n\s*\n")
# A shorter sentence recurs by accident.
MIN_WORDS = 4


def check_echoes(proposal: Proposal, path: str) -> Iterator[Finding]:
    """Warn of each claim of the manifest a sentence of which recurs in the text."""
    text = _fold(proposal.text)
    for position, entry in enumerate(proposal.evidence):
        if entry.kind != "claim" or entry.text is None:
            continue
        for sentence in _END.split(entry.text):
            words = _fold(sentence)
            if words.count(" ") > MIN_WORDS and words in text:
                yield Finding(
                    code="claim-in-text",
                    path=path,
                    field=f"evidence[{position}].text",
                    message=f"a sentence of the claim {entry.id} stands in the text too:"
                    f" {' '.join(sentence.split())!r}",
                    hint="Leave what is claimed out of the text: packets withhold claims, and"
                    " every packet shows the text.",
                )
                break


def _fold(text: str) -> str:
    """Words and single spaces: case, line breaks and signs between words do not matter."""
    return " " + " ".join(re.findall(r"\w+", text.casefold())) + " "
